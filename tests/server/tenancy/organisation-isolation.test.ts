// Unauthenticated callers, non-members and other organisations reach a row of the endpoint table: by path, header, body
// or query.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
let outsider: ApiUser
let foreignIds: Record<
  'plan' | 'account' | 'initiative' | 'action' | 'template' | 'invite' | 'member' | 'user',
  string
>
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  outsider = await world.createOwner('Outsider')
  foreignIds = {
    plan: await mia.createPlan({ title: 'Secret plan' }),
    account: uuidv7(),
    initiative: uuidv7(),
    action: uuidv7(),
    template: uuidv7(),
    invite: '',
    member: '',
    user: mia.id,
  }
  const { plan: success_plan_id, initiative: initiative_id } = foreignIds
  await mia.post('/api/v1/initiatives', {
    id: initiative_id,
    title: 'Secret step',
    success_plan_id,
  })
  await mia.post('/api/v1/actions', { id: foreignIds.action, title: 'Secret task', initiative_id })
  await mia.post('/api/v1/templates', {
    id: foreignIds.template,
    title: 'Secret way',
    duration_days: 9,
  })
  await mia.post('/api/v1/accounts', { id: foreignIds.account, name: 'Secret account' })
  await mia.post(`/api/v1/success-plans/${foreignIds.plan}/updates`, { body: 'Secret words' })
  const invite = await mia.post('/api/v1/organisation-invites', { email: 'secret@example.com' })
  foreignIds.invite = invite.data<{ id: string }>().id
  const [member] = (await mia.get('/api/v1/organisation-users')).data<{ id: string }[]>()
  foreignIds.member = member?.id ?? ''
})
afterAll(() => world.close())

const UNAUTHENTICATED = { status: 401, body: { message: 'Unauthenticated.' } }
const NOT_FOUND = { status: 404, body: { message: 'Not Found' } }
const NOT_A_MEMBER = { status: 403, body: { message: 'You do not belong to this organisation.' } }
const NO_ORGANISATION = {
  status: 400,
  body: { message: 'X-organisation must be the id of one organisation.' },
}

const rows: [string, Endpoint][] = Object.entries(endpoints)
const guarded = rows.filter(([, row]) => row.who !== 'anyone')
const ofMembers = rows.filter(([, { who }]) => who !== 'anyone' && who !== 'user')
// Users have their own saved views, so that an id of another user’s is free: see saved-views.test.ts.
const byId = ofMembers.filter(([name, row]) => row.path.includes('{') && name !== 'putSavedView')

const BODIES: Record<string, object | ((id: string) => object)> = {
  createAccount: { name: 'Name' },
  createSuccessPlan: { title: 'Title', type: 'project' },
  postPlanUpdate: { body: 'Words' },
  createInitiative: { title: 'Title' },
  createAction: { title: 'Title' },
  updateAction: { id: uuidv7() },
  updateOrganisationUser: (user_id: string) => ({ user_id, role: 'admin' }),
  createOrganisationInvite: { email: 'new@example.com' },
  createSubscription: { plan: 'professional' },
  createTemplate: { title: 'Title', duration_days: 1 },
  deleteOrganisation: { name: 'Name' },
  putSavedView: { name: 'Name', search: 'view=mine' },
}
/** A valid request to that row. */
const requestOf = ([name, row]: [string, Endpoint], id: string) => {
  const body = BODIES[name] ?? {}
  return {
    method: row.method,
    path: row.path.replace(/\{\w+\}/, id) + (name === 'getChanges' ? '?since=0' : ''),
    options: row.body ? { body: typeof body === 'function' ? body(id) : body } : {},
  }
}
const idOf = ([, row]: [string, Endpoint]) =>
  (Object.entries({
    '/accounts': foreignIds.account,
    '/initiatives': foreignIds.initiative,
    '/actions': foreignIds.action,
    '/templates': foreignIds.template,
    '/organisation-invites': foreignIds.invite,
    '/organisation-users/{id}': foreignIds.member,
    '/organisation-users/{user_id}': foreignIds.user,
  }).find(([part]) => row.path.includes(part)) ?? ['', foreignIds.plan])[1]

describe.each(guarded)('%s', (name, row) => {
  test('is rejected without authentication', async () => {
    const { method, path, options } = requestOf([name, row], foreignIds.plan)
    expect((await world.call(method, path, options)).statusAndBody).toEqual(UNAUTHENTICATED)
  })
})

