import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswer } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { UNKNOWN_TIME } from '../../contract/values.ts'

const plan = { id: 'p-1', title: 'Onboarding', status: 'planned' }
const update = { id: 'u-1', success_plan_id: 'p-1', written_at: '2026-03-01T09:00:00.000Z' }
const value = (row: Parameters<typeof readAnswer>[0], json: unknown) => {
  const read = readAnswer(row, json)
  return read.ok ? read.value : 'not an answer of this call'
}

test('a record is read with and without its envelope', () => {
  const read = value(endpoints.getSuccessPlan, { data: plan })
  expect(read).toMatchObject(plan)
  expect(value(endpoints.getSuccessPlan, plan)).toEqual(read)
})

test('a list is read as a plain array, and without meta', () => {
  const read = value(endpoints.listSuccessPlans, [plan])
  expect(read).toMatchObject({ data: [plan], meta: null })
  expect(value(endpoints.listSuccessPlans, { data: [plan], meta: { total: 'many' } })).toEqual(read)
})

test('numeric ids and days in several formats are accepted', () => {
  const dressed = { ...plan, id: 7, account_id: 9, end_date: '2026-03-01T00:00:00.000000Z' }
  expect(value(endpoints.getSuccessPlan, dressed)).toMatchObject({
    id: '7',
    account_id: '9',
    end_date: '2026-03-01',
  })
})

test('a day stays the same in every time zone', () => {
  const dressed = { ...plan, end_date: '2026-03-01T23:59:59-11:00' }
  expect(value(endpoints.getSuccessPlan, dressed)).toMatchObject({ end_date: '2026-03-01' })
})

test('unknown keys and statuses are accepted', () => {
  const strange = { ...plan, status: 'blocked', surprise: { deep: [1] } }
  expect(value(endpoints.getSuccessPlan, strange)).toMatchObject({ status: 'blocked' })
})

test('missing and null fields read the same', () => {
  const bare = value(endpoints.getSuccessPlan, plan)
  const nulls = { ...plan, health: null, end_date: null, account_id: null, description: null }
  expect(value(endpoints.getSuccessPlan, nulls)).toEqual(bare)
})

test('a page of changes may omit unchanged collections', () => {
  const page = { data: { success_plan_updates: [update] }, version: 3, more: false }
  expect(value(endpoints.getChanges, page)).toMatchObject({
    data: { success_plans: [], accounts: [], organisation_users: [], deleted: [] },
    version: 3,
  })
})

test('a page of changes keeps lists of records that this build does not know', () => {
  const visits = [{ id: 'a', at: 'noon' }]
  const data = { visits, hint: 'text', numbers: [1] }
  const page = value(endpoints.getChanges, { data, version: 3, more: false })
  expect(page).toMatchObject({ data: { visits } })
  expect(page).not.toHaveProperty('data.hint')
  expect(page).not.toHaveProperty('data.numbers')
})

test('a token response requires both tokens', () => {
  const both = { access_token: 'a', refresh_token: 'r' }
  expect(value(endpoints.issueToken, both)).toMatchObject(both)
  for (const half of [{ access_token: 'a' }, { ...both, refresh_token: '' }])
    expect(value(endpoints.issueToken, half)).toBe('not an answer of this call')
})

test('other values are rejected as responses', () => {
  const rows = [
    endpoints.getSuccessPlan,
    endpoints.listSuccessPlans,
    endpoints.getChanges,
    endpoints.issueToken,
    endpoints.getUserinfo,
    endpoints.postPlanUpdate,
  ]
  const elsewhere = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.record({ message: fc.string() }),
    fc.record({
      data: fc.oneof(fc.string(), fc.constant(null), fc.record({ id: fc.constant(null) })),
    }),
  )
  fc.assert(
    fc.property(elsewhere, fc.constantFrom(...rows), (json, row) => {
      const data = typeof json === 'object' && json && 'data' in json ? json.data : json
      fc.pre(row !== endpoints.listSuccessPlans || data !== null)
      expect(readAnswer(row, json).ok).toBe(false)
    }),
  )
})

