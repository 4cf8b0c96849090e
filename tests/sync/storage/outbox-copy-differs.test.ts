// The outbox copy lacks what is stored, keeps what is gone, or brings operations back out of order.
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import { OutboxCopy } from '../../../src/sync/browser/outbox-copy.ts'
import type { Network } from '../../../src/sync/core/ports.ts'
import { operationWith } from '../../screens/fixtures/record-fixtures.ts'
import { EngineFixture } from '../engine-fixture.ts'
import { waitFor } from '../../wait-for.ts'

/** What Cache Storage has, by address. */
let stored = new Map<string, string>()

/** As much of Cache Storage as the copy uses. */
const cache = {
  keys: async () => [...stored.keys()].map((url) => ({ url })),
  match: async (url: string) => (stored.has(url) ? new Response(stored.get(url)) : undefined),
  put: async (url: string, answer: Response) => void stored.set(url, await answer.text()),
  delete: async (url: string) => stored.delete(url),
}

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('caches', { open: async () => cache })
  // `vi.waitFor` advances them.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
// What a test has left to write does not reach the next one.
afterEach(() => void vi.useRealTimers())

const operation = (id: string, seq: number, state: 'pending' | 'acknowledged' = 'pending') =>
  operationWith({ id, seq, state })

function openStore(databases = new IDBFactory()) {
  const store = new IndexedDbStore(databases)
  const put = (...operations: ReturnType<typeof operation>[]) =>
    store.transact(['operations'], 'readwrite', async (tx) => {
      for (const one of operations) tx.put('operations', one.id, one)
    })
  const order = () =>
    store.transact(['operations'], 'readonly', async (tx) => {
      const values = (await tx.all('operations', [])) as { id?: string; seq: number }[]
      const operations = values.filter(({ id }) => id !== undefined)
      return operations.toSorted((a, b) => a.seq - b.seq).map(({ id }) => id)
    })
  return { store, put, order }
}

const copiedIds = () =>
  [...stored.values()].map((text) => (JSON.parse(text) as { id: string }).id).toSorted()

test('what is enqueued is copied, what is acknowledged or deleted is not', async () => {
  const { store, put } = openStore()
  const copy = new OutboxCopy(store)
  await copy.restore()
  await put(operation('a', 1), operation('b', 2))
  await waitFor(() => expect(copiedIds()).toEqual(['a', 'b']))
  await put(operation('a', 1, 'acknowledged'))
  await waitFor(() => expect(copiedIds()).toEqual(['b']))
  await store.transact(['operations'], 'readwrite', async (tx) => tx.delete('operations', 'b'))
  await waitFor(() => expect(copiedIds()).toEqual([]))
})

test('what the replica stores is not made a text', async () => {
  const { store } = openStore()
  const copy = new OutboxCopy(store)
  await copy.restore()
  const toJSON = vi.fn<() => unknown>()
  await store.transact(['cache'], 'readwrite', async (tx) =>
    // A method of the object itself could not be stored.
    tx.put('cache', ['ann', 'north', 'plans', '000'], Object.create({ toJSON })),
  )
  await copy.settled()
  expect(toJSON).not.toHaveBeenCalled()
})

test('what is enqueued is copied after 50 ms, when the screen has shown that it is saved', async () => {
  const { store, put } = openStore()
  const copy = new OutboxCopy(store)
  await copy.restore()
  await put(operation('a', 1))
  vi.advanceTimersByTime(49)
  await new Promise(setImmediate)
  expect(copiedIds()).toEqual([])
  vi.advanceTimersByTime(1)
  await waitFor(() => expect(copiedIds()).toEqual(['a']))
})

test('what is enqueued is copied before a request that writes leaves', async () => {
  const { store, put } = openStore()
  const copy = new OutboxCopy(store)
  await copy.restore()
  const exchange = vi.fn<Network['exchange']>(() => {
    expect(copiedIds()).toEqual(['a'])
    throw new Error('There is no network.')
  })
  const network = copy.guard({ exchange } as Partial<Network> as Network)
  await put(operation('a', 1))
  const request = { method: 'POST' } as Parameters<Network['exchange']>[0]
  await expect(network.exchange(request)).rejects.toThrow('no network')
  expect(exchange).toHaveBeenCalledOnce()
})

