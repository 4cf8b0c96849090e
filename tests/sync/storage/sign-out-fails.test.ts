// A sign-out that discards what was not sent, while storage fails.
import { IDBObjectStore } from 'fake-indexeddb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EngineFixture, offline, postUpdate } from '../engine-fixture.ts'

test('keeps the session and all operations when the sign-out cannot be stored', async () => {
  const device = new EngineFixture()
  onTestFinished(() => device.close())
  const tab = await device.signedInTab('ann')
  device.network = offline
  await postUpdate(tab, 'They signed.')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function failing(
    this: IDBObjectStore,
  ) {
    this.transaction.abort()
    throw new DOMException('Aborted.', 'AbortError')
  })
  onTestFinished(() => void vi.restoreAllMocks())
  await expect(tab.signOut('discard')).rejects.toThrow()
  vi.restoreAllMocks()
  expect(tab.session.caller()?.user_id).toBe('ann')
  expect(await tab.outbox.all()).toHaveLength(1)
  await tab.signOut('discard')
  expect(tab.session.caller()).toBeUndefined()
  expect(await tab.outbox.all()).toEqual([])
})
