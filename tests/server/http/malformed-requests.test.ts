// Checks on every row of the endpoint table: the wrong role, read-only fields, bytes that are not a
// request, unknown queries. Each has the same answer on every row.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints, type EndpointName } from '../../../contract/endpoints.ts'
import { resourceNames, resourceOf } from '../../../contract/resources.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
let admin: ApiUser
let member: ApiUser
let ids: Record<string, string>
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 86_400 } })
  mia = await world.createOwner('Mia')
  admin = await world.addMember(await world.createUser('Ada'), mia.organisation, 'admin')
  member = await world.addMember(await world.createUser('Max'), mia.organisation, 'member')
  const make = async (path: string, body: object) =>
    (await mia.post(path, body)).data<{ id: string }>().id
  const members = await mia.get('/api/v1/organisation-users')
  const signIns = await mia.get('/api/v1/sign-ins')
  const [linked, passkey] = [uuidv7(), uuidv7()]
  await world.database.auth(async (tx) => {
    await tx
      .insertInto('social_sign_ins')
      .values({ id: linked, provider: 'google', subject: 'mia', user_id: mia.id })
      .execute()
    await tx
      .insertInto('passkeys')
      .values({
        id: passkey,
        user_id: mia.id,
        credential_id: 'c',
        public_key: Buffer.from('key'),
        counter: 0,
        transports: '',
        name: 'Firefox on Linux',
        created_at: world.now.toISOString(),
        last_used_at: null,
      })
      .execute()
  })
  ids = {
    'linked-sign-ins': linked,
    passkeys: passkey,
    organisations: mia.organisation,
    'organisation-invites': await make('/api/v1/organisation-invites', {
      email: 'new@example.com',
    }),
    'organisation-users': members.data<{ id: string }[]>()[0]?.id ?? '',
    'sign-ins': signIns.data<{ id: string }[]>()[0]?.id ?? '',
    user_id: admin.id,
    'success-plans': await mia.createPlan(),
    // Made by its PUT.
    'saved-views': uuidv7(),
  }
  for (const { title = '', calls } of resourceNames.map(resourceOf)) {
    if (!calls.create) continue
    const { path } = endpoints[calls.create as EndpointName]
    ids[nounOf(path)] ??= await make(path, VALID[calls.create]?.() ?? { [title]: 'A' })
  }
})
beforeEach(() => {
  // Resets the rate limit.
  world.advance({ minutes: 1 })
})
afterAll(() => world.close())

type Row = [name: string, row: Endpoint]
const rows: Row[] = Object.entries<Endpoint>(endpoints)
const nounOf = (path: string) => /\/api\/v1\/([\w-]+)/.exec(path)?.[1] ?? ''
const pathOf = ({ path }: Endpoint) =>
  path.replace('{user_id}', ids.user_id ?? '').replace('{id}', ids[nounOf(path)] ?? '')
const VALID: Record<string, () => object> = {
  createTemplate: () => ({ title: 'T', duration_days: 1 }),
  createOrganisationInvite: () => ({ email: 'other@example.com' }),
  updateOrganisationUser: () => ({ user_id: ids.user_id, role: 'member' }),
  createSubscription: () => ({ plan: 'professional' }),
  deleteOrganisation: () => ({ name: 'Mia’s organisation' }),
}

const FORBIDDEN = { status: 403, body: { message: 'You may not do this.' } }
const reserved = rows.filter(([, { who }]) => who === 'manager' || who === 'owner')
test.each(reserved)('%s is forbidden without the role', async (name, row) => {
  const body = row.body ? (VALID[name]?.() ?? {}) : undefined
  const by = row.who === 'owner' ? [member, admin] : [member]
  for (const person of by)
    expect((await person.call(row.method, pathOf(row), { body })).statusAndBody).toEqual(FORBIDDEN)
})

// The token endpoint has its own error format: see sessions.test.ts.
const withBody = rows.filter(([name, { body }]) => body && name !== 'issueToken')
const limitOf = ({ maxBodyBytes, who }: Endpoint) =>
  maxBodyBytes === undefined
    ? who === 'anyone'
      ? '16 KiB'
      : '1 MiB'
    : `${maxBodyBytes / 1024} KiB`
