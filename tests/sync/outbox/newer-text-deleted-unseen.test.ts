// A deletion that waited takes away what someone else has written meanwhile, or asks about one's own changes.
import { expect, onTestFinished, test } from 'vitest'
import { random } from '../../../src/sync/browser/web-ports.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { readSent } from '../../../src/sync/core/sent-log.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

const PLAN = 'north-1'
const path = { id: PLAN }

/** Ann’s tab, and the plan as she has seen it. */
async function signedIn() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const online = stage.network
  const plans = stage.server.tenants.get('north')?.records.success_plans
  const seen = { ...plans?.get(PLAN) }
  const bobEdits = (fields: object) =>
    stage.server.editPlan('north', PLAN, { ...fields }, Date.now())
  const reconnect = () => {
    stage.network = online
    tab.wake()
  }
  const deletions = () => stage.requests.filter(({ method }) => method === 'DELETE')
  return { stage, tab, seen, bobEdits, reconnect, deletions, isStored: () => plans?.has(PLAN) }
}

const deletePlan = (tab: Engine, seen: object) =>
  tab.enqueue('deleteSuccessPlan', { path, body: { title: 'A plan' } }, { ...seen })
const edit = (tab: Engine, body: object, seen: object) =>
  tab.enqueue('updateSuccessPlan', { path, body }, { ...seen })
const isEmpty = (tab: Engine) => waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
const question = async (tab: Engine) => (await tab.outbox.all()).find(({ conflict }) => conflict)
const isAsked = (tab: Engine, fields: readonly string[]) =>
  waitFor(async () => expect((await question(tab))?.conflict?.fields).toEqual(fields))

async function answer(tab: Engine, deletes: boolean): Promise<void> {
  const asked = await question(tab)
  const kept = deletes ? (asked?.conflict?.fields ?? []) : []
  await tab.outbox.conflicts.resolve(asked ?? { id: '' }, kept)
  await tab.outboxChanged()
}

test('asks before it deletes what another person has changed, and says who', async () => {
  const { stage, tab, seen, bobEdits, reconnect, isStored } = await signedIn()
  stage.network = offline
  await deletePlan(tab, seen)
  bobEdits({ title: 'Newer', description: 'Newer too' })
  reconnect()
  await isAsked(tab, ['title', 'description'])
  expect(await question(tab)).toMatchObject({
    state: 'attention',
    base: { fields: { title: PLAN } },
    conflict: { theirs: { title: 'Newer' }, changed_by: { title: 'another' } },
  })
  expect(isStored()).toBe(true)

  await answer(tab, true)
  await isEmpty(tab)
  expect(isStored()).toBe(false)
  // It is no value that could be copied, and was merged with nothing.
  expect(await readSent(stage.store, 'ann', Date.now())).toMatchObject([{ merged: false }])
})

test('keeps the record when its author decides so', async () => {
  const { stage, tab, seen, bobEdits, reconnect, deletions, isStored } = await signedIn()
  stage.network = offline
  await deletePlan(tab, seen)
  bobEdits({ title: 'Newer' })
  reconnect()
  await isAsked(tab, ['title'])
  await answer(tab, false)
  await isEmpty(tab)
  await postUpdate(tab, 'It goes on.')
  await isEmpty(tab)
  expect(isStored()).toBe(true)
  expect(deletions()).toHaveLength(1)
  expect(await readSent(stage.store, 'ann', Date.now())).toMatchObject([
    { endpoint: 'postPlanUpdate' },
  ])
})

test('asks no longer when another deletion of the record has arrived', async () => {
  const { stage, tab, seen, bobEdits, reconnect, isStored } = await signedIn()
  stage.network = offline
  await deletePlan(tab, seen)
  bobEdits({ title: 'Newer' })
  reconnect()
  await isAsked(tab, ['title'])
  await deletePlan(tab, {
    ...seen,
    ...stage.server.tenants.get('north')?.records.success_plans?.get(PLAN),
  })
  await isEmpty(tab)
  expect(isStored()).toBe(false)
})

test('asks again about what is changed after the question', async () => {
  const { stage, tab, seen, bobEdits, reconnect, isStored } = await signedIn()
  stage.network = offline
  await deletePlan(tab, seen)
  bobEdits({ title: 'Newer' })
  reconnect()
  await isAsked(tab, ['title'])
  bobEdits({ description: 'Newest' })
  await answer(tab, true)
  await isAsked(tab, ['description'])
  expect(isStored()).toBe(true)
  await answer(tab, true)
  await isEmpty(tab)
  expect(isStored()).toBe(false)
})

