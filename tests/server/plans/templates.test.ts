// Templates: the content and dates of a plan created from one, and of a template saved from a plan.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
let member: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 86_400 } })
  mia = await world.createOwner('Mia')
  member = await world.addMember(await world.createUser('Max'), mia.organisation, 'member')
})
afterAll(() => world.close())

const TEMPLATE = {
  title: 'Onboarding',
  type: 'project',
  duration_days: 30,
  update_cadence_days: 7,
  initiatives: [
    {
      title: 'Begin',
      start_offset_days: 0,
      end_offset_days: 10,
      actions: [
        { title: 'Kick-off', due_offset_days: 2, assignee_role: 'plan-owner' },
        { title: 'Send the contract', due_offset_days: 5, assignee_role: 'customer' },
      ],
    },
    {
      title: 'Go on',
      start_offset_days: 10,
      end_offset_days: 30,
      actions: [{ title: 'Review', due_offset_days: 28, assignee_role: 'account-owner' }],
    },
  ],
}
const make = async (fields: Record<string, unknown> = {}) => {
  const made = await mia.post('/api/v1/templates', { ...TEMPLATE, ...fields })
  if (made.status !== 201) throw new Error(`It was refused: ${made.text}`)
  return made.data<{ id: string; version: number; initiatives: unknown[] }>()
}
const partsOf = async (plan: string, path: string) =>
  (await mia.get(`/api/v1/${path}?filters[success_plan_id]=${plan}&sort=created_at`))
    .data<Record<string, unknown>[]>()
    .toSorted((a, b) => Number(a.version) - Number(b.version))

test('a template is returned as it was sent', async () => {
  const { id } = await make()
  const read = await mia.get(`/api/v1/templates/${id}`)
  const described = TEMPLATE.initiatives.map((initiative) => ({
    ...initiative,
    description: null,
    actions: initiative.actions.map((action) => ({ ...action, description: null })),
  }))
  expect(read.data()).toMatchObject({ ...TEMPLATE, initiatives: described, created_by: mia.id })
})