test('an answer to a write without any field of the record is none, though no field is needed', () => {
  const { getNotificationConsents, updateNotificationConsents, updateOnboarding } = endpoints
  const others = [{ message: 'ok' }, { data: { message: 'ok' } }, {}, [], null, { data: [] }]
  for (const json of others) {
    expect(readAnswer(updateNotificationConsents, json).ok).toBe(false)
    expect(readAnswer(updateOnboarding, json).ok).toBe(false)
  }
  // Of the state of a request, and not of the onboarding.
  expect(readAnswer(updateOnboarding, { status: 'success', message: 'Saved.' }).ok).toBe(false)
  expect(value(updateNotificationConsents, { digest: 'daily' })).toMatchObject({ digest: 'daily' })
  expect(value(updateOnboarding, { data: { status: 'in-progress', steps: [] } })).toMatchObject({
    steps: { profile: false },
  })
  // Before anything was chosen, a server has nothing to say.
  for (const json of [{}, { data: [] }, { data: null }])
    expect(value(getNotificationConsents, json)).toMatchObject({ digest: 'off' })
})

const unreadOf = (row: Parameters<typeof readAnswer>[0], json: unknown) => {
  const read = readAnswer(row, json)
  return read.ok ? read.unread : 'not an answer of this call'
}

test('values in other forms are converted', () => {
  const account = {
    id: 3,
    name: 2026,
    arr: '1000.00',
    status: null,
    currency: null,
    contacts: [{ id: 1, name: 'Eve', is_primary: 1 }],
    tags: { 0: 'a', 2: 'b' },
    renewal_date: '20261231',
    success_plans_count: null,
  }
  expect(unreadOf(endpoints.getAccount, { data: account })).toBe(undefined)
  expect(value(endpoints.getAccount, { data: account })).toMatchObject({
    id: '3',
    name: '2026',
    arr: 1_000,
    status: 'active',
    currency: 'USD',
    contacts: [{ is_primary: true }],
    tags: ['a', 'b'],
    renewal_date: '2026-12-31',
    success_plans_count: 0,
  })
  const user = { id: 1, name: 'Ana', email: 'ana@plain.test', superadmin: 0 }
  expect(value(endpoints.getUserinfo, user)).toMatchObject({ superadmin: false })
})

test('a person without a name is called by the address, and without one by the id', () => {
  const { getUserinfo, listOrganisationUsers } = endpoints
  expect(value(getUserinfo, { id: 7, superadmin: false })).toMatchObject({ id: '7', name: '7' })
  const user = { id: 7, name: null, email: 'ana@plain.test' }
  expect(unreadOf(getUserinfo, user)).toBe(undefined)
  expect(value(getUserinfo, user)).toMatchObject({ name: 'ana@plain.test' })
  const member = { id: 3, user_id: 7, organisation_id: 1, pivot: { role: 'owner' } }
  expect(
    value(listOrganisationUsers, [member, { ...member, id: 4, name: '', email: null }]),
  ).toMatchObject({
    data: [
      { id: '3', name: '7', email: '' },
      { id: '4', name: '7' },
    ],
  })
})

test.for([{ user_id: null }, {}])(
  'an organisation whose owner is gone can be worked in',
  (owner) => {
    const organisation = { id: 1, name: 'North', ...owner, pivot: null }
    expect(value(endpoints.listOrganisations, [organisation])).toMatchObject({
      data: [{ id: '1', user_id: '', pivot: { role: '' } }],
    })
  },
)

test('a member may be a user with a pivot, and an update may leave its plan to the path', () => {
  const member = { id: 7, name: 'Ana', pivot: { role: 'admin', organisation_id: 3 } }
  expect(value(endpoints.listOrganisationUsers, [member])).toMatchObject({
    data: [{ id: '7', user_id: '7' }],
  })
  const other = { ...member, pivot: { role: 'admin', user_id: 8 } }
  expect(value(endpoints.listOrganisationUsers, [other])).toMatchObject({
    data: [{ user_id: '8' }],
  })
  for (const pivot of [null, { role: null }])
    expect(value(endpoints.listOrganisationUsers, [{ id: 7, user_id: 7, pivot }])).toMatchObject({
      data: [{ id: '7', user_id: '7', pivot: { role: '' } }],
    })
  const { success_plan_id: _left_out, ...bare } = update
  const read = readAnswer(endpoints.listPlanUpdates, [bare], '5')
  expect(read).toMatchObject({ value: { data: [{ success_plan_id: '5' }] }, ok: true })
  expect(readAnswer(endpoints.postPlanUpdate, { data: bare }, '5')).toMatchObject({
    value: { success_plan_id: '5' },
  })
})

