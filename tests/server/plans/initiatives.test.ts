// Initiatives and actions: the effects of completing, moving and deleting them.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { rejection } from '../fixtures/rejection.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 86_400 } })
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const make = async (path: string, fields: Record<string, unknown>) => {
  const made = await mia.post(`/api/v1/${path}`, { title: 'Title', ...fields })
  if (made.status !== 201) throw new Error(`It was refused: ${made.text}`)
  return made.data<{ id: string; version: number; position: number }>()
}
const edit = (id: string, fields: Record<string, unknown>, headers = {}) =>
  mia.call('PUT', '/api/v1/actions', { body: { id, ...fields }, headers })
const editInitiative = (id: string, body: unknown, headers = {}) =>
  mia.call('PUT', `/api/v1/initiatives/${id}`, { body, headers })
const planOf = async (id: string) => (await mia.get(`/api/v1/success-plans/${id}`)).data()
const initiativeOf = async (id: string) => (await mia.get(`/api/v1/initiatives/${id}`)).data()
const actionsOf = async (query: string) =>
  (await mia.get(`/api/v1/actions?${query}`)).data<{ id: string; success_plan_id: string }[]>()

test('a completed action moves its initiative and an auto plan; a cancelled one does not count', async () => {
  const plan = await mia.createPlan({ progress_mode: 'auto' })
  const { id: initiative } = await make('initiatives', { success_plan_id: plan })
  const actions: string[] = []
  for (let count = 0; count < 4; count += 1)
    actions.push((await make('actions', { initiative_id: initiative })).id)
  const [first = '', second = '', third = '', fourth = ''] = actions
  expect(await planOf(plan)).toMatchObject({ actions_count: 4, actions_done_count: 0, progress: 0 })
  await edit(first, { status: 'done' })
  await edit(second, { status: 'in-progress' })
  expect(await initiativeOf(initiative)).toMatchObject({ progress: 31 })
  await edit(third, { status: 'cancelled' })
  expect(await planOf(plan)).toMatchObject({
    actions_count: 3,
    actions_done_count: 1,
    progress: 42,
  })
  await mia.call('DELETE', `/api/v1/actions/${fourth}`)
  expect(await planOf(plan)).toMatchObject({ actions_count: 2, progress: 63 })
  for (const id of [first, second, third]) await mia.call('DELETE', `/api/v1/actions/${id}`)
  expect(await planOf(plan)).toMatchObject({
    actions_count: 0,
    actions_done_count: 0,
    progress: 25,
  })
})

test('a plan in manual mode keeps its progress', async () => {
  const plan = await mia.createPlan({ progress: 10 })
  const { id } = await make('actions', { success_plan_id: plan })
  await edit(id, { status: 'done' })
  expect(await planOf(plan)).toMatchObject({ progress: 10, actions_done_count: 1 })
  await mia.call('PATCH', `/api/v1/success-plans/${plan}`, { body: { progress_mode: 'auto' } })
  expect(await planOf(plan)).toMatchObject({ progress: 100 })
})

test('an update without progress does not reset an auto plan', async () => {
  const plan = await mia.createPlan()
  await mia.post(`/api/v1/success-plans/${plan}/updates`, { body: 'By hand', progress: 80 })
  await mia.call('PATCH', `/api/v1/success-plans/${plan}`, { body: { progress_mode: 'auto' } })
  const { id } = await make('actions', { success_plan_id: plan, status: 'in-progress' })
  expect(await planOf(plan)).toMatchObject({ progress: 25 })
  await mia.post(`/api/v1/success-plans/${plan}/updates`, { body: 'Only words' })
  expect(await planOf(plan)).toMatchObject({ progress: 25 })
  await edit(id, { status: 'done' })
  expect(await planOf(plan)).toMatchObject({ progress: 100 })
})

test('a completed plan keeps its progress, and follows its actions again when reopened', async () => {
  const plan = await mia.createPlan({ status: 'in-progress', progress_mode: 'auto' })
  const { id } = await make('actions', { success_plan_id: plan })
  const url = `/api/v1/success-plans/${plan}`
  await mia.call('PATCH', url, { body: { status: 'completed', outcome: 'achieved' } })
  await edit(id, { status: 'in-progress' })
  expect(await planOf(plan)).toMatchObject({ progress: 100 })
  await mia.call('PATCH', url, { body: { status: 'in-progress' } })
  expect(await planOf(plan)).toMatchObject({ progress: 25 })
})

