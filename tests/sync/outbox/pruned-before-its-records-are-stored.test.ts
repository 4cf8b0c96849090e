// An acknowledged operation leaves the outbox while a record that it changed is not on the device: its
// text or its progress vanishes from the screen.
import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

const UPDATES = 'success_plan_updates'
/** Everything but the updates of one plan. */
const isPull = (url: string) => /\/(changes|accounts|success-plans|initiatives|actions)\?/.test(url)

/** A tab that has posted progress and cannot pull: the update is acknowledged and not on the device. */
async function acknowledgedUpdate(prepare: (stage: EngineFixture) => void) {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  prepare(stage)
  const blocked = { status: 503, headers: {}, text: '' }
  stage.network = ({ method, url }, answer) =>
    method === 'GET' && isPull(url) ? blocked : answer()
  const tab = await stage.signedInTab('ann')
  const path = { id: 'north-1' }
  const body = { id: 'u-1', body: 'They signed.', progress: 40 }
  await tab.enqueue('postPlanUpdate', { path, body })
  await waitFor(async () => expect(await statesOf(tab)).toEqual(['acknowledged']))
  const reconnect = () => void (stage.network = (_request, answer) => answer())
  return { stage, tab, reconnect }
}

const statesOf = async (tab: Engine) => (await tab.outbox.all()).map(({ state }) => state)
const replicaOf = (tab: Engine) => tab.replicaOf({ user_id: 'ann', organisation_id: 'north' })
const openPlan = (tab: Engine) =>
  tab.pullScheduler.pullPartition(replicaOf(tab), UPDATES, 'north-1')
const storedUpdates = async (tab: Engine) =>
  ((await replicaOf(tab).partition(UPDATES, 'north-1')) ?? []).map(({ id }) => id)
const storedProgress = async (tab: Engine) =>
  (await replicaOf(tab).record('success_plans', 'north-1'))?.progress

test('data saver: keeps an update until the updates of its plan have been pulled', async () => {
  const { tab, reconnect } = await acknowledgedUpdate((stage) => {
    stage.dataSaver = true
    stage.server.settings.page = 2
  })
  reconnect()
  for (let pull = 1; pull <= 3; pull += 1) {
    await tab.pullScheduler.pullAgain()
    expect(await storedUpdates(tab)).toEqual([])
    expect(await statesOf(tab)).toEqual(['acknowledged'])
  }
  expect(await openPlan(tab)).toBe(true)
  expect(await storedUpdates(tab)).toEqual(['u-1'])
  expect(await statesOf(tab)).toEqual([])
})

test('data saver: the updates of a deleted plan leave the outbox', async () => {
  const { stage, tab, reconnect } = await acknowledgedUpdate((prepared) => {
    prepared.dataSaver = true
    prepared.server.settings.page = 2
  })
  reconnect()
  await tab.pullScheduler.pullAgain()
  stage.server.deletePlan('north', 'north-1')
  await tab.pullScheduler.pullAgain()
  expect(await statesOf(tab)).toEqual([])
})

test('lists: keeps an update until its plan has been pulled as well, in either order', async () => {
  const { tab, reconnect } = await acknowledgedUpdate((stage) => {
    stage.server.settings.lists_only = true
  })
  expect(await openPlan(tab)).toBe(true)
  expect(await storedProgress(tab)).not.toBe(40)
  expect(await statesOf(tab)).toEqual(['acknowledged'])
  reconnect()
  await tab.pullScheduler.pullAgain()
  expect(await storedProgress(tab)).toBe(40)
  expect(await statesOf(tab)).toEqual([])

  await postUpdate(tab, 'And paid.')
  await waitFor(async () => expect(await statesOf(tab)).toEqual(['acknowledged']))
  await tab.pullScheduler.pullAgain()
  expect(await statesOf(tab)).toEqual(['acknowledged'])
  expect(await openPlan(tab)).toBe(true)
  expect(await statesOf(tab)).toEqual([])
})
