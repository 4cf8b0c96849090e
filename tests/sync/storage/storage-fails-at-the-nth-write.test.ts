// For every n: storage fails at the n-th write, once or from then on. Confirmed operations are stored,
// failed ones are not, and nothing is written partially.
import { IDBObjectStore } from 'fake-indexeddb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { EngineFixture, postUpdate, offline, waitFor } from '../engine-fixture.ts'

type Put = IDBObjectStore['put']

const TEXTS = ['One.', 'Two.', 'Three.']

/** How the n-th put fails. */
type Failure = (store: IDBObjectStore) => void
const FULL: Failure = () => {
  throw new DOMException('Full.', 'QuotaExceededError')
}
const ABORTED: Failure = (store) => store.transaction.abort()

/** Makes `count` puts from the n-th on fail; returns how many there were. */
function failAt(n: number, times: number, fail: Failure) {
  const put: Put = Reflect.get(IDBObjectStore.prototype, 'put')
  let count = 0
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function failing(
    this: IDBObjectStore,
    ...args: Parameters<Put>
  ) {
    count += 1
    if (count >= n && count < n + times) fail(this)
    return put.apply(this, args)
  })
  return () => count
}

/** Enqueues all texts despite failures; returns those that were confirmed. */
async function postAll(tab: Engine): Promise<string[]> {
  const saved: string[] = []
  for (const text of TEXTS)
    await postUpdate(tab, text).then(
      () => saved.push(text),
      () => undefined,
    )
  return saved
}

const textsIn = (operations: readonly { input: { body?: unknown } }[]) =>
  operations.map(({ input }) => (input.body as { body: string }).body)

afterEach(() => void vi.restoreAllMocks())

test.for([
  // Replicas are evicted to make room.
  ['has no room', FULL, 1, 'all saved'],
  ['has no room, and all that follow neither', FULL, Infinity, 'some refused'],
  ['is aborted', ABORTED, 1, 'some refused'],
  ['is aborted, and all that follow too', ABORTED, Infinity, 'some refused'],
] as const)(
  'keeps exactly what was confirmed when the n-th write %s',
  async ([, fail, times, came]) => {
    let reached = true
    let refused = 0
    for (let n = 1; reached; n += 1) {
      const stage = new EngineFixture()
      onTestFinished(() => stage.close())
      const tab = await stage.signedInTab('ann')
      await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBeNull())
      stage.network = offline
      const count = failAt(n, times, fail)
      const saved = await postAll(tab)
      reached = count() >= n
      vi.restoreAllMocks()
      refused += TEXTS.length - saved.length

      const operations = await tab.outbox.all()
      expect(textsIn(operations)).toEqual(saved)
      expect(operations.map(({ seq }) => seq)).toEqual(saved.map((_, index) => index + 1))

      // It is sent once storage works again, at the latest by the next tab.
      stage.network = (_request, answer) => answer()
      const next = await stage.tab()
      await waitFor(() => expect(stage.storedTexts).toEqual(saved))
      await waitFor(() => expect(next.state.operations.get()).toEqual([]))
    }
    expect(refused > 0 ? 'some refused' : 'all saved').toBe(came)
  },
)