test('an action belongs to its initiative’s plan and moves with it', async () => {
  const [from, to] = [await mia.createPlan(), await mia.createPlan()]
  const { id: initiative } = await make('initiatives', { success_plan_id: from })
  const { id: action } = await make('actions', { initiative_id: initiative, status: 'done' })
  expect(await actionsOf(`filters[initiative_id]=${initiative}`)).toMatchObject([
    { id: action, success_plan_id: from },
  ])
  expect((await edit(action, { success_plan_id: to })).statusAndBody).toEqual(
    rejection('initiative_id', 'This initiative belongs to another success plan.'),
  )
  await editInitiative(initiative, { success_plan_id: to })
  expect(await actionsOf(`filters[success_plan_id]=${to}`)).toMatchObject([{ id: action }])
  expect(await planOf(from)).toMatchObject({ actions_count: 0, actions_done_count: 0 })
  expect(await planOf(to)).toMatchObject({ actions_count: 1, actions_done_count: 1 })
  const out = await edit(action, { initiative_id: null })
  expect(out.data()).toMatchObject({ initiative_id: null, success_plan_id: to })
  expect((await initiativeOf(initiative)).progress).toBe(100)
})

test('an initiative has the status transitions of a plan', async () => {
  const { id } = await make('initiatives', {})
  expect((await editInitiative(id, { status: 'completed' })).statusAndBody).toEqual(
    rejection('status', 'An initiative that is planned cannot become completed.'),
  )
  await editInitiative(id, { status: 'in-progress' })
  const done = await editInitiative(id, { status: 'completed' })
  expect(done.data()).toMatchObject({ status: 'completed', progress: 100 })
  expect((await editInitiative(id, { start_date: '2026-05-01' })).status).toBe(200)
  expect((await editInitiative(id, { end_date: '2026-04-30' })).statusAndBody).toEqual(
    rejection('end_date', 'The end date must not be before the start date.'),
  )
})

test('new records are placed last, and a move changes one record', async () => {
  const plan = await mia.createPlan()
  const { id: initiative } = await make('initiatives', { success_plan_id: plan })
  const made = []
  for (let count = 0; count < 3; count += 1)
    made.push(await make('actions', { initiative_id: initiative }))
  const [first, second, third] = made
  expect(made.map(({ position }) => position)).toEqual([1, 2, 3])
  await edit(third?.id ?? '', { position: 1.5 })
  const order = await actionsOf(`filters[initiative_id]=${initiative}`)
  expect(order.map(({ id }) => id)).toEqual([first?.id, third?.id, second?.id])
  const last = await make('initiatives', { success_plan_id: plan })
  expect(last.position).toBe(2)
})

test('records created offline keep their order, whichever arrives first', async () => {
  const { id: initiative } = await make('initiatives', {})
  const second = await make('actions', { initiative_id: initiative, position: 2 })
  const first = await make('actions', { initiative_id: initiative, position: 1 })
  const order = await actionsOf(`filters[initiative_id]=${initiative}`)
  expect(order.map(({ id }) => id)).toEqual([first.id, second.id])
  expect((await make('initiatives', { position: 7.5 })).position).toBe(7.5)
})

test('an action completed offline keeps its time; reopening clears it', async () => {
  const { id } = await make('actions', {})
  const monday = '2026-03-01T10:00:00.000Z'
  const done = await edit(id, { status: 'done', completed_at: monday })
  expect(done.data()).toMatchObject({ status: 'done', completed_at: monday })
  expect((await edit(id, { title: 'Renamed' })).data()).toMatchObject({ completed_at: monday })
  const repeated = await edit(id, { status: 'todo', completed_at: monday })
  expect(repeated.data()).toMatchObject({ status: 'todo', completed_at: null })
  const ahead = await edit(id, { status: 'done', completed_at: '2031-01-01T00:00:00Z' })
  expect(ahead.data()).toMatchObject({ completed_at: world.now.toISOString() })
})

test('deleting a plan deletes its initiatives and actions and reports each to devices', async () => {
  const plan = await mia.createPlan()
  const { id: initiative } = await make('initiatives', { success_plan_id: plan })
  const { id: inside } = await make('actions', { initiative_id: initiative })
  const { id: direct } = await make('actions', { success_plan_id: plan })
  const { version } = (await mia.get('/api/v1/changes?since=0')).json
  await mia.call('DELETE', `/api/v1/success-plans/${plan}`)
  const { data } = (await mia.get(`/api/v1/changes?since=${String(version)}`)).json
  const { deleted } = data as { deleted: unknown[] }
  expect(deleted).toHaveLength(4)
  expect(deleted).toEqual(
    expect.arrayContaining([
      { type: 'actions', id: inside },
      { type: 'actions', id: direct },
      { type: 'initiatives', id: initiative },
      { type: 'success_plans', id: plan },
    ]),
  )
})

