// An action is moved, and the place that it left goes on counting it; or many are moved, and everybody waits.
import type { KyselyPlugin } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const make = async (path: string, fields: Record<string, unknown>) =>
  (await mia.post(`/api/v1/${path}`, { title: 'Title', ...fields })).data<{ id: string }>().id
const move = async (id: string, fields: Record<string, unknown>) => {
  const moved = await mia.call('PUT', '/api/v1/actions', { body: { id, ...fields } })
  expect(moved.status).toBe(200)
}
const countsOf = async (plan: string) => {
  const { actions_count, actions_done_count, progress, version } = (
    await mia.get(`/api/v1/success-plans/${plan}`)
  ).data<Record<string, number>>()
  return { counts: [actions_count, actions_done_count, progress], version: version ?? 0 }
}
const progressOf = async (initiative: string) =>
  (await mia.get(`/api/v1/initiatives/${initiative}`)).data().progress

/** Two plans that follow their actions; the first has a done action and one to do. */
async function twoPlans() {
  const old = await mia.createPlan({ progress_mode: 'auto' })
  const next = await mia.createPlan({ progress_mode: 'auto' })
  const done = await make('actions', { success_plan_id: old, status: 'done' })
  await make('actions', { success_plan_id: old })
  return { old, next, done }
}

test('an action moved to another plan is counted there, and no more where it was', async () => {
  const { old, next, done } = await twoPlans()
  const before = { old: await countsOf(old), next: await countsOf(next) }
  expect([before.old.counts, before.next.counts]).toEqual([
    [2, 1, 50],
    [0, 0, 0],
  ])
  await move(done, { success_plan_id: next })
  const after = { old: await countsOf(old), next: await countsOf(next) }
  expect([after.old.counts, after.next.counts]).toEqual([
    [1, 0, 0],
    [1, 1, 100],
  ])
  // Other devices hear of both.
  expect(after.old.version).toBeGreaterThan(before.old.version)
  expect(after.next.version).toBeGreaterThan(before.next.version)
})

test('an action moved to another plan’s initiative takes its progress along', async () => {
  const { old, next } = await twoPlans()
  const from = await make('initiatives', { success_plan_id: old })
  const to = await make('initiatives', { success_plan_id: next })
  const action = await make('actions', { initiative_id: from, status: 'done' })
  await make('actions', { initiative_id: from })
  expect([await progressOf(from), await progressOf(to)]).toEqual([50, 0])
  await move(action, { initiative_id: to })
  expect([await progressOf(from), await progressOf(to)]).toEqual([0, 100])
  expect((await countsOf(old)).counts.slice(0, 2)).toEqual([3, 1])
  expect((await countsOf(next)).counts).toEqual([1, 1, 100])
})

test('an action taken out of its initiative stays in the plan', async () => {
  const { old } = await twoPlans()
  const initiative = await make('initiatives', { success_plan_id: old })
  const action = await make('actions', { initiative_id: initiative, status: 'done' })
  await make('actions', { initiative_id: initiative })
  await move(action, { initiative_id: null })
  expect(await progressOf(initiative)).toBe(0)
  expect((await countsOf(old)).counts.slice(0, 2)).toEqual([4, 2])
})

test('an action of an account’s initiative, which belongs to no plan, moves its progress', async () => {
  const account_id = await make('accounts', { name: 'Northwind' })
  const initiative_id = await make('initiatives', { account_id })
  const action = await make('actions', { initiative_id })
  await move(action, { status: 'done' })
  expect(await progressOf(initiative_id)).toBe(100)
})

test('an action is moved to no person and no record outside of the organisation', async () => {
  const outsider = await world.createOwner('Outsider')
  const action = await make('actions', {})
  const foreign = {
    success_plan_id: await outsider.createPlan(),
    initiative_id: uuidv7(),
    account_id: uuidv7(),
    assignee_id: outsider.id,
  }
  await outsider.post('/api/v1/initiatives', { id: foreign.initiative_id, title: 'Theirs' })
  await outsider.post('/api/v1/accounts', { id: foreign.account_id, name: 'Theirs' })
  for (const [field, id] of Object.entries(foreign)) {
    const body = { id: action, [field]: id }
    const answer = await mia.call('PUT', '/api/v1/actions', { body })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.errors ?? {})).toEqual([field])
  }
})

test('an action taken out of its plan is counted nowhere', async () => {
  const { old, done } = await twoPlans()
  await move(done, { success_plan_id: null })
  expect((await countsOf(old)).counts).toEqual([1, 0, 0])
})

/** Moves an initiative with that many actions to another plan; returns the number of statements for that. */
async function moveInitiative(actions: number): Promise<number> {
  const { old, next } = await twoPlans()
  const id = await make('initiatives', { success_plan_id: old })
  for (let count = 0; count < actions; count += 1) await make('actions', { initiative_id: id })
  const { version: since } = (await mia.get('/api/v1/changes?since=0')).json
  let statements = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult({ result }) {
      statements += 1
      return Promise.resolve(result)
    },
  }
  const { database } = world
  const watched: Database = {
    ...database,
    tenant: (organisation, work, ...rest) =>
      database.tenant(organisation, (tx, found) => work(tx.withPlugin(plugin), found), ...rest),
  }
  const moved = await mia
    .atApp(world.appWith({ database: watched }))
    .call('PUT', `/api/v1/initiatives/${id}`, { body: { success_plan_id: next } })
  expect(moved.status, moved.text).toBe(200)
  const changes = await mia.get(`/api/v1/changes?since=${String(since)}`)
  const changed = changes.data<{ actions: { success_plan_id: string; version: number }[] }>()
  expect(changed.actions.map(({ success_plan_id }) => success_plan_id)).toEqual(
    Array.from({ length: actions }, () => next),
  )
  expect(new Set(changed.actions.map(({ version }) => version)).size).toBe(actions)
  return statements
}

test('many actions of an initiative are moved by as few statements as one, each with its version', async () => {
  const one = await moveInitiative(1)
  expect(await moveInitiative(30)).toBe(one)
})
