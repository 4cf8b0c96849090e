import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { StorageFullError } from '../../../src/sync/core/ports.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'
import { idsOfPart } from '../../../src/sync/core/pull/read-parts.ts'
import { fillTable } from './full-table.ts'

const scope = { user_id: 'ann', organisation_id: 'north' }
const otherScope = { user_id: 'ann', organisation_id: 'south' }

afterEach(() => void vi.restoreAllMocks())

test('does not confirm an update without room, so that the form keeps its text', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  fillTable('operations', () => true)
  await expect(postUpdate(tab, 'They signed.')).rejects.toBeInstanceOf(StorageFullError)
  vi.restoreAllMocks()
  expect(await tab.outbox.all()).toEqual([])
})

/** A device with the replicas of both of Ann's organisations and a reserve; `north` is open. */
async function fullDevice(failures: number) {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const replicas = { north: tab.replicaOf(scope), south: tab.replicaOf(otherScope) }
  const open = async (id: 'north' | 'south') => {
    await tab.session.update('ann', { active_organisation: { id } })
    tab.wake()
    await waitFor(async () => expect((await replicas[id].cursor()).whole).toBe(true))
  }
  await postUpdate(tab, 'Posted before.')
  await waitFor(() => expect(stage.storedTexts).toEqual(['Posted before.']))
  await open('south')
  await open('north')
  await waitFor(async () => {
    expect(await replicas.north.partition('success_plan_updates', 'north-1')).toHaveLength(1)
    expect(tab.state.operations.get()).toEqual([])
  })
  await tab.room.fillReserve()
  stage.network = offline
  await tab.pullScheduler.pullAgain()
  const stored = async () => ({
    north: await replicas.north.cursor(),
    plans: (await replicas.north.collection('success_plans'))?.length,
    updates: (await replicas.north.partition('success_plan_updates', 'north-1'))?.length,
    south: await replicas.south.cursor(),
    reserve: await reserveIn(stage),
  })
  const before = await stored()
  expect(before).toMatchObject({ north: { whole: true }, south: { whole: true }, updates: 1 })
  expect(before.reserve).toBeGreaterThan(200_000)
  let attempts = 0
  fillTable('operations', () => (attempts += 1) <= failures)
  return { stage, tab, stored, before }
}

/** Size of the reserve in bytes. */
const reserveIn = (stage: EngineFixture) =>
  stage.store.transact(['cache'], 'readonly', async (tx) => {
    const value = await tx.get('cache', '!reserve-bytes')
    return value instanceof Uint8Array ? value.byteLength : 0
  })

test('the first write without room takes the reserve and no records, and the reserve is filled again', async () => {
  const { stage, tab, stored, before } = await fullDevice(1)
  await postUpdate(tab, 'They signed.')
  expect(await stored()).toEqual({ ...before, reserve: 0 })
  expect(tab.state.roomMade.get()).toBe(null)
  await tab.room.fillReserve()
  expect(await reserveIn(stage)).toBe(before.reserve)
})

test('other organisations are given up before the open one', async () => {
  const { tab, stored, before } = await fullDevice(2)
  await postUpdate(tab, 'They signed.')
  const south = { since: 0, whole: false, synced_at: null, evicted: true }
  expect(await stored()).toEqual({ ...before, reserve: 0, south })
  expect(tab.state.roomMade.get()).toEqual({ made: 'other-organisations' })
  expect(tab.state.downloadState.get().evicted).not.toBe(true)
})

test('the lists of the open organisation stay as long as giving up its partitions is enough', async () => {
  const { stage, tab, stored, before } = await fullDevice(3)
  await postUpdate(tab, 'They signed.')
  expect(await stored()).toMatchObject({
    north: { since: 0, whole: false, evicted: true },
    plans: before.plans,
    updates: undefined,
  })
  expect(tab.state.roomMade.get()).toEqual({ made: 'partitions' })
  await tab.pullScheduler.publishStatus()
  expect(tab.state.downloadState.get()).toMatchObject({ phase: 'first', evicted: true })
  stage.network = (_request, answer) => answer()
  tab.wake()
  await waitFor(async () => {
    expect(stage.storedTexts).toEqual(['Posted before.', 'They signed.'])
    expect(await stored()).toMatchObject({ north: { whole: true }, updates: 2 })
    expect(tab.state.downloadState.get()).toMatchObject({ phase: 'idle' })
  })
  expect(tab.state.downloadState.get().evicted).not.toBe(true)
})

test('what was read of a partition is given up with it, as it may have had more', async () => {
  const { tab } = await fullDevice(3)
  const replica = tab.replicaOf(scope)
  const note = await tab.puller.beginPart(replica, 'success_plan_updates', 'north-1')
  await note(new Set(['read']))
  await postUpdate(tab, 'They signed.')
  expect(await idsOfPart(replica, 'success_plan_updates', 'north-1')).toBe(undefined)
})

test('gives up the open organisation last', async () => {
  const { tab, stored } = await fullDevice(4)
  await postUpdate(tab, 'They signed.')
  expect(await stored()).toMatchObject({ north: { evicted: true }, plans: undefined })
  expect(tab.state.roomMade.get()).toEqual({ made: 'organisation' })
})

test('keeps all replicas when giving them up does not help', async () => {
  const { tab, stored, before } = await fullDevice(Infinity)
  await expect(postUpdate(tab, 'They signed.')).rejects.toBeInstanceOf(StorageFullError)
  expect(await stored()).toEqual({ ...before, reserve: 0 })
  expect(tab.state.roomMade.get()).toBe(null)
})

test('restores nothing that the next user could read', async () => {
  const { stage, tab } = await fullDevice(Infinity)
  const other = await stage.tab()
  const attempted = Promise.allSettled([postUpdate(tab, 'They signed.'), other.signOut('keep')])
  await attempted
  const keys = await stage.store.transact(['cache'], 'readonly', (tx) => tx.keys('cache', ['ann']))
  expect(keys).toEqual([])
})

test('views that the user has named are neither given up for room nor cleared with the downloaded data', async () => {
  const { tab, stored } = await fullDevice(4)
  const replicas = [tab.replicaOf(scope), tab.replicaOf(otherScope)]
  const views = () => Promise.all(replicas.map((replica) => replica.getValue('saved-views')))
  for (const replica of replicas) await replica.setValue('saved-views', ['At risk'])
  await postUpdate(tab, 'They signed.')
  expect((await stored()).plans).toBe(undefined)
  expect(await views()).toEqual([['At risk'], ['At risk']])
  await tab.room.evictReplicas()
  expect(await views()).toEqual([['At risk'], ['At risk']])
})