test('deleting an initiative deletes its actions and updates the plan’s count', async () => {
  const plan = await mia.createPlan()
  const { id: initiative } = await make('initiatives', { success_plan_id: plan })
  await make('actions', { initiative_id: initiative })
  expect((await mia.call('DELETE', `/api/v1/initiatives/${initiative}`)).status).toBe(204)
  expect(await actionsOf(`filters[success_plan_id]=${plan}`)).toEqual([])
  expect(await planOf(plan)).toMatchObject({ actions_count: 0 })
})

test('an account with initiatives or actions is not deleted', async () => {
  const account_id = uuidv7()
  await mia.post('/api/v1/accounts', { id: account_id, name: 'Account' })
  const { id: initiative } = await make('initiatives', { account_id })
  const { id: action } = await make('actions', { account_id })
  const remove = () => mia.call('DELETE', `/api/v1/accounts/${account_id}`)
  expect((await remove()).statusAndBody).toEqual(
    rejection('id', 'Delete the initiatives of this account first.'),
  )
  await mia.call('DELETE', `/api/v1/initiatives/${initiative}`)
  expect((await remove()).statusAndBody).toEqual(
    rejection('id', 'Delete the actions of this account first.'),
  )
  await mia.call('DELETE', `/api/v1/actions/${action}`)
  expect((await remove()).status).toBe(204)
})

test('a member cannot delete another’s initiative or action', async () => {
  const member = await world.addMember(await world.createUser('Max'), mia.organisation, 'member')
  const { id: initiative } = await make('initiatives', {})
  const { id: action } = await make('actions', {})
  for (const path of [`/api/v1/initiatives/${initiative}`, `/api/v1/actions/${action}`])
    expect((await member.call('DELETE', path)).statusAndBody).toEqual({
      status: 403,
      body: { message: 'Only an admin can delete what someone else created.' },
    })
})

test('a stale edit or deletion is rejected with the present record', async () => {
  const { id: initiative, version } = await make('initiatives', {})
  const stale = { 'If-Match': `"${version}"` }
  await editInitiative(initiative, { title: 'Two' })
  const action = await make('actions', {})
  const staleAction = { 'If-Match': `"${action.version}"` }
  await edit(action.id, { title: 'Two' })
  const answers = [
    await editInitiative(initiative, { title: 'Three' }, stale),
    await mia.call('DELETE', `/api/v1/initiatives/${initiative}`, { headers: stale }),
    await edit(action.id, { title: 'Three' }, staleAction),
    await mia.call('DELETE', `/api/v1/actions/${action.id}`, { headers: staleAction }),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(412)
    expect(answer.data()).toMatchObject({ title: 'Two' })
  }
})

test('an initiative or action sent twice is created once', async () => {
  for (const path of ['initiatives', 'actions']) {
    const body = { id: uuidv7(), title: 'Made offline' }
    const first = await mia.post(`/api/v1/${path}`, body)
    const repeated = await mia.post(`/api/v1/${path}`, body)
    expect([first.status, repeated.status]).toEqual([201, 200])
    expect(repeated.data()).toEqual(first.data())
  }
})

test.each([
  ['actions', { status: 'finished' }, 'status'],
  ['actions', { priority: 'urgent' }, 'priority'],
  ['actions', { due_date: '2026-02-30' }, 'due_date'],
  ['actions', { assignee_contact: { name: '' } }, 'assignee_contact.name'],
  [
    'actions',
    { assignee_contact: { name: 'A', email: 'not-an-address' } },
    'assignee_contact.email',
  ],
  ['actions', { completed_at: 'yesterday' }, 'completed_at'],
  ['actions', { title: 'x'.repeat(256) }, 'title'],
  ['initiatives', { status: 'completed' }, 'status'],
  ['initiatives', { start_date: '2026-05-01', end_date: '2026-04-30' }, 'end_date'],
  ['initiatives', { health: 'fine' }, 'health'],
])('%s with %j are rejected at the field', async (path, fields, field) => {
  const answer = await mia.post(`/api/v1/${path}`, { title: 'Title', ...fields })
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.json.errors ?? {})).toEqual([field])
})

test.each([1e10, -1e10, null, '1'])('a position of %s is rejected', async (position) => {
  const { id } = await make('actions', {})
  const answer = await edit(id, { position })
  expect(Object.keys(answer.json.errors ?? {})).toEqual(['position'])
})

test('each new action of an account, which belongs to no plan, comes behind the last one', async () => {
  const account = await make('accounts', { name: 'Northwind' })
  const first = await make('actions', { account_id: account.id })
  const second = await make('actions', { account_id: account.id })
  expect(second.position).toBe(first.position + 1)
})
