// Nobody, a stranger, another organisation: on every row of the table, by path, header, body and query.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { World, type Person } from './world.ts'

let world: World
let mia: Person
let stranger: Person
let theirs: Record<
  'plan' | 'account' | 'initiative' | 'action' | 'template' | 'invite' | 'member' | 'user',
  string
>
beforeAll(async () => {
  world = await World.open()
  mia = await world.owner('Mia')
  stranger = await world.owner('Stranger')
  theirs = {
    plan: await mia.plan({ title: 'Secret plan' }),
    account: uuidv7(),
    initiative: uuidv7(),
    action: uuidv7(),
    template: uuidv7(),
    invite: '',
    member: '',
    user: mia.id,
  }
  const { plan: success_plan_id, initiative: initiative_id } = theirs
  await mia.post('/api/v1/initiatives', {
    id: initiative_id,
    title: 'Secret step',
    success_plan_id,
  })
  await mia.post('/api/v1/actions', { id: theirs.action, title: 'Secret task', initiative_id })
  await mia.post('/api/v1/templates', {
    id: theirs.template,
    title: 'Secret way',
    duration_days: 9,
  })
  await mia.post('/api/v1/accounts', { id: theirs.account, name: 'Secret account' })
  await mia.post(`/api/v1/success-plans/${theirs.plan}/updates`, { body: 'Secret words' })
  const invite = await mia.post('/api/v1/organisation-invites', { email: 'secret@example.com' })
  theirs.invite = invite.data<{ id: string }>().id
  const [member] = (await mia.get('/api/v1/organisation-users')).data<{ id: string }[]>()
  theirs.member = member?.id ?? ''
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
const byId = ofMembers.filter(([, row]) => row.path.includes('{'))

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
}
/** A request of that row with valid input. */
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
    '/accounts': theirs.account,
    '/initiatives': theirs.initiative,
    '/actions': theirs.action,
    '/templates': theirs.template,
    '/organisation-invites': theirs.invite,
    '/organisation-users/{id}': theirs.member,
    '/organisation-users/{user_id}': theirs.user,
  }).find(([part]) => row.path.includes(part)) ?? ['', theirs.plan])[1]

describe.each(guarded)('%s', (name, row) => {
  test('does nothing for nobody', async () => {
    const { method, path, options } = requestOf([name, row], theirs.plan)
    expect((await world.call(method, path, options)).all).toEqual(UNAUTHENTICATED)
  })
})

describe.each(ofMembers)('%s', (name, row) => {
  const as = (person: Person, headers: Record<string, string> = {}) => {
    const { method, path, options } = requestOf([name, row], idOf([name, row]))
    return person.call(method, path, { ...options, headers })
  }

  test('is forbidden to a stranger who names the organisation', async () => {
    expect((await as(stranger.in(mia.organisation))).all).toEqual(NOT_A_MEMBER)
  })

  test('an organisation that does not exist answers like one of others', async () => {
    expect((await as(mia.in(uuidv7()))).all).toEqual(NOT_A_MEMBER)
  })

  test('wants exactly one organisation', async () => {
    expect((await as(mia.in(''))).all).toEqual(NO_ORGANISATION)
    expect((await as(mia, { 'X-organisation': 'mine' })).all).toEqual(NO_ORGANISATION)
    const twice = `${mia.organisation}, ${mia.organisation}`
    expect((await as(mia, { 'X-organisation': twice })).all).toEqual(NO_ORGANISATION)
  })
})

describe.each(byId)('%s', (name, row) => {
  test('another organisation’s record is not there, in the words of one that never was', async () => {
    const foreign = requestOf([name, row], idOf([name, row]))
    const absent = requestOf([name, row], uuidv7())
    const malformed = requestOf([name, row], '1')
    for (const { method, path, options } of [foreign, absent, malformed])
      expect((await stranger.call(method, path, options)).all).toEqual(NOT_FOUND)
  })
})

test('another organisation’s record named in the body is not there either', async () => {
  for (const id of [theirs.action, uuidv7()])
    expect((await stranger.call('PUT', '/api/v1/actions', { body: { id } })).all).toEqual(NOT_FOUND)
})

test('another organisation is not there, in the words of one that never was', async () => {
  expect((await stranger.get(`/api/v1/organisations/${mia.organisation}`)).all).toEqual(NOT_FOUND)
  expect((await stranger.get(`/api/v1/organisations/${uuidv7()}`)).all).toEqual(NOT_FOUND)
})

