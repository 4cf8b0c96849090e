import { IDBObjectStore } from 'fake-indexeddb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { StorageFullError } from '../../../src/sync/core/ports.ts'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

const scope = { user_id: 'ann', organisation_id: 'north' }

type Put = IDBObjectStore['put']

/** Makes each put into the outbox fail while `isFull`. */
function fill(isFull: () => boolean) {
  const put: Put = Reflect.get(IDBObjectStore.prototype, 'put')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function full(
    this: IDBObjectStore,
    ...args: Parameters<Put>
  ) {
    if (this.name === 'operations' && isFull())
      throw new DOMException('Full.', 'QuotaExceededError')
    return put.apply(this, args)
  })
}

afterEach(() => void vi.restoreAllMocks())

test('does not confirm an update without room, so that the form keeps its text', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  fill(() => true)
  await expect(postUpdate(tab, 'They signed.')).rejects.toBeInstanceOf(StorageFullError)
  vi.restoreAllMocks()
  expect(await tab.outbox.all()).toEqual([])
})

test('evicts cached records to make room for operations', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  await waitFor(async () => expect((await tab.replicaOf(scope).cursor()).whole).toBe(true))
  let tries = 0
  fill(() => (tries += 1) <= 1)
  const { id } = await postUpdate(tab, 'They signed.')
  vi.restoreAllMocks()
  expect(tries).toBeGreaterThan(1)
  await waitFor(() => expect(stage.effects.map(({ key }) => key)).toEqual([id]))
})