describe.each(withBody)('%s', (_name, row) => {
  const send = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const response = await world.app.request(pathOf(row), {
      method: row.method,
      headers: {
        Authorization: `Bearer ${mia.tokens.access_token}`,
        'X-organisation': mia.organisation,
        'Content-Type': 'application/json',
        ...headers,
      },
      body,
    })
    return { status: response.status, body: (await response.json()) as { message: string } }
  }

  test('other kinds of request are rejected', async () => {
    expect(await send('{')).toEqual({ status: 400, body: { message: 'The request is not JSON.' } })
    expect(await send(Uint8Array.from([0x22, 0xff, 0x22]))).toEqual({
      status: 400,
      body: { message: 'The request is not UTF-8.' },
    })
    expect(await send('{}', { 'Content-Type': 'text/plain' })).toEqual({
      status: 415,
      body: { message: 'Send JSON, with Content-Type: application/json.' },
    })
    expect(await send('{}', { 'Content-Length': '2000000' })).toEqual({
      status: 413,
      body: { message: `The request is larger than ${limitOf(row)}.` },
    })
    expect(await send('[{}]')).toEqual({
      status: 422,
      body: { message: 'Send an object.', errors: { body: ['Send an object.'] } },
    })
    for (const body of ['null', '1', '"text"']) expect((await send(body)).status).toBe(422)
  })
})

const writes = rows.filter(([, { method, who }]) => method !== 'GET' && who !== 'anyone')
test.each(writes)('%s accepts one valid key, or none', async (_name, row) => {
  const answer = await mia.call(row.method, pathOf(row), {
    body: row.body && { organisation_id: mia.organisation },
    headers: { 'Idempotency-Key': 'not-a-key' },
  })
  expect(answer.statusAndBody).toEqual({
    status: 400,
    body: { message: 'Idempotency-Key must be one UUID.' },
  })
})

const lists = rows.filter(([, { answer }]) => answer.shape === 'list')
test.each(lists)('%s rejects unknown parameters', async (_name, row) => {
  const queries = {
    'filters[colour]=red': 'filters',
    'sort=colour': 'sort',
    'page=0': 'page',
    'per_page=501': 'per_page',
    'colour=red': 'colour',
    'page=1&page=1': 'page',
  }
  for (const [query, field] of Object.entries(queries)) {
    const answer = await mia.get(`${pathOf(row)}?${query}`)
    expect(`${query} ${answer.status}`).toBe(`${query} 422`)
    expect(Object.keys(answer.json.errors ?? {})[0]).toMatch(new RegExp(`^${field}`))
  }
})

const MINE = {
  organisation_id: uuidv7(),
  version: 1,
  created_by: uuidv7(),
  created_at: '2001-01-01T00:00:00.000Z',
  updated_at: '2001-01-01T00:00:00.000Z',
  progress: 99,
  actions_count: 9,
  token_hash: 'x',
  invited_by: uuidv7(),
  status_from: 'planned',
}
test.each(['initiatives', 'actions', 'templates'])(
  '%s ignores read-only fields, so that a whole record can be sent back',
  async (path) => {
    const id = uuidv7()
    const body = { id, title: 'Mine', duration_days: 1, ...MINE }
    const made = await admin.post(`/api/v1/${path}`, body)
    expect(made.status).toBe(201)
    const { version, ...stored } = made.data()
    expect(stored).toMatchObject({ created_by: admin.id, created_at: world.now.toISOString() })
    expect(version).not.toBe(1)
    if (path === 'initiatives') expect(stored.progress).toBe(0)
    const url = path === 'actions' ? `/api/v1/${path}` : `/api/v1/${path}/${id}`
    const rewritten = await mia.call('PUT', url, { body: { ...stored, ...MINE, title: 'Edited' } })
    expect(rewritten.status).toBe(200)
    expect(rewritten.data()).toMatchObject({ ...stored, title: 'Edited' })
  },
)

