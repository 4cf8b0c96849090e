// Many operations are stored and undone in one transaction each, and arrive one by one.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { random } from '../../../src/sync/browser/web-ports.ts'
import { StorageFullError, type Store } from '../../../src/sync/core/ports.ts'
import { EngineFixture, offline, waitFor } from '../engine-fixture.ts'

const DELAY_MS = 60_000

afterEach(() => void vi.restoreAllMocks())

async function signedIn(store?: (real: Store) => Store) {
  const stage = new EngineFixture(store)
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const caller = tab.session.caller()
  if (!caller) throw new Error('No one is signed in.')
  /** Updates of that many plans, to be enqueued. */
  const updates = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...caller,
      endpoint: 'postPlanUpdate',
      input: { path: { id: `north-${at + 1}` }, body: { id: `update-${at}`, body: `Text ${at}` } },
      delayMs: DELAY_MS,
    }))
  return { stage, tab, updates }
}

test('500 operations are one transaction, and so is their undo', async () => {
  const writes = vi.fn<() => void>()
  const { stage, tab, updates } = await signedIn((real) => ({
    onLost: () => undefined,
    transact: (stores, mode, work) => {
      if (mode === 'strict') writes()
      return real.transact(stores, mode, work)
    },
  }))
  stage.network = offline
  writes.mockClear()
  const operations = await tab.outbox.enqueueAll(updates(500))
  expect(writes).toHaveBeenCalledTimes(1)
  const stored = await tab.outbox.all()
  expect(stored.map(({ id }) => id)).toEqual(operations.map(({ id }) => id))
  expect(new Set(stored.map(({ seq }) => seq)).size).toBe(500)
  expect(new Set(stored.map(({ lane }) => lane)).size).toBe(500)
  await tab.outbox.discard(
    operations.map(({ id }) => id),
    true,
  )
  expect(writes).toHaveBeenCalledTimes(2)
  expect(await tab.outbox.all()).toEqual([])
})

test('a later operation comes after all 500', async () => {
  const { stage, tab, updates } = await signedIn()
  stage.network = offline
  const many = await tab.outbox.enqueueAll(updates(3))
  const [last] = await tab.outbox.enqueueAll(updates(1))
  expect([...many, last].map((one) => one?.seq)).toEqual([1, 2, 3, 4])
})

test('one of them waits for the record that an earlier one creates', async () => {
  const { stage, tab } = await signedIn()
  stage.network = offline
  const caller = { user_id: 'ann', organisation_id: 'north' }
  const id = random.id()
  const [create, post] = await tab.outbox.enqueueAll([
    { ...caller, endpoint: 'createSuccessPlan', input: { body: { id, title: 'Onboarding' } } },
    {
      ...caller,
      endpoint: 'postPlanUpdate',
      input: { path: { id }, body: { id: random.id(), body: 'Begun.' } },
    },
  ])
  expect(post?.depends_on).toEqual([create?.id])
})

test('without room for all of them none is stored', async () => {
  const { tab, updates } = await signedIn((real) => ({
    onLost: () => undefined,
    transact: (stores, mode, work) =>
      real.transact(stores, mode, (tx) => {
        let puts = 0
        const put: typeof tx.put = (store, key, value) => {
          puts += 1
          if (mode === 'strict' && store === 'operations' && puts > 3) throw new StorageFullError()
          tx.put(store, key, value)
        }
        return work({ ...tx, all: tx.all.bind(tx), get: tx.get.bind(tx), put })
      }),
  }))
  await expect(tab.outbox.enqueueAll(updates(5))).rejects.toThrow(StorageFullError)
  expect(await tab.outbox.all()).toEqual([])
})

test('an undo takes back what has not left, and leaves what has', async () => {
  const { stage, tab, updates } = await signedIn()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  stage.delayRequest = ({ method }) => (method === 'POST' ? held : Promise.resolve())
  const [now, later] = updates(2)
  if (!now || !later) throw new Error('There are no updates.')
  const operations = await tab.outbox.enqueueAll([{ ...now, delayMs: 0 }, later])
  await tab.outboxChanged()
  await waitFor(() => expect(stage.storedTexts).toEqual(['Text 0']))
  const undone = await tab.outbox.discard(
    operations.map(({ id }) => id),
    true,
  )
  expect(undone).toMatchObject([{ input: later.input }])
  release()
  await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  expect(stage.storedTexts).toEqual(['Text 0'])
})
