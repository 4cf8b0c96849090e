import { IDBDatabase, IDBFactory } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import { EngineFixture } from '../engine-fixture.ts'

const draftOperation = {
  endpoint: 'postPlanUpdate',
  input: { path: { id: 'north-1' }, body: { id: 'u-1', body: 'They signed.' } },
  user_id: 'ann',
  organisation_id: 'north',
}

type Begin = IDBDatabase['transaction']

/** Calls `begun` with each write transaction and its durability. */
function watchTransactions(begun: (transaction: IDBTransaction, durability?: string) => void) {
  const transaction: Begin = Reflect.get(IDBDatabase.prototype, 'transaction')
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function watched(
    this: IDBDatabase,
    ...args: Parameters<Begin>
  ) {
    const raw = transaction.apply(this, args)
    if (args[1] === 'readwrite') begun(raw, args[2]?.durability)
    return raw
  })
}

afterEach(() => void vi.restoreAllMocks())

test('confirms an update only after its transaction is complete and flushed', async () => {
  let complete = false
  let durable: string | undefined
  watchTransactions((raw, durability) => {
    durable = durability
    raw.addEventListener('complete', () => (complete = true))
  })
  await new Outbox(new EngineFixture().ports()).enqueue(draftOperation)
  expect({ complete, durable }).toEqual({ complete: true, durable: 'strict' })
})

test('does not confirm an update whose transaction is aborted', async () => {
  const factory = new IDBFactory()
  const ports = { ...new EngineFixture().ports(), store: new IndexedDbStore(factory) }
  watchTransactions((raw) => {
    const store = raw.objectStore('operations')
    const put = store.put.bind(store)
    raw.objectStore = () => store
    store.put = (...args) => {
      const request = put(...args)
      request.addEventListener('success', () => raw.abort())
      return request
    }
    // The transaction is held open, so that the request succeeds first.
    raw.commit = () => undefined
  })
  await expect(new Outbox(ports).enqueue(draftOperation)).rejects.toThrow()
  vi.restoreAllMocks()
  const again = new Outbox({ ...ports, store: new IndexedDbStore(factory), calls: product.calls })
  expect(await again.all()).toEqual([])
})

test('reports why a transaction failed', async () => {
  const { store } = new EngineFixture()
  const failing = store.transact(['operations'], 'strict', async (tx) => {
    tx.put('operations', 'id', { words: 'kept' })
    throw new RangeError('The reason.')
  })
  await expect(failing).rejects.toThrow('The reason.')
  const stored = await store.transact(['operations'], 'readonly', (tx) => tx.all('operations', []))
  expect(stored).toEqual([])
})