test('a record in the place of an id, or under the name without it, is read as its id', () => {
  const named = (id: unknown) => ({ id, name: 'North' })
  const nested = { ...plan, account: named(7), owner_id: named('u-1'), created_by: named(2) }
  expect(value(endpoints.listSuccessPlans, [nested])).toMatchObject({
    data: [{ account_id: '7', owner_id: 'u-1', created_by: '2' }],
  })
  expect(unreadOf(endpoints.listSuccessPlans, [nested])).toBe(undefined)
  expect(value(endpoints.getSuccessPlan, { data: nested })).toMatchObject({ account_id: '7' })
  const cleared = { ...plan, account_id: null, account: named(7), owner: null }
  expect(value(endpoints.listSuccessPlans, [cleared])).toMatchObject({
    data: [{ account_id: null, owner_id: null }],
  })
  const member = { id: 3, user: { id: 7, name: 'Ana', email: 'ana@plain.test' }, pivot: {} }
  expect(value(endpoints.listOrganisationUsers, [member])).toMatchObject({
    data: [{ id: '3', user_id: '7', name: 'Ana', email: 'ana@plain.test' }],
  })
})

test('an empty text in place of a word of a list is none', () => {
  const blank = { ...update, status_from: '', status_to: '', health: '' }
  expect(value(endpoints.listPlanUpdates, [blank])).toMatchObject({
    data: [{ status_from: null, status_to: null, health: null }],
  })
  expect(unreadOf(endpoints.listPlanUpdates, [blank])).toBe(undefined)
  const words = { type: '', health: '', outcome: '', progress_mode: '' }
  expect(value(endpoints.listSuccessPlans, [{ ...plan, ...words }])).toMatchObject({
    data: [{ type: 'customer', health: null, outcome: null, progress_mode: 'manual' }],
  })
  const account = { id: 1, name: 'Acme', status: '', tier: '', health: '', currency: '' }
  expect(value(endpoints.listAccounts, [account])).toMatchObject({
    data: [{ status: 'active', tier: null, health: null, currency: 'USD' }],
  })
  const action = { id: 1, title: 'Call', status: '', priority: '' }
  expect(value(endpoints.listActions, [action])).toMatchObject({
    data: [{ status: 'todo', priority: null }],
  })
})

test('a configuration may list the capabilities, and have no client secret', () => {
  const config = { clientId: 3, capabilities: ['ids', 'keys=60'], registration: 'everyone' }
  expect(value(endpoints.getConfig, config)).toMatchObject({
    clientId: '3',
    clientSecret: '',
    capabilities: 'ids, keys=60',
    registration: 'open',
  })
})

test('an update without written_at is as old as its creation', () => {
  const { written_at: created_at, ...bare } = update
  const read = value(endpoints.listPlanUpdates, [{ ...bare, created_at }])
  expect(read).toMatchObject({ data: [{ written_at: created_at }] })
})