test('a plan from a template has its work, with dates from its start and assignees by role', async () => {
  const { id: template_id } = await make()
  const account_id = uuidv7()
  const contact = { name: 'Ines', email: 'ines@example.com', is_primary: true }
  await mia.post('/api/v1/accounts', {
    id: account_id,
    name: 'Account',
    owner_id: mia.id,
    contacts: [{ name: 'Other contact' }, contact],
  })
  const plan = await member.createPlan({
    type: 'customer',
    account_id,
    template_id,
    start_date: '2026-03-10',
  })
  expect((await mia.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({
    template_id,
    start_date: '2026-03-10',
    end_date: '2026-04-09',
    update_cadence_days: 7,
    actions_count: 3,
    actions_done_count: 0,
  })
  const owned = { owner_id: member.id, status: 'planned', account_id, created_by: member.id }
  const initiatives = await partsOf(plan, 'initiatives')
  expect(initiatives).toMatchObject([
    { ...owned, title: 'Begin', start_date: '2026-03-10', end_date: '2026-03-20', position: 1 },
    { ...owned, title: 'Go on', start_date: '2026-03-20', end_date: '2026-04-09', position: 2 },
  ])
  const { email, name } = contact
  expect(await partsOf(plan, 'actions')).toMatchObject([
    { title: 'Kick-off', due_date: '2026-03-12', assignee_id: member.id, position: 1 },
    {
      title: 'Send the contract',
      due_date: '2026-03-15',
      assignee_id: null,
      assignee_contact: { name, email },
      position: 2,
    },
    { title: 'Review', due_date: '2026-04-07', assignee_id: mia.id, position: 1 },
  ])
})

test('devices get each record made from a template, with its own version', async () => {
  const { id: template_id } = await make()
  const { version } = (await mia.get('/api/v1/changes?since=0')).json
  const plan = await mia.createPlan({ template_id })
  const changes = (await mia.get(`/api/v1/changes?since=${String(version)}`)).json
  const data = changes.data as Record<string, { id: string; version: number }[]>
  expect(data.success_plans?.map(({ id }) => id)).toEqual([plan])
  const records = [data.success_plans, data.initiatives, data.actions].flatMap((all) => all ?? [])
  expect(records).toHaveLength(6)
  expect(new Set(records.map((record) => record.version)).size).toBe(6)
  expect(Math.max(...records.map((record) => record.version))).toBe(changes.version)
})

test('the progress of an automatic plan follows the actions of its template', async () => {
  const { id: template_id } = await make()
  const sent = { template_id, progress: 40 }
  const automatic = await mia.createPlan({ ...sent, progress_mode: 'auto' })
  expect((await mia.get(`/api/v1/success-plans/${automatic}`)).data()).toMatchObject({
    progress: 0,
    actions_count: 3,
  })
  const manual = await mia.createPlan(sent)
  expect((await mia.get(`/api/v1/success-plans/${manual}`)).data()).toMatchObject({ progress: 40 })
})

test('a plan from a template starts today in the organisation’s time zone by default', async () => {
  const { id: template_id } = await make({ initiatives: [] })
  await mia.call('PUT', `/api/v1/organisations/${mia.organisation}`, {
    body: { timezone: 'Pacific/Kiritimati' },
  })
  // 09:00 UTC on the second is late in the evening of the second in that zone.
  world.advance({ minutes: 5 * 60 })
  const plan = await mia.createPlan({ template_id })
  expect((await mia.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({
    start_date: '2026-03-03',
    end_date: '2026-04-02',
  })
  const refused = await mia.post('/api/v1/success-plans', {
    title: 'Ends before it starts',
    type: 'project',
    template_id,
    start_date: '2026-03-02',
    end_date: '2026-03-01',
  })
  expect(Object.keys(refused.json.errors ?? {})).toEqual(['end_date'])
})

test('a date and a cadence that are null stay without', async () => {
  const { id: template_id } = await make({ update_cadence_days: 14 })
  const none = { start_date: null, end_date: null, update_cadence_days: null }
  const plan = await mia.createPlan({ template_id, ...none })
  expect((await mia.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({
    template_id,
    ...none,
  })
  expect((await partsOf(plan, 'actions')).length).toBeGreaterThan(0)
  const end = await mia.createPlan({ template_id, start_date: null, end_date: '2026-08-28' })
  expect((await mia.get(`/api/v1/success-plans/${end}`)).data()).toMatchObject({
    start_date: null,
    end_date: '2026-08-28',
    update_cadence_days: 14,
  })
})

test('a plan can name its template later, and gets nothing of it then', async () => {
  const { id: template_id } = await make()
  const plan = await mia.createPlan({})
  const path = `/api/v1/success-plans/${plan}`
  expect((await mia.call('PATCH', path, { body: { template_id } })).data()).toMatchObject({
    template_id,
    start_date: null,
    actions_count: 0,
  })
  const unknown = '01980000-0000-7000-8000-00000000dead'
  expect(
    (await mia.call('PATCH', path, { body: { template_id: unknown } })).json.errors,
  ).toHaveProperty('template_id')
})

test('a plan whose template was deleted can be sent back whole', async () => {
  const { id: template_id } = await make()
  const path = `/api/v1/success-plans/${await mia.createPlan({ template_id })}`
  await mia.call('DELETE', `/api/v1/templates/${template_id}`)
  const whole = (await mia.get(path)).data()
  const edited = await mia.call('PATCH', path, { body: { ...whole, title: 'Renamed' } })
  expect(edited.data()).toMatchObject({ title: 'Renamed', template_id })
})

test('a plan with an end alone is made backwards, and skips weekends where that is wanted', async () => {
  const action = { title: 'Review', due_offset_days: 3 }
  const { id: template_id } = await make({
    initiatives: [{ title: 'I', start_offset_days: 0, end_offset_days: 10, actions: [action] }],
  })
  for (const [skip_weekends, due_date, end_date] of [
    [false, '2026-08-01', '2026-08-08'],
    [true, '2026-08-03', '2026-08-10'],
  ] as const) {
    // 30 days before: a Wednesday.
    const plan = await mia.createPlan({ template_id, end_date: '2026-08-28', skip_weekends })
    expect((await mia.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({
      start_date: '2026-07-29',
      end_date: '2026-08-28',
    })
    expect(await partsOf(plan, 'initiatives')).toMatchObject([
      { start_date: '2026-07-29', end_date },
    ])
    expect(await partsOf(plan, 'actions')).toMatchObject([{ due_date }])
  }
})

test.each([
  [{ end_date: '0001-01-05' }, 'end_date'],
  [{ start_date: '9999-12-30' }, 'start_date'],
])('a plan with %j and a template is rejected at its field', async (days, field) => {
  const { id: template_id } = await make()
  const body = { title: 'Beyond the calendar', type: 'project', template_id, ...days }
  const message = 'Enter a day that exists, as YYYY-MM-DD.'
  expect((await mia.post('/api/v1/success-plans', body)).statusAndBody).toEqual({
    status: 422,
    body: { message, errors: { [field]: [message] } },
  })
})

test('a plan from a template sent twice is created once', async () => {
  const { id: template_id } = await make()
  const body = { id: uuidv7(), title: 'Made offline', type: 'project', template_id }
  const first = await mia.post('/api/v1/success-plans', body)
  const repeated = await mia.post('/api/v1/success-plans', body)
  expect([first.status, repeated.status]).toEqual([201, 200])
  expect(await partsOf(body.id, 'actions')).toHaveLength(3)
})

test('a template sent twice is created once', async () => {
  const body = { ...TEMPLATE, id: uuidv7() }
  const first = await mia.post('/api/v1/templates', body)
  const repeated = await mia.post('/api/v1/templates', body)
  expect([first.status, repeated.status]).toEqual([201, 200])
  expect(repeated.data()).toEqual(first.data())
})

test('a plan saved as a template keeps its content', async () => {
  const { id: template_id } = await make()
  const plan = await mia.createPlan({ title: 'The model', template_id, start_date: '2026-03-10' })
  const actions = await partsOf(plan, 'actions')
  const [, second] = actions
  await mia.call('PUT', '/api/v1/actions', { body: { id: second?.id, status: 'cancelled' } })
  const saved = await mia.post('/api/v1/templates', { from_success_plan_id: plan })
  expect(saved.status).toBe(201)
  expect(saved.data()).toMatchObject({
    title: 'The model',
    type: 'project',
    duration_days: 30,
    update_cadence_days: 7,
    initiatives: [
      {
        title: 'Begin',
        start_offset_days: 0,
        end_offset_days: 10,
        actions: [{ title: 'Kick-off', due_offset_days: 2, assignee_role: 'plan-owner' }],
      },
      { title: 'Go on', start_offset_days: 10, end_offset_days: 30 },
    ],
  })
})

test('a plan without dates can be saved as a template', async () => {
  const plan = await mia.createPlan()
  await mia.post('/api/v1/initiatives', { title: 'Undated', success_plan_id: plan })
  const saved = await mia.post('/api/v1/templates', { from_success_plan_id: plan, title: 'Other' })
  expect(saved.data()).toMatchObject({
    title: 'Other',
    duration_days: 1,
    initiatives: [{ title: 'Undated', start_offset_days: 0, end_offset_days: 1, actions: [] }],
  })
})

/** Writes initiatives, each with some actions, to a plan: through the API they would take minutes. */
async function fillPlan(
  plan: string,
  {
    initiatives,
    actions,
    cancelled = 0,
    description = null,
  }: { initiatives: number; actions: number; cancelled?: number; description?: string | null },
) {
  const at = world.now.toISOString()
  const columns = (index: number) => ({
    organisation_id: mia.organisation,
    id: uuidv7(),
    success_plan_id: plan,
    position: index + 1,
    version: 1,
    created_by: mia.id,
    created_at: at,
    updated_at: at,
    description,
  })
  await world.database.system(async (tx) => {
    for (let index = 0; index < initiatives; index += 1) {
      const row = { ...columns(index), title: `Initiative ${index + 1}`, status: 'planned' }
      await tx.insertInto('initiatives').values(row).execute()
      const made = Array.from({ length: actions + cancelled }, (_, place) => ({
        ...columns(place),
        title: 'Action',
        initiative_id: row.id,
        status: place < actions ? 'todo' : 'cancelled',
      }))
      if (made.length > 0) await tx.insertInto('actions').values(made).execute()
    }
  })
}

const FULL_TEXT =
  'This plan has more text than a template can have. Shorten its descriptions first.'

test.for<[string, Parameters<typeof fillPlan>[1], string]>([
  [
    '51 initiatives',
    { initiatives: 51, actions: 0 },
    'A template can have 50 initiatives, and this plan has more. Delete some, or move them to another plan first.',
  ],
  [
    '101 actions in an initiative',
    { initiatives: 1, actions: 101 },
    'An initiative of a template can have 100 actions, and “Initiative 1” has 101. Cancel some, or move them to another initiative first.',
  ],
  ['2 MB of text', { initiatives: 2, actions: 100, description: 'x'.repeat(10_000) }, FULL_TEXT],
  [
    'much to be escaped',
    { initiatives: 1, actions: 60, description: '\n'.repeat(10_000) },
    FULL_TEXT,
  ],
])('a plan with %s is not saved as a template', async ([, content, message]) => {
  const plan = await mia.createPlan()
  await fillPlan(plan, content)
  const refused = await mia.post('/api/v1/templates', { from_success_plan_id: plan })
  expect(refused.statusAndBody).toEqual({
    status: 422,
    body: { message, errors: { from_success_plan_id: [message] } },
  })
})

test('a plan of 50 initiatives, with 100 actions that are not cancelled, is saved as a template', async () => {
  const plan = await mia.createPlan()
  await fillPlan(plan, { initiatives: 49, actions: 1 })
  await fillPlan(plan, { initiatives: 1, actions: 100, cancelled: 1 })
  const saved = await mia.post('/api/v1/templates', { from_success_plan_id: plan })
  expect(saved.status).toBe(201)
})

test('a member can read and use templates, but not write them', async () => {
  const { id } = await make()
  const forbidden = { status: 403, body: { message: 'You may not do this.' } }
  const path = `/api/v1/templates/${id}`
  expect((await member.get(path)).status).toBe(200)
  expect((await member.post('/api/v1/templates', TEMPLATE)).statusAndBody).toEqual(forbidden)
  expect((await member.call('PUT', path, { body: { title: 'Mine' } })).statusAndBody).toEqual(
    forbidden,
  )
  expect((await member.call('DELETE', path)).statusAndBody).toEqual(forbidden)
})

test('a stale edit or deletion is rejected with the present template', async () => {
  const { id, version } = await make()
  const headers = { 'If-Match': `"${version}"` }
  const path = `/api/v1/templates/${id}`
  const edited = await mia.call('PUT', path, { body: { title: 'Two' }, headers })
  expect(edited.data()).toMatchObject({ title: 'Two', duration_days: 30 })
  for (const answer of [
    await mia.call('PUT', path, { body: { title: 'Three' }, headers }),
    await mia.call('DELETE', path, { headers }),
  ]) {
    expect(answer.status).toBe(412)
    expect(answer.data()).toMatchObject({ title: 'Two' })
  }
  expect((await mia.call('DELETE', path)).status).toBe(204)
})

test('a plan outlives its template', async () => {
  const { id: template_id } = await make()
  const plan = await mia.createPlan({ template_id })
  await mia.call('DELETE', `/api/v1/templates/${template_id}`)
  expect((await mia.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({ template_id })
  const renamed = await mia.call('PATCH', `/api/v1/success-plans/${plan}`, {
    body: { title: 'Still here' },
  })
  expect(renamed.status).toBe(200)
})

test('the free plan’s template limit holds against simultaneous creates', async () => {
  const free = await world.createOwner('Free', 'free')
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => free.post('/api/v1/templates', TEMPLATE)),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.find(({ status }) => status !== 201)?.statusAndBody).toEqual({
    status: 403,
    body: {
      message: 'The Free plan includes 3 templates. Upgrade to add more.',
      code: 'plan_limit_reached',
    },
  })
})

const initiative = TEMPLATE.initiatives[0]
test.each([
  [{ title: undefined }, 'title'],
  [{ duration_days: undefined }, 'duration_days'],
  [{ duration_days: 0 }, 'duration_days'],
  [{ type: 'wish' }, 'type'],
  [{ initiatives: [{ ...initiative, title: '' }] }, 'initiatives.0.title'],
  [{ initiatives: [{ ...initiative, end_offset_days: -1 }] }, 'initiatives.0.end_offset_days'],
  [{ initiatives: [{ ...initiative, start_offset_days: 11 }] }, 'initiatives.0.end_offset_days'],
  [
    { initiatives: [{ ...initiative, actions: [{ title: 'A', due_offset_days: 0.5 }] }] },
    'initiatives.0.actions.0.due_offset_days',
  ],
  [
    {
      initiatives: [
        { ...initiative, actions: [{ title: 'A', due_offset_days: 1, assignee_role: 'me' }] },
      ],
    },
    'initiatives.0.actions.0.assignee_role',
  ],
  [{ initiatives: Array.from({ length: 51 }, () => initiative) }, 'initiatives'],
  [{ from_success_plan_id: 'x' }, 'from_success_plan_id'],
])('a template with %j is rejected at its field', async (fields, field) => {
  const answer = await mia.post('/api/v1/templates', { ...TEMPLATE, ...fields })
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.json.errors ?? {})).toEqual([field])
})

test('the work of a plan goes to another account with it, and to a plan with its initiative', async () => {
  const { id: template_id } = await make()
  const account = (name: string) =>
    mia.post('/api/v1/accounts', { name }).then((answer) => answer.data<{ id: string }>().id)
  const [old, next] = [await account('Old'), await account('Next')]
  const plan = await mia.createPlan({ type: 'customer', account_id: old, template_id })
  const own = {
    success_plan_id: plan,
    title: 'Of a third account',
    account_id: await account('Third'),
  }
  await mia.post('/api/v1/initiatives', own)
  const third = own.account_id
  const NAMES = new Map([
    [old, 'old'],
    [next, 'next'],
    [third, 'third'],
  ])
  const accounts = async (of: string, ...kinds: string[]) =>
    (await Promise.all(kinds.map((kind) => partsOf(of, kind))))
      .flat()
      .map(({ account_id }) => NAMES.get(String(account_id)) ?? '')
      .toSorted()
      .join(' ')
  const all = ['initiatives', 'actions']
  expect(await accounts(plan, ...all)).toBe('old old old old old third')
  const { latest } = (await mia.get('/api/v1/changes?since=0')).json
  const moved = await mia.call('PATCH', `/api/v1/success-plans/${plan}`, {
    body: { account_id: next },
  })
  expect(moved.status).toBe(200)
  expect(await accounts(plan, ...all)).toBe('next next next next next third')
  // Other devices are told of what has moved, and of that alone.
  const changes = (await mia.get(`/api/v1/changes?since=${String(latest)}`)).json
  const { initiatives, actions } = changes.data as Record<string, unknown[]>
  expect([initiatives?.length, actions?.length]).toEqual([2, 3])
  expect((await mia.call('DELETE', `/api/v1/accounts/${old}`)).status).toBe(204)

  const other = await mia.createPlan({ type: 'customer', account_id: third })
  const first = (await partsOf(plan, 'initiatives')).find(({ title }) => title === 'Begin')
  await mia.call('PUT', `/api/v1/initiatives/${String(first?.id)}`, {
    body: { success_plan_id: other },
  })
  expect(await accounts(other, ...all)).toBe('third third third')
  const [action] = await partsOf(other, 'actions')
  await mia.call('PUT', '/api/v1/actions', {
    body: { id: action?.id, initiative_id: null, success_plan_id: plan },
  })
  expect(await accounts(plan, 'actions')).toBe('next next')
})