test.each([
  ['is written', 'put'],
  ['is written or read', 'keys'],
] as const)(
  'where Cache Storage hangs when it %s, a request that writes and a sign-out wait a second at most',
  async (_, hanging) => {
    const { store, put, order } = openStore()
    const copy = new OutboxCopy(store)
    await copy.restore()
    const never = new Promise<never>(() => undefined)
    vi.spyOn(cache, 'put').mockReturnValue(never)
    vi.spyOn(cache, hanging).mockReturnValue(never)
    onTestFinished(() => void vi.restoreAllMocks())
    const exchange = vi.fn<Network['exchange']>()
    const network = copy.guard({ exchange } as Partial<Network> as Network)
    const request = { method: 'POST' } as Parameters<Network['exchange']>[0]
    await put(operation('a', 1))
    const sent = network.exchange(request)
    await vi.advanceTimersByTimeAsync(999)
    expect(exchange).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await sent
    // The next one does not wait for the same writing again.
    await network.exchange(request)
    expect(exchange).toHaveBeenCalledTimes(2)

    const tables = ['session', 'cache', 'drafts', 'operations'] as const
    const signedOut = store.transact(tables, 'strict', async (tx) => tx.deleteAll('operations', []))
    let isOut = false
    void signedOut.then(() => (isOut = true))
    await waitFor(() => expect(isOut).toBe(true))
    expect(await order()).toEqual([])
  },
)

test('where Cache Storage does not answer at a start, the app starts, and the next one reads the copy', async () => {
  const lost = openStore()
  await new OutboxCopy(lost.store).restore()
  await lost.put(operation('a', 1))
  await waitFor(() => expect(copiedIds()).toEqual(['a']))
  const { store, order } = openStore()
  const reading = vi.spyOn(cache, 'keys').mockReturnValueOnce(new Promise(() => undefined))
  const restored = new OutboxCopy(store).restore().catch((error: unknown) => error)
  await waitFor(() => expect(reading).toHaveBeenCalled())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await restored).toBeInstanceOf(Error)
  expect(await new OutboxCopy(store).restore()).toBe(1)
  expect(await order()).toEqual(['a'])
})

test('what is enqueued is copied as soon as the next transaction writes', async () => {
  const { store, put } = openStore()
  const copy = new OutboxCopy(store)
  await copy.restore()
  await put(operation('a', 1))
  await store.transact(['session'], 'readwrite', async () => undefined)
  while (copiedIds().length === 0) await new Promise(setImmediate)
  expect(copiedIds()).toEqual(['a'])
})

test('what was enqueued just before the database was cleared comes back', async () => {
  const databases = new IDBFactory()
  const { store, put, order } = openStore(databases)
  const copy = new OutboxCopy(store)
  await copy.restore()
  await put(operation('a', 1))
  await new IndexedDbStore(databases).transact(
    ['operations', 'session'],
    'readwrite',
    async (tx) => {
      for (const table of ['operations', 'session'] as const)
        for (const key of await tx.keys(table, [])) tx.delete(table, key)
    },
  )
  expect(await copy.restore()).toBe(1)
  expect(await order()).toEqual(['a'])
})

test('what was enqueued just before the database was lost comes back in its place, also where another tab restored it', async () => {
  const lost = openStore()
  const copy = new OutboxCopy(lost.store)
  await copy.restore()
  await lost.put(operation('a', 1))
  await copy.settled()
  await lost.put(operation('b', 2), operation('c', 3))
  // The other tab restores the new database, and enqueues, before these are copied.
  const databases = new IDBFactory()
  const other = openStore(databases)
  expect(await new OutboxCopy(other.store).restore()).toBe(1)
  await other.put(operation('d', 2))
  const { store } = openStore(databases)
  vi.spyOn(lost.store, 'database').mockImplementation(() => store.database())
  expect(await copy.restore()).toBe(2)
  expect(await other.order()).toEqual(['a', 'b', 'c', 'd'])
  expect(await copy.restore()).toBe(0)
  await waitFor(() => expect(copiedIds()).toEqual(['a', 'b', 'c', 'd']))
})

