// The browser closes the database, also during a transaction, or another context deletes it. Either the
// saved operations are still there, or the tab reports their loss; and the tab continues to work.
import { forceCloseDatabase, IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import { EngineFixture, postUpdate, offline, waitFor } from '../engine-fixture.ts'

type Put = IDBObjectStore['put']

/** The library's types want the class where its code takes an instance. */
const close = (database: unknown) =>
  forceCloseDatabase(database as Parameters<typeof forceCloseDatabase>[0])

afterEach(() => void vi.restoreAllMocks())

async function annOffline() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBeNull())
  stage.network = offline
  return { stage, tab }
}

/** Closes the database as soon as the outbox is written to. */
function closeAtNextWrite() {
  const put: Put = Reflect.get(IDBObjectStore.prototype, 'put')
  let closed = false
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function closing(
    this: IDBObjectStore,
    ...args: Parameters<Put>
  ) {
    const request = put.apply(this, args)
    if (!closed && this.name === 'operations') {
      closed = true
      this.transaction.abort()
      close(this.transaction.db)
    }
    return request
  })
}

test('rejects a save cut by a closing database, and saves the next', async () => {
  const { stage, tab } = await annOffline()
  await postUpdate(tab, 'Before.')
  closeAtNextWrite()
  await expect(postUpdate(tab, 'Cut off.')).rejects.toThrow()
  const { id } = await postUpdate(tab, 'Again.')
  expect((await tab.outbox.all()).map((one) => one.id)).toContain(id)
  stage.network = (_request, answer) => answer()
  tab.wake()
  await waitFor(() => expect(stage.storedTexts).toEqual(['Before.', 'Again.']))
})

test('reports that the browser has closed the database, and opens it again', async () => {
  const store = new IndexedDbStore(new IDBFactory())
  const count = () =>
    store.transact(
      ['operations'],
      'readonly',
      async (tx) => (await tx.all('operations', [])).length,
    )
  await count()
  const onLost = vi.fn()
  store.onLost = onLost
  close(await store.database())
  await waitFor(() => expect(onLost).toHaveBeenCalledOnce())
  expect(await count()).toBe(0)
})

/** The next request to read is never answered, as in Chromium when it closes a database during a transaction. */
function leaveNextReadUnanswered() {
  const get: IDBObjectStore['get'] = Reflect.get(IDBObjectStore.prototype, 'get')
  const asked = Promise.withResolvers<void>()
  const spy = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementationOnce(function reading(
    this: IDBObjectStore,
    key,
  ) {
    const request = get.call(this, key)
    Object.defineProperty(request, 'dispatchEvent', { value: () => true })
    spy.mockRestore()
    asked.resolve()
    return request
  })
  return asked.promise
}

test.for(['readonly', 'strict'] as const)(
  'a %s transaction ends when the database is closed and its requests are never answered',
  async (mode) => {
    const store = new IndexedDbStore(new IDBFactory())
    const database = await store.database()
    const asked = leaveNextReadUnanswered()
    const read = store.transact(['operations'], mode, async (tx) => {
      await tx.get('operations', 'a')
      return 'read'
    })
    const ended = read.catch((error: Error) => error.name)
    await asked
    database.onclose?.(new Event('close'))
    // A read is repeated; whether a write is in the database that is opened next is not known.
    expect(await ended).toBe(mode === 'readonly' ? 'read' : 'AbortError')
  },
)

/** Deletes the database from another context; open connections must close for it. */
const deleteElsewhere = (factory: IDBFactory) =>
  new Promise<void>((resolve, reject) => {
    const request = factory.deleteDatabase('cairn')
    request.addEventListener('success', () => resolve())
    request.addEventListener('blocked', () => reject(new Error('A tab does not let go.')))
  })

test('gives way to a deletion of the database, then stores and sends new updates', async () => {
  const { stage, tab } = await annOffline()
  await postUpdate(tab, 'Before.')
  await deleteElsewhere(stage.factory)
  await waitFor(() => expect(tab.state.operations.get()).toEqual([]))
  await postUpdate(tab, 'After.')
  stage.network = (_request, answer) => answer()
  tab.wake()
  await waitFor(() => expect(stage.storedTexts).toEqual(['After.']))
  await waitFor(() => expect(tab.state.operations.get()).toEqual([]))
})

test('stays signed in when the database is deleted and the access token has expired', async () => {
  const { stage, tab } = await annOffline()
  await deleteElsewhere(stage.factory)
  await postUpdate(tab, 'After.')
  stage.server.tokens.expireAll()
  stage.network = (_request, answer) => answer()
  tab.wake()
  await waitFor(() => expect(stage.storedTexts).toEqual(['After.']))
  expect((await stage.tab()).session.current().session?.user.id).toBe('ann')
})
