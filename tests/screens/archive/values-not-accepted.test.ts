// One optional value that Cairn does not accept refused the import of a whole archive, which nobody can correct.
import { expect, it } from 'vitest'
import type { Contents } from '../../../src/features/archive/format.ts'
import { archiveMessages as messages } from '../../../src/features/archive/messages.ts'
import { restore } from '../../../src/features/archive/restore.ts'
import {
  accountWith,
  actionWith,
  initiativeWith,
  planWith,
  updateWith,
} from '../fixtures/record-fixtures.ts'
import { API, manifestOf } from './archive-fixture.ts'

const ADA = { id: '1', name: 'Ada Fell', email: 'ada@example.com' }
const BOB = { id: '2', name: 'Bob Tarn', email: 'bob@example.com' }
const nothing = {
  accounts: [],
  success_plans: [],
  success_plan_updates: [],
  initiatives: [],
  actions: [],
  templates: [],
}

/** The body of the first call of each name, and the values that are left out. */
const restored = (contents: Partial<Contents>) => {
  const { calls, problems, unknown } = restore(
    manifestOf('3', 'North'),
    { ...nothing, people: [ADA, BOB], ...contents },
    {
      organisation_id: '7',
      apis: [API],
      user: ADA,
      members: [ADA, BOB],
      existing: nothing,
      aliases: new Map(),
      isUnsent: () => true,
      plansWithoutUpdates: [],
      keeps: () => true,
      addsTemplates: true,
    },
  )
  expect(problems).toEqual([])
  const bodies: Record<string, Record<string, unknown>> = Object.fromEntries(
    calls
      .map(({ call, input }) => [call, input.body as Record<string, unknown>] as const)
      .toReversed(),
  )
  return { bodies, unknown }
}
const contact = {
  id: '1',
  name: 'Mia',
  email: 'mia@example.com',
  title: null,
  role: null,
  is_primary: true,
}
const renewal = {
  id: '1',
  due: '2026-01-31',
  outcome: 'renewed',
  amount: 5,
  currency: 'EUR',
  next_date: null,
  note: null,
  user_id: '1',
  recorded_at: '2026-02-01T10:00:00.000Z',
}

it.each([
  ['industry', { industry: '' }, {}, []],
  ['website', { website: ' ' }, {}, []],
  ['website', { website: 'acme.com' }, { website: 'https://acme.com' }, []],
  ['website', { website: 'javascript:alert(1)' }, {}, ['Website “javascript:alert(1)”']],
  ['arr', { arr: -4 }, {}, ['ARR “-4”']],
  [
    'tags',
    { tags: ['north', 'x'.repeat(60), 'south'] },
    { tags: ['north', 'south'] },
    [`Tags “${'x'.repeat(60)}”`],
  ],
  [
    'tags',
    { tags: Array.from({ length: 52 }, (_, at) => `t${at}`) },
    { tags: Array.from({ length: 50 }, (_, at) => `t${at}`) },
    ['Tags “t50”', 'Tags “t51”'],
  ],
  ['notes', { notes: 'x'.repeat(10_001) }, {}, [`Notes “${'x'.repeat(80)}…”`]],
] as const)(
  'an account is imported without %s that is not valid: %#',
  (field, given, kept, left) => {
    const account = accountWith({ id: '1', ...given } as Parameters<typeof accountWith>[0])
    const { bodies, unknown } = restored({ accounts: [account] })
    expect(bodies['createAccount']?.[field]).toEqual((kept as Record<string, unknown>)[field])
    expect(bodies['createAccount']).toMatchObject({ name: account.name })
    expect(unknown).toEqual(left)
  },
)

it.each([
  [{ title: '', role: ' ' }, [{ name: 'Mia', email: 'mia@example.com' }], []],
  [{ email: 'n/a' }, [{ name: 'Mia' }], ['Contacts “n/a”']],
  [{ phone: 'Tel. 030/123' }, [{ name: 'Mia' }], ['Contacts “Tel. 030/123”']],
  [{ name: '' }, [{ name: 'mia@example.com', email: 'mia@example.com' }], []],
  [{ name: 'x'.repeat(256) }, [], [`Contacts “${'x'.repeat(80)}…”`]],
])('a contact is imported without what is not valid: %#', (given, kept, left) => {
  const account = accountWith({ id: '1', contacts: [{ ...contact, ...given }] })
  const { bodies, unknown } = restored({ accounts: [account] })
  expect(bodies['createAccount']?.['contacts']).toMatchObject(kept)
  const [first = {}] = (bodies['createAccount']?.['contacts'] ?? []) as Record<string, unknown>[]
  for (const field of Object.keys(given))
    if (!Object.keys(kept[0] ?? {}).includes(field)) expect(first[field] ?? null).toBe(null)
  expect(unknown).toEqual(left)
})