test('a copy that cannot be read is read at the next start', async () => {
  const lost = openStore()
  await new OutboxCopy(lost.store).restore()
  await lost.put(operation('a', 1))
  await waitFor(() => expect(copiedIds()).toEqual(['a']))
  const { store, order } = openStore()
  vi.spyOn(cache, 'keys').mockRejectedValueOnce(new Error('The cache cannot be read.'))
  await expect(new OutboxCopy(store).restore()).rejects.toThrow('cannot be read')
  expect(await new OutboxCopy(store).restore()).toBe(1)
  expect(await order()).toEqual(['a'])
})

test('a comparison adds what an earlier build stored, and removes what is gone', async () => {
  const { store, put } = openStore()
  await put(operation('a', 1), operation('b', 2, 'acknowledged'))
  const copy = new OutboxCopy(store)
  await copy.restore()
  await copy.compare()
  await waitFor(() => expect(copiedIds()).toEqual(['a']))
  stored.set(
    `https://outbox.invalid/${encodeURIComponent('["operations","gone"]')}`,
    '{"id":"gone"}',
  )
  await copy.compare()
  await waitFor(() => expect(copiedIds()).toEqual(['a']))
})

test('what a frozen tab writes after a sign-out in another tab is deleted again', async () => {
  const databases = new IDBFactory()
  const { store, put } = openStore(databases)
  const copy = new OutboxCopy(store)
  await copy.restore()
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
  const write = vi.spyOn(cache, 'put').mockImplementationOnce(async (url, answer) => {
    await thawed
    stored.set(url, await answer.text())
  })
  await put(operation('a', 1))
  await waitFor(() => expect(write).toHaveBeenCalled())
  const other = openStore(databases)
  await other.store.transact(['operations'], 'readwrite', async (tx) =>
    tx.deleteAll('operations', []),
  )
  thaw()
  await copy.settled()
  expect(copiedIds()).toEqual([])
})

test('nothing is removed from the copy before a new database has been restored from it', async () => {
  const lost = openStore()
  await new OutboxCopy(lost.store).restore()
  await lost.put(operation('a', 1))
  await waitFor(() => expect(copiedIds()).toEqual(['a']))
  const { store, order } = openStore()
  const copy = new OutboxCopy(store)
  await copy.compare()
  expect(await copy.restore()).toBe(1)
  expect(await order()).toEqual(['a'])
  expect(await copy.restore()).toBe(0)
})

test('what comes back is before what the new database got meanwhile, and before what follows', async () => {
  const lost = openStore()
  await new OutboxCopy(lost.store).restore()
  await lost.put(operation('a', 7), operation('b', 8))
  await waitFor(() => expect(copiedIds()).toEqual(['a', 'b']))
  const empty = openStore()
  await new OutboxCopy(empty.store).restore()
  const next = await empty.store.transact(['operations'], 'readonly', (tx) =>
    tx.get('operations', '!seq'),
  )
  expect(next).toBe(8)
  const meanwhile = openStore()
  await meanwhile.put(operation('c', 1))
  expect(await new OutboxCopy(meanwhile.store).restore()).toBe(2)
  expect(await meanwhile.order()).toEqual(['a', 'b', 'c'])
})

test('what comes back is on the screens when the app has started', async () => {
  const lost = openStore()
  await new OutboxCopy(lost.store).restore()
  await lost.put(operation('a', 1))
  await waitFor(() => expect(copiedIds()).toEqual(['a']))
  const { store, order } = openStore()
  expect(await order()).toEqual([])
  const stage = new EngineFixture(() => store)
  onTestFinished(() => stage.close())
  const engine = stage.engine()
  await engine.start({ seq: 0, session: null }, new OutboxCopy(store).restore())
  expect(engine.state.operations.get().map(({ id }) => id)).toEqual(['a'])
})

test('without Cache Storage, nothing waits for the copy', async () => {
  vi.stubGlobal('caches', undefined)
  const { store, put, order } = openStore()
  const copy = new OutboxCopy(store)
  expect(await copy.restore()).toBe(0)
  await put(operation('a', 1))
  const tables = ['session', 'cache', 'drafts', 'operations'] as const
  await store.transact(tables, 'strict', async (tx) => tx.put('drafts', ['ann'], 'Half a sentence'))
  expect(await order()).toEqual(['a'])
})
