// No one takes over the work of a member who leaves, or updates lose the name of their author.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { rejection } from '../fixtures/rejection.ts'

let world: ApiFixture
let olga: ApiUser
let jonas: ApiUser
let heir: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 30 * 86_400 } })
})
beforeEach(async () => {
  olga = await world.createOwner('Olga')
  const join = async (name: string) =>
    world.addMember(await world.verify(await world.createUser(name)), olga.organisation, 'member')
  jonas = await join('Jonas')
  heir = await join('Hana')
})
afterAll(() => world.close())

const USERS = '/api/v1/organisation-users'
const membershipOf = async (person: ApiUser) =>
  (await olga.get(USERS))
    .data<{ id: string; user_id: string }[]>()
    .find(({ user_id }) => user_id === person.id)?.id ?? ''
const removeJonas = async (heir_id?: string, by = olga) =>
  by.call(
    'DELETE',
    `${USERS}/${await membershipOf(jonas)}${heir_id === undefined ? '' : `?heir_id=${heir_id}`}`,
  )
const newestVersion = async () => (await olga.get('/api/v1/changes?since=0')).json.version
const changesSince = async (version: unknown) =>
  (await olga.get(`/api/v1/changes?since=${String(version)}`)).json.data as Record<
    string,
    { id: string; version: number }[]
  >

/** A plan, an account, an initiative and actions in all states, all of Jonas. */
async function givesJonasWork() {
  const ids = { account: uuidv7(), initiative: uuidv7(), plan: await jonas.createPlan() }
  await jonas.post('/api/v1/accounts', { id: ids.account, name: 'A', owner_id: jonas.id })
  const step = { id: ids.initiative, title: 'I', success_plan_id: ids.plan, owner_id: jonas.id }
  await jonas.post('/api/v1/initiatives', step)
  const actions: Record<string, string> = {}
  for (const status of ['todo', 'in-progress', 'done', 'cancelled']) {
    const id = uuidv7()
    const action = { id, title: status, initiative_id: ids.initiative, assignee_id: jonas.id }
    await jonas.post('/api/v1/actions', action)
    await jonas.call('PUT', '/api/v1/actions', { body: { id, status } })
    actions[status] = id
  }
  return { ...ids, actions }
}

test('the heir takes over plans, accounts, initiatives and open actions in one step', async () => {
  const { plan, account, initiative, actions } = await givesJonasWork()
  const before = await newestVersion()
  expect((await removeJonas(heir.id)).status).toBe(204)
  const data = await changesSince(before)
  expect(data).toMatchObject({
    success_plans: [{ id: plan, owner_id: heir.id, created_by: jonas.id }],
    accounts: [{ id: account, owner_id: heir.id }],
    initiatives: [{ id: initiative, owner_id: heir.id }],
  })
  const assignees = Object.fromEntries(
    (data.actions ?? []).map((action) => [
      action.id,
      (action as { assignee_id?: unknown }).assignee_id,
    ]),
  )
  expect(assignees).toEqual({
    [actions['todo'] ?? '']: heir.id,
    [actions['in-progress'] ?? '']: heir.id,
    [actions['done'] ?? '']: null,
    [actions['cancelled'] ?? '']: null,
  })
})

test('a member who leaves names the heir in the same call', async () => {
  const { plan } = await givesJonasWork()
  const body = { organisation_id: olga.organisation, heir_id: heir.id }
  expect((await jonas.post('/api/v1/leave-organisation', body)).status).toBe(204)
  expect((await heir.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({
    owner_id: heir.id,
  })
})

test('an heir who is no other member is rejected, and nothing changes', async () => {
  const { plan } = await givesJonasWork()
  const outsider = await world.createOwner('Outsider')
  for (const id of [outsider.id, uuidv7()])
    expect((await removeJonas(id)).statusAndBody).toEqual(
      rejection('heir_id', 'Choose a member of the organisation.'),
    )
  expect((await removeJonas(jonas.id)).statusAndBody).toEqual(
    rejection('heir_id', 'Choose another member.'),
  )
  expect((await removeJonas('everybody')).status).toBe(422)
  const body = { organisation_id: olga.organisation, heir_id: jonas.id }
  expect((await jonas.post('/api/v1/leave-organisation', body)).status).toBe(422)
  expect((await jonas.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({
    owner_id: jonas.id,
  })
  expect((await removeJonas(heir.id, heir)).status).toBe(403)
})

test('the name of a former member stays readable for members only', async () => {
  const { plan } = await givesJonasWork()
  await jonas.post(`/api/v1/success-plans/${plan}/updates`, { body: 'My words' })
  const before = await newestVersion()
  await removeJonas(heir.id)
  const name = { user_id: jonas.id, name: 'Jonas', left_at: world.now.toISOString() }
  expect((await changesSince(before)).former_members).toMatchObject([name])
  const list = await heir.get('/api/v1/former-members')
  expect(list.data()).toMatchObject([name])
  expect(list.text).not.toContain(jonas.email)
  expect((await jonas.get('/api/v1/former-members')).status).toBe(403)
  const outsider = await world.createOwner('Outsider')
  expect((await outsider.get('/api/v1/former-members')).data()).toEqual([])
})

test('former members are found by a part of their name', async () => {
  await removeJonas(heir.id)
  const found = async (text: string) =>
    (await olga.get(`/api/v1/former-members?filters[title]=${text}`)).data<{ name: string }[]>()
  expect((await found('ona')).map(({ name }) => name)).toEqual(['Jonas'])
  expect(await found('hana')).toEqual([])
})

test('deleting the account deletes the name everywhere, also where the membership had ended', async () => {
  await removeJonas(heir.id)
  const elsewhere = await world.createOwner('Elsewhere')
  await world.addMember(jonas, elsewhere.organisation, 'member')
  const [kept] = (await olga.get('/api/v1/former-members')).data<{ id: string }[]>()
  const before = await newestVersion()
  expect((await jonas.call('DELETE', '/api/v1/userinfo')).status).toBe(204)
  for (const person of [olga, elsewhere])
    expect((await person.get('/api/v1/former-members')).data()).toEqual([])
  expect((await changesSince(before)).deleted).toEqual([{ type: 'former_members', id: kept?.id }])
})
