// A browser may put a left page aside whole, with what it has open, and bring it back later: until then
// it holds nothing that others wait for.
import { IDBFactory } from 'fake-indexeddb'
import { get, set } from 'idb-keyval'
import { expect, test } from 'vitest'
import { IndexedDbStore } from '../../src/sync/store-indexeddb.ts'

const keep = (store: IndexedDbStore, key: string) =>
  store.transact(['operations'], 'strict', async (tx) => {
    await tx.get('operations', key)
    tx.put('operations', key, 'kept')
  })
const kept = (store: IndexedDbStore) =>
  store.transact(['operations'], 'readonly', (tx) => tx.all('operations', []))

test('put aside while it saves: refused, and the other page saves at once', async () => {
  const factory = new IDBFactory()
  const left = new IndexedDbStore(factory)
  const other = new IndexedDbStore(factory)
  const saving = left.transact(['operations'], 'strict', async (tx) => {
    await tx.get('operations', 'a')
    // The other page waits for this one; without its end it would wait for ever.
    const saved = keep(other, 'b')
    left.suspend()
    await saved
  })
  await expect(saving).rejects.toThrow()
  expect(await kept(other)).toEqual(['kept'])
})

test('what is begun while it is aside waits until it is back; a draft is kept all the same', async () => {
  const factory = new IDBFactory()
  const left = new IndexedDbStore(factory)
  await kept(left)
  left.suspend()
  const saved = keep(left, 'a')
  await set('draft', 'Half a', left.keyval('drafts'))
  const other = new IndexedDbStore(factory)
  expect(await get('draft', other.keyval('drafts'))).toBe('Half a')
  expect(await kept(other)).toEqual([])
  left.resume()
  await saved
  expect(await kept(other)).toEqual(['kept'])
})

test('what was only read is read again when it is back', async () => {
  const factory = new IDBFactory()
  const left = new IndexedDbStore(factory)
  await keep(left, 'a')
  let readings = 0
  const read = left.transact(['operations'], 'readonly', async (tx) => {
    readings += 1
    await tx.get('operations', 'a')
    if (readings === 1) left.suspend()
    return await tx.get('operations', 'a')
  })
  await keep(new IndexedDbStore(factory), 'b')
  left.resume()
  expect([await read, readings]).toEqual(['kept', 2])
})

test('put aside while the database is still being opened: nothing is begun before it is back', async () => {
  const factory = new IDBFactory()
  const left = new IndexedDbStore(factory)
  const saved = keep(left, 'a')
  left.suspend()
  const other = new IndexedDbStore(factory)
  await keep(other, 'b')
  expect(await kept(other)).toHaveLength(1)
  left.resume()
  await saved
  expect(await kept(other)).toHaveLength(2)
})
