// The specification's calls and query strings, sentence by sentence, in the table of all calls.
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { writeQuery } from '../../contract/query-string.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

/** The row of the table for that method and path; fails without one, or with several. */
function rowOf(call: string) {
  const rows = Object.values(endpoints).filter(
    ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}` === call,
  )
  expect(
    rows.map(({ method, path }) => `${method} ${path}`),
    call,
  ).toHaveLength(1)
  const [row] = rows
  if (!row) throw new Error(`${call} is not in the table.`)
  return row
}

/** Whether the row's body schema takes that body and keeps all of its fields. */
function takes(call: string, body: Record<string, unknown>): boolean {
  const row: { body?: v.GenericSchema | undefined } = rowOf(call)
  if (!row.body) return false
  const read = v.safeParse(row.body, body)
  return read.success && Object.keys(body).every((name) => name in (read.output as object))
}

function takesQuery(call: string, query: object): boolean {
  const row: { query?: v.GenericSchema | undefined } = rowOf(call)
  return row.query !== undefined && v.is(row.query, query)
}

/** Each bullet of the list of calls: its calls, their bodies, and those that take a query. */
const CALLS: Record<
  string,
  { calls: string[]; bodies?: Record<string, object>; queries?: Record<string, object> }
> = {
  'POST /api/v1/register: registration payload': { calls: ['POST /api/v1/register'] },
  'POST /oauth/token, grant_type password; grant_type social; grant_type refresh_token': {
    calls: ['POST /oauth/token'],
  },
  'GET /api/v1/userinfo: returns the user data': { calls: ['GET /api/v1/userinfo'] },
  'PUT /api/v1/userinfo: profile payload': { calls: ['PUT /api/v1/userinfo'] },
  'POST /api/v1/verify-token: token payload': {
    calls: [],
    bodies: { 'POST /api/v1/verify-token': { token: 'c' } },
  },
  'GET /api/v1/notification-consents; PUT /api/v1/notification-consents with the consents payload':
    { calls: ['GET /api/v1/notification-consents', 'PUT /api/v1/notification-consents'] },
  'GET /api/v1/organisations; GET /api/v1/organisations/{id}; POST /api/v1/organisations {name}; PUT and DELETE /api/v1/organisations/{active id}':
    {
      calls: [
        'GET /api/v1/organisations',
        'GET /api/v1/organisations/{}',
        'PUT /api/v1/organisations/{}',
        'DELETE /api/v1/organisations/{}',
      ],
      bodies: { 'POST /api/v1/organisations': { name: 'Ridge' } },
    },
  'POST /api/v1/leave-organisation {organisation_id}': {
    calls: [],
    bodies: { 'POST /api/v1/leave-organisation': { organisation_id: ID } },
  },
  'GET /api/v1/organisation-users (query); PUT /api/v1/organisation-users/{user_id} (body includes user_id); DELETE /api/v1/organisation-users/{id}':
    {
      calls: ['DELETE /api/v1/organisation-users/{}'],
      bodies: { 'PUT /api/v1/organisation-users/{}': { user_id: ID, role: 'admin' } },
      queries: { 'GET /api/v1/organisation-users': { page: 2 } },
    },
  'POST /api/v1/organisation-invites {email}': {
    calls: [],
    bodies: { 'POST /api/v1/organisation-invites': { email: 'new@example.com' } },
  },
  'GET /api/v1/accounts (query); GET, PUT, DELETE /api/v1/accounts/{id}; POST /api/v1/accounts': {
    calls: [
      'GET /api/v1/accounts/{}',
      'PUT /api/v1/accounts/{}',
      'DELETE /api/v1/accounts/{}',
      'POST /api/v1/accounts',
    ],
    queries: { 'GET /api/v1/accounts': { page: 2 } },
  },
  'GET /api/v1/success-plans (query, with filters.title for search)': {
    calls: [],
    queries: { 'GET /api/v1/success-plans': { page: 2, filters: { title: 'harbour' } } },
  },
  'GET /api/v1/success-plans/{id}; POST /api/v1/success-plans; PATCH and DELETE /api/v1/success-plans/{id}':
    {
      calls: [
        'GET /api/v1/success-plans/{}',
        'POST /api/v1/success-plans',
        'PATCH /api/v1/success-plans/{}',
        'DELETE /api/v1/success-plans/{}',
      ],
    },
  'GET /api/v1/success-plans/{id}/updates (query); POST /api/v1/success-plans/{id}/updates': {
    calls: ['POST /api/v1/success-plans/{}/updates'],
    queries: { 'GET /api/v1/success-plans/{}/updates': { page: 2 } },
  },
  'GET /api/v1/initiatives (query); GET, PUT, DELETE /api/v1/initiatives/{id}; POST /api/v1/initiatives':
    {
      calls: [
        'GET /api/v1/initiatives/{}',
        'PUT /api/v1/initiatives/{}',
        'DELETE /api/v1/initiatives/{}',
        'POST /api/v1/initiatives',
      ],
      queries: { 'GET /api/v1/initiatives': { page: 2 } },
    },
  'GET /api/v1/actions (query); POST /api/v1/actions; PUT /api/v1/actions (id in the body); DELETE /api/v1/actions/{id}':
    {
      calls: ['POST /api/v1/actions', 'DELETE /api/v1/actions/{}'],
      bodies: { 'PUT /api/v1/actions': { id: ID } },
      queries: { 'GET /api/v1/actions': { page: 2 } },
    },
  'GET /api/v1/subscriptions; GET /api/v1/subscriptions/customer-portal; POST /api/v1/subscriptions {plan: ‘professional’}; DELETE /api/v1/subscriptions':
    {
      calls: [
        'GET /api/v1/subscriptions',
        'GET /api/v1/subscriptions/customer-portal',
        'DELETE /api/v1/subscriptions',
      ],
      bodies: { 'POST /api/v1/subscriptions': { plan: 'professional' } },
    },
  'GET /api/v1/onboarding; POST /api/v1/onboarding': {
    calls: ['GET /api/v1/onboarding', 'POST /api/v1/onboarding'],
  },
}

describe('The calls it makes', () => {
  test('each other call names the capability of a server that has it', () => {
    const named = Object.values(CALLS).flatMap(({ calls, bodies = {}, queries = {} }) => [
      ...calls,
      ...Object.keys(bodies),
      ...Object.keys(queries),
    ])
    const without = Object.values<Endpoint>(endpoints)
      .filter(({ capability }) => capability === undefined)
      .map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    // The configuration comes from the host of the app, which need not be the API's.
    expect(new Set(without)).toEqual(new Set([...named, 'GET /config.json']))
  })

  test.for(Object.entries(CALLS))('%s', ([, { calls, bodies = {}, queries = {} }]) => {
    for (const call of calls) expect(rowOf(call)).toBeDefined()
    for (const [call, body] of Object.entries(bodies))
      expect(takes(call, { ...body }), call).toBe(true)
    for (const [call, query] of Object.entries(queries))
      expect(takesQuery(call, query), call).toBe(true)
  })

  test('body includes user_id; id in the body; {organisation_id}; {name}; {email}; token payload', () => {
    for (const call of [
      'PUT /api/v1/organisation-users/{}',
      'PUT /api/v1/actions',
      'POST /api/v1/leave-organisation',
      'POST /api/v1/organisations',
      'POST /api/v1/organisation-invites',
      'POST /api/v1/verify-token',
    ])
      expect(takes(call, { role: 'admin' }), call).toBe(false)
  })

  test('Plan sent on upgrade: ‘professional’', () => {
    expect(takes('POST /api/v1/subscriptions', { plan: 'pro' })).toBe(false)
    expect(takes('POST /api/v1/subscriptions', {})).toBe(false)
  })

  test('The response carries access_token and refresh_token.', () => {
    const { schema } = endpoints.issueToken.answer
    const both = { access_token: 'a', refresh_token: 'b' }
    expect(v.is(schema, both)).toBe(true)
    for (const missing of Object.keys(both))
      expect(v.is(schema, { ...both, [missing]: undefined })).toBe(false)
  })
})

describe('Query parameters', () => {
  test('Query parameters use bracket-style arrays, unencoded', () => {
    expect(writeQuery({ filters: { status: ['paused', 'planned'], title: 'a [b]' } })).toBe(
      'filters[status][]=paused&filters[status][]=planned&filters[title]=a%20%5Bb%5D',
    )
  })

  test('null or empty values are skipped', () => {
    const filters = { title: '', status: [], owner_id: null, type: undefined }
    expect(writeQuery({ page: 1, sort: '', filters })).toBe('page=1')
  })
})

describe('Entities and their fields', () => {
  const fieldsOf = (call: string): string[] => {
    const { answer } = rowOf(call)
    return 'schema' in answer && 'entries' in answer.schema
      ? Object.keys(answer.schema.entries)
      : []
  }

  test.for([
    [
      'Runtime configuration keys read',
      'GET /config.json',
      'posthogPublicKey posthogHost recaptchaKey sentryDsn environment sentryOrg sentryProjectId apiBaseUrl clientId clientSecret',
    ],
    ['User: id; superadmin flag', 'GET /api/v1/userinfo', 'id superadmin'],
    [
      'Auth session: access_token, refresh_token',
      'POST /oauth/token',
      'access_token refresh_token',
    ],
    [
      'Organisation: id, name, user_id (the owner)',
      'GET /api/v1/organisations/{}',
      'id name user_id pivot',
    ],
    ['Members carry user_id and pivot.role', 'GET /api/v1/organisation-users', 'user_id pivot'],
    ['Subscription: plan', 'GET /api/v1/subscriptions', 'plan'],
    [
      'Success plan: id, title, status, end_date, progress',
      'GET /api/v1/success-plans',
      'id title status end_date progress',
    ],
  ] as const)('%s', ([, call, fields]) => {
    expect(fieldsOf(call)).toEqual(expect.arrayContaining(fields.split(' ')))
  })
})