test('asks nothing about own edits, sent or waiting, and about an own update', async () => {
  const { stage, tab, seen, reconnect, isStored } = await signedIn()
  await edit(tab, { title: 'First' }, seen)
  await isEmpty(tab)
  stage.network = offline
  // The screen still shows the record as it was before the first edit.
  const shown = { ...seen, title: 'First', description: 'Second' }
  await edit(tab, { description: 'Second' }, { ...seen, title: 'First' })
  await postUpdate(tab, 'Third')
  await tab.enqueue(
    'postPlanUpdate',
    { path, body: { id: random.id(), body: 'Fourth', progress: 30 } },
    { ...shown },
  )
  await deletePlan(tab, { ...shown, progress: 30 })
  reconnect()
  await isEmpty(tab)
  expect(isStored()).toBe(false)
  expect(stage.storedTexts.slice(0, 4)).toEqual(['First', 'Second', 'Third', 'Fourth'])
})

test('asks nothing about what follows from other records', async () => {
  const { stage, tab, seen, reconnect, isStored } = await signedIn()
  stage.network = offline
  await deletePlan(tab, seen)
  const tenant = stage.server.tenants.get('north')
  tenant?.derive('success_plans', { ...seen, id: PLAN, actions_count: 1 })
  reconnect()
  await isEmpty(tab)
  expect(isStored()).toBe(false)
})

test('asks about an update that another person has posted, also between own edits', async () => {
  const { stage, tab, seen, reconnect, isStored } = await signedIn()
  stage.network = offline
  await edit(tab, { title: 'First' }, seen)
  await deletePlan(tab, { ...seen, title: 'First' })
  const tenant = stage.server.tenants.get('north')
  const plan = tenant?.records.success_plans.get(PLAN)
  if (!tenant || !plan) throw new Error('There is no such plan.')
  const news = { id: 'news', user_id: 'bob', body: 'News', progress: undefined, health: undefined }
  tenant.postUpdate(plan, { ...news, written_at: new Date().toISOString() }, Date.now())
  reconnect()
  await isAsked(tab, ['success_plan_updates'])
  expect((await question(tab))?.conflict?.changed_by).toMatchObject({ success_plan_updates: 'bob' })
  expect(isStored()).toBe(true)
  await answer(tab, true)
  await isEmpty(tab)
  expect(isStored()).toBe(false)
})

test('compares the values where the server does not tell who set them', async () => {
  const { stage, tab, seen, bobEdits, reconnect, isStored } = await signedIn()
  stage.network = offline
  await deletePlan(tab, seen)
  stage.server.moveToNewDatabase()
  bobEdits({ description: 'Newer' })
  stage.server.moveToNewDatabase()
  reconnect()
  await isAsked(tab, ['description'])
  await answer(tab, true)
  await isEmpty(tab)
  expect(isStored()).toBe(false)
})

test('an edit that is discarded is no longer what its author saw', async () => {
  const { stage, tab, seen, reconnect, isStored } = await signedIn()
  stage.network = offline
  const first = await edit(tab, { title: 'First' }, seen)
  await deletePlan(tab, { ...seen, title: 'First' })
  await tab.outbox.discard(first.id)
  stage.server.moveToNewDatabase()
  reconnect()
  await isEmpty(tab)
  expect(isStored()).toBe(false)
})

test('asks again about what only the question of a later edit has shown', async () => {
  const { stage, tab, seen, bobEdits, reconnect, isStored } = await signedIn()
  stage.network = offline
  await deletePlan(tab, seen)
  bobEdits({ title: 'Newer' })
  reconnect()
  await isAsked(tab, ['title'])
  bobEdits({ description: 'Newest' })
  await edit(tab, { description: 'Later' }, seen)
  const questions = async () => (await tab.outbox.all()).filter(({ conflict }) => conflict)
  await waitFor(async () => expect(await questions()).toHaveLength(2))
  for (const asked of await questions())
    await tab.outbox.conflicts.resolve(asked, asked.conflict?.fields ?? [])
  await tab.outboxChanged()
  await isAsked(tab, ['description'])
  expect(isStored()).toBe(true)
  await answer(tab, true)
  await waitFor(() => expect(isStored()).toBe(false))
})

test('asks again about what only a later edit has shown that was discarded since', async () => {
  const { stage, tab, seen, bobEdits, reconnect, isStored } = await signedIn()
  stage.network = offline
  await deletePlan(tab, seen)
  bobEdits({ title: 'Newer' })
  reconnect()
  await isAsked(tab, ['title'])
  bobEdits({ description: 'Newest' })
  stage.network = offline
  const later = await edit(tab, { description: 'Later' }, { ...seen, description: 'Newest' })
  await tab.outbox.discard(later.id, true)
  await answer(tab, true)
  reconnect()
  await isAsked(tab, ['description'])
  expect(isStored()).toBe(true)
  await answer(tab, true)
  await isEmpty(tab)
  expect(isStored()).toBe(false)
})