it('of more contacts than an account has room for the first are imported', () => {
  const contacts = Array.from({ length: 101 }, (_, at) => ({ ...contact, id: String(at) }))
  const { bodies, unknown } = restored({ accounts: [accountWith({ id: '1', contacts })] })
  expect(bodies['createAccount']?.['contacts']).toHaveLength(100)
  expect(unknown).toEqual(['Contacts “Mia”'])
})

it('an outcome is recorded without the name of its author where both are too long for a note', () => {
  const outcomeWith = (length: number) => {
    const renewals = [{ ...renewal, user_id: BOB.id, note: 'x'.repeat(length) }]
    const { bodies, unknown } = restored({ accounts: [accountWith({ id: '1', renewals })] })
    expect(unknown).toHaveLength(length > 2_000 ? 1 : 0)
    return bodies['createAccount']?.['renewal_outcome'] as { due: string; note?: string }
  }
  expect(outcomeWith(1_900).note).toMatch(/x\n\nWritten by Bob Tarn$/)
  expect(outcomeWith(1_990).note).toBe('x'.repeat(1_990))
  expect(outcomeWith(2_001)).toMatchObject({ due: '2026-01-31', amount: 5 })
})

it('progress with parts of a per cent is rounded', () => {
  const update = { id: '1', success_plan_id: '1', body: 'Half.' }
  const plan = planWith({ id: '1', type: 'project', progress: 33.3 })
  const first = restored({ success_plans: [plan] })
  expect(first.bodies['createSuccessPlan']).toMatchObject({ progress: 33 })
  const { bodies, unknown } = restored({
    success_plans: [plan],
    success_plan_updates: [updateWith({ ...update, progress_from: 12.5, progress_to: 33.3 })],
  })
  expect(bodies['createSuccessPlan']).toMatchObject({ progress: 13 })
  expect(bodies['postPlanUpdate']).toMatchObject({ body: 'Half.', progress: 33 })
  expect([...first.unknown, ...unknown]).toEqual([])
})

it('plans, initiatives, updates and actions are imported without what is not valid', () => {
  const days = { start_date: '2026-05-01', end_date: '2026-04-01' }
  const assignee_contact = { name: 'Cleo', email: 'n/a' }
  const { bodies, unknown } = restored({
    success_plans: [planWith({ id: '1', type: 'project', ...days })],
    success_plan_updates: [
      updateWith({ id: '1', success_plan_id: '1', body: 'Agreed.', progress_to: 180 }),
    ],
    initiatives: [initiativeWith({ id: '1', success_plan_id: '1', ...days })],
    actions: [actionWith({ id: '1', success_plan_id: '1', assignee_contact })],
  })
  expect(bodies['createSuccessPlan']).toMatchObject({ start_date: '2026-05-01' })
  for (const call of ['createSuccessPlan', 'createInitiative'])
    expect(bodies[call]).not.toHaveProperty('end_date')
  expect(bodies['createAction']).toMatchObject({ assignee_contact: { name: 'Cleo' } })
  expect(unknown).toEqual(['End date “2026-04-01”', 'Progress “180”', 'Customer contact “n/a”'])
})

it('times in other forms stay what they are', () => {
  const written_at = 'Thu, 05 Mar 2026 10:00:00 GMT'
  const at = '2026-03-05T10:00:00.000Z'
  const { bodies, unknown } = restored({
    accounts: [accountWith({ id: '1', renewals: [{ ...renewal, recorded_at: written_at }] })],
    success_plans: [planWith({ id: '1', type: 'project' })],
    success_plan_updates: [updateWith({ id: '1', success_plan_id: '1', written_at })],
    actions: [
      actionWith({ id: '1', success_plan_id: '1', status: 'done', completed_at: written_at }),
    ],
  })
  expect(bodies['createAccount']).toMatchObject({ renewal_outcome: { recorded_at: at } })
  expect(bodies['postPlanUpdate']).toMatchObject({ written_at: at })
  expect(bodies['createAction']).toMatchObject({ completed_at: at })
  expect(unknown).toEqual([])
})

it('the preview names some of very many values, and says how many more there are', () => {
  const words = Array.from({ length: 1_025 }, (_, at) => `Website “${at}”`)
  expect(messages.unknown(words)).toMatch(/“18”.*“19”.*, and .?1,005 more/)
  expect(messages.unknown(words)).not.toContain('“20”')
  expect(messages.unknown(['Tier “gold”'])).toContain('Tier “gold”')
})
