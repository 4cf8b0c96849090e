// What is saved has to be sent, and can be changed, though the device has become full since.
import { IDBObjectStore } from 'fake-indexeddb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { engineTable } from '../../../contract/engine-table.ts'
import { product } from '../../../src/app/boot/product.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

type Put = IDBObjectStore['put']
type Delete = IDBObjectStore['delete']

const scope = { user_id: 'ann', organisation_id: 'north' }
const plan = { id: 'north-1', version: 1, title: 'First' }
const input = { path: { id: 'north-1' }, body: { title: 'Second' } }

afterEach(() => void vi.restoreAllMocks())

/** Makes each put of operations and records fail until that key is deleted. */
function fillUntilGone(isRoom: (key: unknown) => boolean) {
  let isFull = true
  const put: Put = Reflect.get(IDBObjectStore.prototype, 'put')
  const remove: Delete = Reflect.get(IDBObjectStore.prototype, 'delete')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function full(
    this: IDBObjectStore,
    ...args: Parameters<Put>
  ) {
    if (isFull && ['operations', 'cache'].includes(this.name))
      throw new DOMException('Full.', 'QuotaExceededError')
    return put.apply(this, args)
  })
  vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(function freeing(
    this: IDBObjectStore,
    ...args: Parameters<Delete>
  ) {
    if (isRoom(args[0])) isFull = false
    return remove.apply(this, args)
  })
}

const isReserve = (key: unknown) => key === '!reserve-bytes'

/** A device with a replica, on which updates of two plans wait for the network. */
async function device() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const replica = tab.replicaOf(scope)
  await waitFor(async () => expect((await replica.cursor()).whole).toBe(true))
  const { network } = stage
  stage.network = offline
  await tab.pullScheduler.pullAgain()
  for (const number of [1, 2]) await postUpdate(tab, `Update ${number}`, `north-${number}`)
  await waitFor(() => expect(tab.state.connection.get()).toBe('offline'))
  const reconnect = () => {
    stage.network = network
    tab.wake()
  }
  return { stage, tab, replica, network, reconnect }
}

const expectSent = (stage: EngineFixture) =>
  waitFor(() => expect(stage.storedTexts.toSorted()).toEqual(['Update 1', 'Update 2']))

test('saved work is sent: the reserve is given up, and nothing else', async () => {
  const { stage, tab, replica, reconnect } = await device()
  await tab.room.fillReserve()
  fillUntilGone(isReserve)
  reconnect()
  await expectSent(stage)
  expect(tab.state.roomMade.get()).toBeNull()
  expect((await replica.cursor()).evicted).toBeUndefined()
})

test('saved work is sent: without a reserve the replica is given up', async () => {
  const { stage, tab, reconnect } = await device()
  fillUntilGone((key) => Array.isArray(key) && key[2] === 'success_plans')
  reconnect()
  await expectSent(stage)
  expect(tab.state.roomMade.get()).toEqual({ made: 'organisation' })
})

test('the service worker gives up the reserve to send saved work', async () => {
  const { stage, tab, network } = await device()
  await tab.room.fillReserve()
  stage.closeTabs()
  stage.network = network
  fillUntilGone(isReserve)
  await replayInBackground(
    stage.ports(),
    { ...engineTable.token, client: async () => ({ client_id: 'app' }) },
    { last: false, sleep: async () => {}, signal: new Cancellation(), reads: product },
  )
  await expectSent(stage)
})

test('what is freed for one write serves those that failed at the same time', async () => {
  const { tab, replica } = await device()
  await tab.room.fillReserve()
  fillUntilGone(isReserve)
  await Promise.all(
    ['They signed.', 'They paid.', 'They stay.'].map((text) => postUpdate(tab, text)),
  )
  expect(tab.state.roomMade.get()).toBeNull()
  expect((await replica.cursor()).evicted).toBeUndefined()
  expect(await tab.outbox.all()).toHaveLength(5)
})

const failed = { status: 422, message: 'No.' }
const question = { error: failed, theirs: { ...plan, version: 2, title: 'Theirs' } }
const ask = (tab: Engine, id: string) =>
  tab.outbox.conflicts.rebase({ id, base: { version: plan.version, fields: {} } }, question)
const asked = async (tab: Engine) => (await tab.outbox.all()).find(({ conflict }) => conflict)

test.for<
  [
    name: string,
    prepare: (tab: Engine, id: string) => unknown,
    change: (tab: Engine, id: string) => unknown,
  ]
>([
  ['sent again', (tab, id) => tab.outbox.reject(id, failed), (tab, id) => tab.outbox.retry(id)],
  ['edited', () => undefined, (tab, id) => tab.outbox.edit(id, { title: 'Third' })],
  [
    'sent at once',
    (tab, id) =>
      tab.outbox.update(id, (one) => ({ ...one, attempts: 1, not_before: Date.now() + 60_000 })),
    (tab) => tab.sendNow(true),
  ],
  ['discarded', () => undefined, (tab, id) => tab.outbox.discard(id)],
  ['put to its author', () => undefined, ask],
  [
    'decided',
    ask,
    async (tab) => tab.outbox.conflicts.resolve((await asked(tab)) ?? { id: '' }, ['title']),
  ],
])('an edit can be %s', async ([, prepare, change]) => {
  const { tab } = await device()
  await tab.room.fillReserve()
  const { id } = await tab.enqueue('updateSuccessPlan', input, plan)
  await prepare(tab, id)
  const before = await tab.outbox.all()
  fillUntilGone(isReserve)
  await change(tab, id)
  expect(await tab.outbox.all()).not.toEqual(before)
})