test('an invitation names its real sender, whatever the body claims', async () => {
  const made = await admin.post('/api/v1/organisation-invites', {
    ...MINE,
    email: 'mine@example.com',
    expires_at: '2099-01-01T00:00:00.000Z',
    accepted_at: '2001-01-01T00:00:00.000Z',
    role: 'member',
  })
  expect(made.data()).toMatchObject({ invited_by: admin.id, status: 'pending' })
  expect(String(made.data().expires_at) < '2099').toBe(true)
})

test.each([
  ['updateInitiative', { title: 'T' }],
  ['deleteInitiative', undefined],
  ['updateTemplate', { title: 'T' }],
  ['deleteTemplate', undefined],
  ['deleteAction', undefined],
  ['updateAction', { title: 'T' }],
  ['postPlanUpdate', { body: 'B' }],
] as const)('%s rejects a malformed If-Match', async (name, body) => {
  const row: Endpoint = endpoints[name]
  const named = name === 'updateAction' ? { ...body, id: ids.actions } : body
  for (const tag of ['1', '"a"', '"1" "2"'])
    expect(
      (await mia.call(row.method, pathOf(row), { body: named, headers: { 'If-Match': tag } }))
        .statusAndBody,
    ).toEqual({ status: 400, body: { message: 'If-Match must be the ETag of the record.' } })
})

test.each([
  'NUL \0',
  'right to left \u202E',
  'line\nbreak',
  'half a pair \uD800',
  'x'.repeat(256),
  '   ',
  1,
  ['a'],
  null,
])('a title of %j is rejected everywhere', async (title) => {
  for (const path of ['initiatives', 'actions', 'templates', 'success-plans']) {
    const answer = await mia.post(`/api/v1/${path}`, { title, duration_days: 1, type: 'project' })
    expect(`${path} ${answer.status}`).toBe(`${path} 422`)
    expect(Object.keys(answer.json.errors ?? {})).toEqual(['title'])
  }
})

/** Every object within a body: its path, and the body with an array in its place. */
const within: [name: string, field: string, body: object][] = [
  ['updateNotificationConsents', 'email', { email: [] }],
  ['updateNotificationConsents', 'push', { push: [] }],
  ['createAction', 'assignee_contact', { title: 'T', assignee_contact: [] }],
  ['createAccount', 'contacts.1', { name: 'N', contacts: [{ name: 'N' }, []] }],
  ['createTemplate', 'initiatives.0', { title: 'T', duration_days: 1, initiatives: [[]] }],
  [
    'createTemplate',
    'initiatives.0.actions.0',
    {
      title: 'T',
      duration_days: 1,
      initiatives: [{ title: 'I', start_offset_days: 0, end_offset_days: 0, actions: [[]] }],
    },
  ],
]
test.each(within)('%s rejects a list for the object %s', async (name, field, body) => {
  const row: Endpoint = endpoints[name as keyof typeof endpoints]
  const expected = { message: 'Send an object.', errors: { [field]: ['Send an object.'] } }
  expect((await mia.call(row.method, pathOf(row), { body })).statusAndBody).toEqual({
    status: 422,
    body: expected,
  })
})

test('__proto__ nested in a template or an assignee pollutes no prototype', async () => {
  const deep =
    '{"title":"T","duration_days":1,"initiatives":[{"__proto__":{"polluted":true},"title":"I","start_offset_days":0,"end_offset_days":1}]}'
  expect((await mia.post('/api/v1/templates', deep)).status).toBe(201)
  const contact = '{"title":"T","assignee_contact":{"name":"N","__proto__":{"email":"x"}}}'
  const made = await mia.post('/api/v1/actions', contact)
  expect(made.data()).toMatchObject({ assignee_contact: { name: 'N', email: null } })
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('search in initiatives, actions and templates is literal', async () => {
  for (const path of ['initiatives', 'actions', 'templates']) {
    await mia.post(`/api/v1/${path}`, { title: `100 % of ${path}`, duration_days: 1 })
    const found = async (text: string) =>
      (await mia.get(`/api/v1/${path}?filters[title]=${encodeURIComponent(text)}`)).data<object[]>()
    expect(await found('%')).toHaveLength(1)
    expect(await found('_')).toHaveLength(0)
    expect(await found("' or 1=1 --")).toHaveLength(0)
  }
})
