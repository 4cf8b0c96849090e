// Two write transactions are open at once when the browser is killed: Chromium cannot undo both and deletes the
// whole database.
import { IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'

test('a write to one table begins when that to another is complete', async () => {
  const store = new IndexedDbStore(new IDBFactory())
  const events: string[] = []
  const write = (table: 'operations' | 'cache') =>
    store
      .transact([table], 'readwrite', async (tx) => {
        await tx.get(table, 'first')
        events.push(`${table} begins`)
        await tx.get(table, 'second')
        tx.put(table, 'key', 'value')
      })
      .then(() => events.push(`${table} is complete`))
  await Promise.all([write('cache'), write('operations')])
  expect(events).toEqual([
    'cache begins',
    'cache is complete',
    'operations begins',
    'operations is complete',
  ])
})