describe.each(ofMembers)('%s', (name, row) => {
  const as = (person: ApiUser, headers: Record<string, string> = {}) => {
    const { method, path, options } = requestOf([name, row], idOf([name, row]))
    return person.call(method, path, { ...options, headers })
  }

  test('is forbidden to an outsider who names the organisation', async () => {
    expect((await as(outsider.inOrganisation(mia.organisation))).statusAndBody).toEqual(
      NOT_A_MEMBER,
    )
  })

  test('is forbidden to an outsider also where the request is malformed', async () => {
    const { method, path } = requestOf([name, row], '1')
    const options = row.body ? { body: '{' } : {}
    const answer = await outsider.inOrganisation(mia.organisation).call(method, path, options)
    expect(answer.statusAndBody).toEqual(NOT_A_MEMBER)
  })

  test('is rejected after a sign-out, whatever organisation it names', async () => {
    for (const id of ['', 'mine', mia.organisation]) {
      const signedOut = await world.createUser('Signed out')
      // Now the server knows the token.
      await signedOut.get('/api/v1/userinfo')
      const { refresh_token } = signedOut.tokens
      await world.call('POST', '/api/v1/revoke', { body: { refresh_token } })
      expect((await as(signedOut.inOrganisation(id))).statusAndBody).toEqual(UNAUTHENTICATED)
    }
  })

  test('an organisation that does not exist is answered like a foreign one', async () => {
    expect((await as(mia.inOrganisation(uuidv7()))).statusAndBody).toEqual(NOT_A_MEMBER)
  })

  test('requires exactly one organisation', async () => {
    expect((await as(mia.inOrganisation(''))).statusAndBody).toEqual(NO_ORGANISATION)
    expect((await as(mia, { 'X-organisation': 'mine' })).statusAndBody).toEqual(NO_ORGANISATION)
    const twice = `${mia.organisation}, ${mia.organisation}`
    expect((await as(mia, { 'X-organisation': twice })).statusAndBody).toEqual(NO_ORGANISATION)
  })
})

describe.each(byId)('%s', (name, row) => {
  test('a foreign record is answered like one that never existed', async () => {
    const foreign = requestOf([name, row], idOf([name, row]))
    const absent = requestOf([name, row], uuidv7())
    const malformed = requestOf([name, row], '1')
    for (const { method, path, options } of [foreign, absent, malformed])
      expect((await outsider.call(method, path, options)).statusAndBody).toEqual(NOT_FOUND)
  })
})

test('a foreign record named in the body is not found', async () => {
  for (const id of [foreignIds.action, uuidv7()])
    expect((await outsider.call('PUT', '/api/v1/actions', { body: { id } })).statusAndBody).toEqual(
      NOT_FOUND,
    )
})

test('a foreign organisation is answered like one that never existed', async () => {
  expect((await outsider.get(`/api/v1/organisations/${mia.organisation}`)).statusAndBody).toEqual(
    NOT_FOUND,
  )
  expect((await outsider.get(`/api/v1/organisations/${uuidv7()}`)).statusAndBody).toEqual(NOT_FOUND)
})

test('lists, counts, searches and changes contain nothing foreign', async () => {
  const paths = [
    '/api/v1/accounts',
    '/api/v1/success-plans',
    '/api/v1/success-plans?filters[title]=Secret',
    `/api/v1/success-plans?filters[account_id]=${foreignIds.account}`,
    `/api/v1/success-plans?filters[owner_id]=${mia.id}`,
    `/api/v1/accounts?filters[owner_id]=${mia.id}`,
    '/api/v1/initiatives',
    `/api/v1/initiatives?filters[success_plan_id]=${foreignIds.plan}`,
    '/api/v1/actions?filters[title]=Secret',
    `/api/v1/actions?filters[initiative_id]=${foreignIds.initiative}`,
    `/api/v1/actions?filters[assignee_id]=${mia.id}`,
    '/api/v1/templates',
  ]
  for (const path of paths) {
    const { json } = await outsider.get(path)
    expect(json).toMatchObject({ data: [], meta: { total: 0 } })
  }
  const everything = await outsider.get('/api/v1/changes?since=0')
  const members = await outsider.get('/api/v1/organisation-users')
  const invites = await outsider.get('/api/v1/organisation-invites')
  const organisations = await outsider.get('/api/v1/organisations')
  for (const { text } of [everything, members, invites, organisations]) {
    expect(text).not.toMatch(/secret/i)
    expect(text).not.toContain(mia.id)
    expect(text).not.toContain(mia.organisation)
  }
})