test.for([
  ['garbage', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z', 'date'],
  ['garbage', 1_772_355_600, '2026-03-01T09:00:00.000Z', 'date'],
  [undefined, 1_772_355_600, '2026-03-01T09:00:00.000Z', undefined],
  ['01/03/2026 09:00', '01/03/2026 09:00', UNKNOWN_TIME, 'date'],
  [{ at: 5 }, null, UNKNOWN_TIME, 'date'],
  [null, undefined, UNKNOWN_TIME, 'missing'],
])('an update written at %j and created at %j is shown', ([written, created, shown, reason]) => {
  const odd = { ...update, body: 'Kick-off.', written_at: written, created_at: created }
  const read = readAnswer(endpoints.listPlanUpdates, [update, odd])
  expect(read).toMatchObject({
    value: { data: [update, { body: 'Kick-off.', written_at: shown }] },
  })
  const unread = read.ok ? (read.unread ?? []) : []
  const about = unread.filter(({ path }) => path === 'written_at')
  expect(about).toMatchObject(reason === undefined ? [] : [{ reason, leftOut: 'field' }])
})

test('an unreadable optional field is left out of its record, and reported', () => {
  const list = [plan, { ...plan, id: 7, end_date: '31/12/2026', progress: 'a lot' }, plan]
  expect(value(endpoints.listSuccessPlans, list)).toMatchObject({
    data: [plan, { id: '7', title: 'Onboarding', end_date: null, progress: 0 }, plan],
  })
  const common = { collection: 'success_plans', id: '7', type: 'string', leftOut: 'field' }
  expect(unreadOf(endpoints.listSuccessPlans, list)).toEqual([
    { ...common, path: 'progress', reason: 'number' },
    { ...common, path: 'end_date', reason: 'date' },
  ])
})

test('unreadable entries of a list cost those alone, and a contact needs no id', () => {
  const contacts = [{ id: 1, name: null }, { name: 'Zoe' }, null]
  const account = { id: 1, name: 'Acme', contacts, renewals: [{}, {}], arr: 'a lot' }
  const read = readAnswer(endpoints.listAccounts, { data: [account, { id: 2, name: 'Bolt' }] })
  expect(read).toMatchObject({
    ok: true,
    value: {
      data: [{ name: 'Acme', contacts: [{ name: 'Zoe' }], arr: null }, { name: 'Bolt' }],
    },
    unread: [
      { id: '1', path: 'arr', leftOut: 'field' },
      { id: '1', path: 'renewals.0.id', leftOut: 'field' },
      { id: '1', path: 'contacts.0.name', leftOut: 'field' },
    ],
  })
})

test('a record without a field that it needs is left out alone, and reported', () => {
  const list = [{ ...plan, id: 1, title: null }, plan, { title: 'No id' }, 'no record', { id: {} }]
  expect(value(endpoints.listSuccessPlans, list)).toMatchObject({ data: [plan] })
  expect(unreadOf(endpoints.listSuccessPlans, list)).toMatchObject([
    { id: null, path: 'id', reason: 'missing', leftOut: 'record' },
    { id: null, path: 'status', reason: 'missing', leftOut: 'record' },
    { id: null, path: 'id', leftOut: 'record' },
    { id: null, path: 'title', leftOut: 'record' },
    { id: null, path: 'status', leftOut: 'record' },
    { id: '1', path: 'title', reason: 'missing', leftOut: 'record' },
    { id: null, path: '', reason: 'record', type: 'string', leftOut: 'record' },
  ])
})

test('the record of a single read needs its own fields', () => {
  expect(value(endpoints.getSuccessPlan, { ...plan, progress: [] })).toMatchObject({ progress: 0 })
  expect(unreadOf(endpoints.getSuccessPlan, { ...plan, title: [] })).toBe(
    'not an answer of this call',
  )
})

test('an unreadable record does not cost the other records of a page of changes', () => {
  const page = {
    data: { success_plans: [{ ...plan, status: null }, plan], success_plan_updates: [update] },
    version: '3',
    more: false,
  }
  expect(value(endpoints.getChanges, { ...page, version: 3 })).toMatchObject({
    data: { success_plans: [plan], success_plan_updates: [update] },
    version: 3,
  })
  expect(unreadOf(endpoints.getChanges, { ...page, version: 3 })).toMatchObject([
    { collection: 'success_plans', id: 'p-1', path: 'status', leftOut: 'record' },
  ])
  expect(unreadOf(endpoints.getChanges, { ...page, version: [] })).toBe(
    'not an answer of this call',
  )
})

test('a cursor without a link leads to the next page', () => {
  const page = (more: object) => value(endpoints.listSuccessPlans, { data: [plan], ...more })
  expect(page({ meta: { next_cursor: 'abc' } })).toMatchObject({ next: { cursor: 'abc' } })
  expect(page({ next_cursor: 15 })).toMatchObject({ next: { cursor: '15' } })
  expect(page({ links: { prev: null }, meta: { next_cursor: 'abc' } })).toMatchObject({
    next: { cursor: 'abc' },
  })
  expect(page({ meta: { next_cursor: null } })).not.toHaveProperty('next')
  expect(page({ last_page: 2, next_cursor: null })).not.toHaveProperty('next')
  expect(page({ next_cursor: { after: 1 } })).not.toHaveProperty('next')
})

test('a number of records without one of pages is passed on, and says no number of pages', () => {
  const page = (more: object) => value(endpoints.listSuccessPlans, { data: [plan, plan], ...more })
  expect(page({ total: 5 })).toMatchObject({ meta: null, total: 5 })
  expect(page({ meta: { total: 5, per_page: 10 } })).toMatchObject({ meta: null, total: 5 })
  expect(page({ total: 'many' })).not.toHaveProperty('total')
})

test('the next page is the one that the answer links', () => {
  const page = (links: object) => value(endpoints.listSuccessPlans, { data: [plan], ...links })
  expect(page({ links: { next: 'https://api.test/plans?cursor=abc' } })).toMatchObject({
    next: { cursor: 'abc' },
  })
  expect(page({ links: { next: null } })).toMatchObject({ next: null })
  expect(page({ next_page_url: '/plans?page=2' })).toMatchObject({ next: { page: '2' } })
  expect(page({})).not.toHaveProperty('next')
})

test('no answer of any shape throws, and what is read is readable again', () => {
  const records = fc.array(
    fc.oneof(
      fc.record({ id: fc.jsonValue(), title: fc.jsonValue(), status: fc.jsonValue() }),
      fc.jsonValue(),
    ),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(records, (data) => {
      const read = value(endpoints.listSuccessPlans, { data }) as { data: unknown[] }
      expect(unreadOf(endpoints.listSuccessPlans, read)).toBe(undefined)
      expect(read.data.length).toBeLessThanOrEqual(data.length)
    }),
  )
})

test('lists come as null, as a map by id, or with a page inside the envelope', () => {
  const { listSuccessPlans: row } = endpoints
  for (const empty of [null, { data: null }, { data: null, meta: {} }, { data: {} }, { data: [] }])
    expect(value(row, empty)).toMatchObject({ data: [] })
  expect(value(row, { data: { 'p-1': plan } })).toMatchObject({ data: [plan] })
  expect(value(row, { 'p-1': plan })).toBe('not an answer of this call')
  const inner = { data: [plan], current_page: 1, last_page: 2, per_page: 15, total: 20 }
  for (const page of [inner, { data: inner }])
    expect(value(row, page)).toMatchObject({ data: [plan], meta: { last_page: 2 } })
  const linked = { data: { ...inner, next_page_url: '/success-plans?page=2' } }
  expect(value(row, linked)).toMatchObject({ next: { page: '2' } })
  expect(value(row, { data: [plan], links: { next: '' } })).toMatchObject({ next: null })
})

test('an error that is answered with 200 is no empty list', () => {
  const failed = { success: false, data: null, message: 'No connection to the database.' }
  for (const json of [failed, { data: { error: 'Forbidden' } }, { data: { id: 7 } }])
    expect(value(endpoints.listSuccessPlans, json)).toBe('not an answer of this call')
})

test('a time without a zone is UTC, in every zone of a user', () => {
  const times = { written_at: '2026-03-01 09:00:00', created_at: '2026-03-01T09:00:00.123456' }
  expect(unreadOf(endpoints.postPlanUpdate, { ...update, ...times })).toBe(undefined)
  expect(value(endpoints.postPlanUpdate, { ...update, ...times })).toMatchObject({
    written_at: '2026-03-01T09:00:00Z',
    created_at: '2026-03-01T09:00:00.123456Z',
  })
})

test('times and days come as seconds or milliseconds since 1970', () => {
  const seconds = Date.parse('2026-03-01T09:00:00Z') / 1_000
  const dressed = { ...plan, created_at: seconds, updated_at: seconds * 1_000, end_date: seconds }
  expect(unreadOf(endpoints.getSuccessPlan, dressed)).toBe(undefined)
  expect(value(endpoints.getSuccessPlan, dressed)).toMatchObject({
    created_at: '2026-03-01T09:00:00.000Z',
    updated_at: '2026-03-01T09:00:00.000Z',
    end_date: '2026-03-01',
  })
  expect(unreadOf(endpoints.getSuccessPlan, { ...plan, created_at: 1e300 })).toMatchObject([
    { path: 'created_at', reason: 'date' },
  ])
})

test('a body without an envelope may come in one', () => {
  const tokens = { access_token: 'a', refresh_token: 'r' }
  expect(value(endpoints.issueToken, { data: tokens })).toMatchObject(tokens)
})

test('a subscription starts with its record, or with the address of the payment', () => {
  const { createSubscription: row } = endpoints
  const url = 'https://pay.example/1'
  for (const json of [{ url }, { data: { url } }, { data: { plan: 'free' }, url }])
    expect(value(row, json)).toMatchObject({ url })
  for (const json of [{ plan: 'professional' }, { data: { plan: 'professional', url: null } }])
    expect(value(row, json)).toMatchObject({ data: { plan: 'professional' }, url: undefined })
  for (const json of [{ message: 'ok' }, {}, 'ok'])
    expect(value(row, json)).toBe('not an answer of this call')
})
