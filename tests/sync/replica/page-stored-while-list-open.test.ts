// @vitest-environment jsdom
// Many records are stored while a list of them is on the screen.
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, expect, test, vi } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import {
  EMPTY_CURSOR,
  Replica,
  type Delta,
  type ReplicaRecord,
} from '../../../src/sync/core/replica.ts'
import { SESSION_KEY } from '../../../src/sync/core/session-store.ts'
import { applyToQueries } from '../../../src/sync/react/apply-changes.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

const scope = { user_id: 'ada', organisation_id: 'north' }
const key = queryKeyOf(scope, 'collection', 'notes')
const shown = () => queryClient.getQueryData<ReplicaRecord[]>(key)
const notes = (from: number, to: number, version = 1): ReplicaRecord[] =>
  Array.from({ length: to - from }, (_, index) => ({ id: `note-${from + index}`, version }))

let replica: Replica
let store: IndexedDbStore
beforeEach(async () => {
  queryClient.clear()
  store = new IndexedDbStore(new IDBFactory())
  await store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, { seq: 1, session: { user: { id: scope.user_id } } }),
  )
  replica = new Replica(store, { replies: { by: 'note_id', of: 'notes' } }, scope)
})

async function apply(delta: Delta, direct = true): Promise<void> {
  const applied = await replica.apply(delta)
  if (!applied) throw new Error('Nothing was stored.')
  const records = direct ? applied.records : undefined
  await applyToQueries({ replicaOf: () => replica }, scope, applied.changed, records)
}

test('adds, replaces and removes the records of a page without reading the collection', async () => {
  queryClient.setQueryData(key, [])
  const collection = vi.spyOn(replica, 'collection')
  const record = vi.spyOn(replica, 'record')
  await apply({ put: { notes: notes(0, 200) }, deleted: [] })
  await apply({ put: { notes: notes(100, 300, 2) }, deleted: [{ type: 'notes', id: 'note-0' }] })
  const expected = [...notes(1, 100), ...notes(100, 300, 2)]
  expect(new Set(shown())).toEqual(new Set(expected))
  expect(shown()).toHaveLength(expected.length)
  expect(collection).not.toHaveBeenCalled()
  expect(record).not.toHaveBeenCalled()
})

test('keeps a newer version that is shown already', async () => {
  queryClient.setQueryData(key, notes(0, 1, 3))
  await apply({ put: { notes: notes(0, 1, 2) }, deleted: [] })
  expect(shown()).toEqual(notes(0, 1, 3))
})

test('shows lower versions after the server’s database was replaced', async () => {
  queryClient.setQueryData(key, notes(0, 1, 3))
  await apply({ put: { notes: notes(0, 1, 2) }, deleted: [], reset: true })
  expect(shown()).toEqual(notes(0, 1, 2))
})

test('reads the collection once when another tab stored many records', async () => {
  queryClient.setQueryData(key, [])
  const collection = vi.spyOn(replica, 'collection')
  await apply({ put: { notes: notes(0, 200) }, deleted: [] }, false)
  expect(shown()).toHaveLength(200)
  expect(collection).toHaveBeenCalledOnce()
})

const reply = (id: string) => ({ id, note_id: 'note-0', version: 1 })
const repliesKey = queryKeyOf(scope, 'partition', 'replies', 'note-0')

test('shows what is stored of a partition as soon as the change is announced as shown', async () => {
  queryClient.setQueryData(repliesKey, [])
  await apply({ put: { replies: [reply('first')] }, deleted: [] })
  expect(queryClient.getQueryData(repliesKey)).toEqual([reply('first')])
})

test('a change of a partition touches no list and no single record', async () => {
  const whole = { since: 1, whole: true, synced_at: 1 }
  await replica.apply(
    { put: { notes: notes(0, 2) }, deleted: [] },
    { from: EMPTY_CURSOR, to: whole },
  )
  const recordKey = queryKeyOf(scope, 'record', 'replies', 'first')
  const listKey = queryKeyOf(scope, 'collection', 'replies')
  queryClient.setQueryData(repliesKey, [])
  queryClient.setQueryData(recordKey, reply('first'))
  queryClient.setQueryData(listKey, [reply('first')])
  queryClient.setQueryData(key, notes(0, 2))
  await apply({ put: { replies: [reply('second')] }, deleted: [] })
  expect(queryClient.getQueryData(repliesKey)).toEqual([reply('second')])
  expect(queryClient.getQueryData(recordKey)).toEqual(reply('first'))
  expect(queryClient.getQueryData(listKey)).toContainEqual(reply('first'))
  expect(shown()).toEqual(notes(0, 2))
})

test('many partitions are read and written in parts, so that no task is long', async () => {
  const transact: IndexedDbStore['transact'] = store.transact.bind(store)
  let pending = 0
  let most = 0
  store.transact = (tables, mode, work) =>
    transact(tables, mode, (tx) => {
      const get: typeof tx.get = (...row) => {
        pending += 1
        most = Math.max(most, pending)
        return tx.get(...row).finally(() => (pending -= 1))
      }
      return work({ ...tx, get })
    })
  const replies = notes(0, 200).map((note) => ({ ...note, note_id: note.id }))
  await apply({ put: { replies }, deleted: [] })
  expect(most).toBeLessThan(40)
  const stored = await Promise.all(replies.map(({ id }) => replica.partition('replies', id)))
  expect(stored.flat()).toEqual(replies)
})