test('lists, counts, searches and changes hold nothing of another organisation', async () => {
  const paths = [
    '/api/v1/accounts',
    '/api/v1/success-plans',
    '/api/v1/success-plans?filters[title]=Secret',
    `/api/v1/success-plans?filters[account_id]=${theirs.account}`,
    `/api/v1/success-plans?filters[owner_id]=${mia.id}`,
    `/api/v1/accounts?filters[owner_id]=${mia.id}`,
    '/api/v1/initiatives',
    `/api/v1/initiatives?filters[success_plan_id]=${theirs.plan}`,
    '/api/v1/actions?filters[title]=Secret',
    `/api/v1/actions?filters[initiative_id]=${theirs.initiative}`,
    `/api/v1/actions?filters[assignee_id]=${mia.id}`,
    '/api/v1/templates',
  ]
  for (const path of paths) {
    const { json } = await stranger.get(path)
    expect(json).toMatchObject({ data: [], meta: { total: 0 } })
  }
  const everything = await stranger.get('/api/v1/changes?since=0')
  const members = await stranger.get('/api/v1/organisation-users')
  const invites = await stranger.get('/api/v1/organisation-invites')
  const organisations = await stranger.get('/api/v1/organisations')
  for (const { text } of [everything, members, invites, organisations]) {
    expect(text).not.toMatch(/secret/i)
    expect(text).not.toContain(mia.id)
    expect(text).not.toContain(mia.organisation)
  }
})

const REFERENCES: [string, string, () => Record<string, unknown>][] = [
  ['account_id', '/api/v1/success-plans', () => ({ title: 'T', account_id: theirs.account })],
  ['owner_id', '/api/v1/success-plans', () => ({ title: 'T', type: 'project', owner_id: mia.id })],
  ['owner_id', '/api/v1/accounts', () => ({ name: 'N', owner_id: mia.id })],
  ['success_plan_id', '/api/v1/initiatives', () => ({ title: 'T', success_plan_id: theirs.plan })],
  ['account_id', '/api/v1/initiatives', () => ({ title: 'T', account_id: theirs.account })],
  ['owner_id', '/api/v1/initiatives', () => ({ title: 'T', owner_id: mia.id })],
  ['success_plan_id', '/api/v1/actions', () => ({ title: 'T', success_plan_id: theirs.plan })],
  ['initiative_id', '/api/v1/actions', () => ({ title: 'T', initiative_id: theirs.initiative })],
  ['account_id', '/api/v1/actions', () => ({ title: 'T', account_id: theirs.account })],
  [
    'template_id',
    '/api/v1/success-plans',
    () => ({ title: 'T', type: 'project', template_id: theirs.template }),
  ],
  ['from_success_plan_id', '/api/v1/templates', () => ({ from_success_plan_id: theirs.plan })],
  ['assignee_id', '/api/v1/actions', () => ({ title: 'T', assignee_id: mia.id })],
]
test.each(REFERENCES)(
  'an id in a body that is another organisation’s: %s to %s',
  async (field, path, body) => {
    const answer = await stranger.post(path, body())
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.errors ?? {})).toEqual([field])
  },
)

test('an id that is taken in another organisation is free in this one', async () => {
  const made = await stranger.post('/api/v1/success-plans', {
    id: theirs.plan,
    title: 'Mine',
    type: 'project',
  })
  expect(made.status).toBe(201)
  expect((await mia.get(`/api/v1/success-plans/${theirs.plan}`)).data()).toMatchObject({
    title: 'Secret plan',
  })
})

test('a member may not delete what another member made, an admin may', async () => {
  const member = await world.join(await world.person('Member'), mia.organisation, 'member')
  const admin = await world.join(await world.person('Admin'), mia.organisation, 'admin')
  const plan = await mia.plan()
  const refused = await member.call('DELETE', `/api/v1/success-plans/${plan}`)
  expect(refused.all).toEqual({
    status: 403,
    body: { message: 'Only an admin may delete what somebody else created.' },
  })
  expect((await member.call('DELETE', `/api/v1/accounts/${theirs.account}`)).status).toBe(403)
  expect((await admin.call('DELETE', `/api/v1/success-plans/${plan}`)).status).toBe(204)
  const own = await member.plan()
  expect((await member.call('DELETE', `/api/v1/success-plans/${own}`)).status).toBe(204)
})

test('a removed member is out with the next call', async () => {
  const member = await world.join(await world.person('Member'), mia.organisation, 'member')
  expect((await member.get('/api/v1/success-plans')).status).toBe(200)
  await world.database.system((tx) =>
    tx.deleteFrom('organisation_users').where('user_id', '=', member.id).execute(),
  )
  expect((await member.get('/api/v1/success-plans')).all).toEqual(NOT_A_MEMBER)
})

test('what a caller may not set is ignored', async () => {
  const id = uuidv7()
  const forbidden = {
    organisation_id: stranger.organisation,
    version: 1,
    created_by: stranger.id,
    success_plans_count: 9,
    created_at: '2001-01-01T00:00:00.000Z',
  }
  const made = await mia.post('/api/v1/accounts', { id, name: 'Mine', ...forbidden })
  expect(made.status).toBe(201)
  expect(made.data()).toMatchObject({ created_by: mia.id, success_plans_count: 0 })
  expect(made.data().version).not.toBe(1)
  expect(made.data().created_at).toBe(world.now.toISOString())
  expect((await stranger.get(`/api/v1/accounts/${id}`)).status).toBe(404)
  const profile = await mia.call('PUT', '/api/v1/userinfo', {
    body: { name: 'Mia', superadmin: true, id: stranger.id, password_hash: 'x' },
  })
  expect(profile.data()).toMatchObject({ id: mia.id, superadmin: false })
  expect(profile.text).not.toContain('password')
})
