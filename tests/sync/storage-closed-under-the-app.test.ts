// The browser closes the database, in the middle of a transaction too, or another context deletes it:
// what was called saved before is there, or the tab says that it is gone; and the tab goes on.
import { forceCloseDatabase, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { Stage, say, unplugged, until } from './stage.ts'

type Put = IDBObjectStore['put']

/** Its types ask for the class, and it takes an instance of it. */
const close = (database: unknown) =>
  forceCloseDatabase(database as Parameters<typeof forceCloseDatabase>[0])

afterEach(() => void vi.restoreAllMocks())

async function annOffline() {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  await until(() => expect(tab.lastSyncedAt.get()).not.toBeNull())
  stage.network = unplugged
  return { stage, tab }
}

/** Closes the database as soon as something is written to the outbox. */
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

test('closed in the middle of saving: refused, so that the form keeps the text, and saved at the next try', async () => {
  const { stage, tab } = await annOffline()
  await say(tab, 'Before.')
  closeAtNextWrite()
  await expect(say(tab, 'Cut off.')).rejects.toThrow()
  const { id } = await say(tab, 'Again.')
  expect((await tab.outbox.all()).map((one) => one.id)).toContain(id)
  stage.network = (_request, answer) => answer()
  tab.wake()
  await until(() => expect(stage.texts).toEqual(['Before.', 'Again.']))
})

/** Deletes the database from another context, which the open ones must make way for. */
const deleteElsewhere = (factory: IDBFactory) =>
  new Promise<void>((resolve, reject) => {
    const request = factory.deleteDatabase('cairn')
    request.addEventListener('success', () => resolve())
    request.addEventListener('blocked', () => reject(new Error('A tab does not let go.')))
  })

test('deleted by another context: nothing is in the way, and what is said afterwards is kept and sent', async () => {
  const { stage, tab } = await annOffline()
  await say(tab, 'Before.')
  await deleteElsewhere(stage.factory)
  await until(() => expect(tab.operations.get()).toEqual([]))
  await say(tab, 'After.')
  stage.network = (_request, answer) => answer()
  tab.wake()
  await until(() => expect(stage.texts).toEqual(['After.']))
  await until(() => expect(tab.operations.get()).toEqual([]))
})

test('deleted by another context: still signed in, also when the access token has run out by then', async () => {
  const { stage, tab } = await annOffline()
  await deleteElsewhere(stage.factory)
  await say(tab, 'After.')
  stage.server.tokens.expireAll()
  stage.network = (_request, answer) => answer()
  tab.wake()
  await until(() => expect(stage.texts).toEqual(['After.']))
  expect((await stage.tab()).session.current().session?.user.id).toBe('ann')
})
