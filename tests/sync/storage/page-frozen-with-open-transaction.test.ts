// A browser may put a page into the back/forward cache with its open transactions: until it is
// restored, it must not block other pages.
import { IDBFactory } from 'fake-indexeddb'
import { get, set } from 'idb-keyval'
import { expect, test } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'

const writeRecord = (store: IndexedDbStore, key: string) =>
  store.transact(['operations'], 'strict', async (tx) => {
    await tx.get('operations', key)
    tx.put('operations', key, 'kept')
  })
const readRecords = (store: IndexedDbStore) =>
  store.transact(['operations'], 'readonly', (tx) => tx.all('operations', []))

test('aborts a save in a frozen page, so that another page can save at once', async () => {
  const factory = new IDBFactory()
  const left = new IndexedDbStore(factory)
  const other = new IndexedDbStore(factory)
  const saving = left.transact(['operations'], 'strict', async (tx) => {
    await tx.get('operations', 'a')
    // The other page waits for this transaction; if it never ended, the other page would wait forever.
    const saved = writeRecord(other, 'b')
    left.suspend()
    await saved
  })
  await expect(saving).rejects.toThrow()
  expect(await readRecords(other)).toEqual(['kept'])
})

test('delays transactions until the page resumes, but not drafts', async () => {
  const factory = new IDBFactory()
  const left = new IndexedDbStore(factory)
  await readRecords(left)
  left.suspend()
  const saved = writeRecord(left, 'a')
  await set('draft', 'Half a', left.keyval('drafts'))
  const other = new IndexedDbStore(factory)
  expect(await get('draft', other.keyval('drafts'))).toBe('Half a')
  expect(await readRecords(other)).toEqual([])
  left.resume()
  await saved
  expect(await readRecords(other)).toEqual(['kept'])
})

test('repeats an interrupted read when the page resumes', async () => {
  const factory = new IDBFactory()
  const left = new IndexedDbStore(factory)
  await writeRecord(left, 'a')
  let readings = 0
  const read = left.transact(['operations'], 'readonly', async (tx) => {
    readings += 1
    await tx.get('operations', 'a')
    if (readings === 1) left.suspend()
    return await tx.get('operations', 'a')
  })
  await writeRecord(new IndexedDbStore(factory), 'b')
  left.resume()
  expect([await read, readings]).toEqual(['kept', 2])
})

test('starts no transaction in a page frozen while the database opens', async () => {
  const factory = new IDBFactory()
  const left = new IndexedDbStore(factory)
  const saved = writeRecord(left, 'a')
  left.suspend()
  const other = new IndexedDbStore(factory)
  await writeRecord(other, 'b')
  expect(await readRecords(other)).toHaveLength(1)
  left.resume()
  await saved
  expect(await readRecords(other)).toHaveLength(2)
})