const REFERENCES: [string, string, () => Record<string, unknown>][] = [
  ['account_id', '/api/v1/success-plans', () => ({ title: 'T', account_id: foreignIds.account })],
  ['owner_id', '/api/v1/success-plans', () => ({ title: 'T', type: 'project', owner_id: mia.id })],
  ['owner_id', '/api/v1/accounts', () => ({ name: 'N', owner_id: mia.id })],
  [
    'success_plan_id',
    '/api/v1/initiatives',
    () => ({ title: 'T', success_plan_id: foreignIds.plan }),
  ],
  ['account_id', '/api/v1/initiatives', () => ({ title: 'T', account_id: foreignIds.account })],
  ['owner_id', '/api/v1/initiatives', () => ({ title: 'T', owner_id: mia.id })],
  ['success_plan_id', '/api/v1/actions', () => ({ title: 'T', success_plan_id: foreignIds.plan })],
  [
    'initiative_id',
    '/api/v1/actions',
    () => ({ title: 'T', initiative_id: foreignIds.initiative }),
  ],
  ['account_id', '/api/v1/actions', () => ({ title: 'T', account_id: foreignIds.account })],
  [
    'template_id',
    '/api/v1/success-plans',
    () => ({ title: 'T', type: 'project', template_id: foreignIds.template }),
  ],
  ['from_success_plan_id', '/api/v1/templates', () => ({ from_success_plan_id: foreignIds.plan })],
  ['assignee_id', '/api/v1/actions', () => ({ title: 'T', assignee_id: mia.id })],
]
test.each(REFERENCES)(
  'a foreign id in a body is not found: %s to %s',
  async (field, path, body) => {
    const answer = await outsider.post(path, body())
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.errors ?? {})).toEqual([field])
  },
)

test('an id used in another organisation can be used here', async () => {
  const made = await outsider.post('/api/v1/success-plans', {
    id: foreignIds.plan,
    title: 'Mine',
    type: 'project',
  })
  expect(made.status).toBe(201)
  expect((await mia.get(`/api/v1/success-plans/${foreignIds.plan}`)).data()).toMatchObject({
    title: 'Secret plan',
  })
})

test('a member cannot delete another member’s record, an admin can', async () => {
  const member = await world.addMember(await world.createUser('Member'), mia.organisation, 'member')
  const admin = await world.addMember(await world.createUser('Admin'), mia.organisation, 'admin')
  const plan = await mia.createPlan()
  const refused = await member.call('DELETE', `/api/v1/success-plans/${plan}`)
  expect(refused.statusAndBody).toEqual({
    status: 403,
    body: { message: 'Only an admin can delete what someone else created.' },
  })
  expect((await member.call('DELETE', `/api/v1/accounts/${foreignIds.account}`)).status).toBe(403)
  expect((await admin.call('DELETE', `/api/v1/success-plans/${plan}`)).status).toBe(204)
  const own = await member.createPlan()
  expect((await member.call('DELETE', `/api/v1/success-plans/${own}`)).status).toBe(204)
})

test('a removed member is rejected from the next call on', async () => {
  const member = await world.addMember(await world.createUser('Member'), mia.organisation, 'member')
  expect((await member.get('/api/v1/success-plans')).status).toBe(200)
  await world.database.system((tx) =>
    tx.deleteFrom('organisation_users').where('user_id', '=', member.id).execute(),
  )
  expect((await member.get('/api/v1/success-plans')).statusAndBody).toEqual(NOT_A_MEMBER)
})

test('read-only fields are ignored', async () => {
  const id = uuidv7()
  const forbidden = {
    organisation_id: outsider.organisation,
    version: 1,
    created_by: outsider.id,
    success_plans_count: 9,
    created_at: '2001-01-01T00:00:00.000Z',
  }
  const made = await mia.post('/api/v1/accounts', { id, name: 'Mine', ...forbidden })
  expect(made.status).toBe(201)
  expect(made.data()).toMatchObject({ created_by: mia.id, success_plans_count: 0 })
  expect(made.data().version).not.toBe(1)
  expect(made.data().created_at).toBe(world.now.toISOString())
  expect((await outsider.get(`/api/v1/accounts/${id}`)).status).toBe(404)
  const profile = await mia.call('PUT', '/api/v1/userinfo', {
    body: { name: 'Mia', superadmin: true, id: outsider.id, password_hash: 'x' },
  })
  expect(profile.data()).toMatchObject({ id: mia.id, superadmin: false })
  expect(profile.text).not.toContain('password')
})
