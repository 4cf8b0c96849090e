// An archive of any history that users can make, imported into an empty organisation by the operations that
// the app queues, and written again.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transitionsFrom } from '../../../contract/rules.ts'
import { HEALTHS, OUTCOMES } from '../../../contract/values.ts'
import { overlayAccounts } from '../../../src/data/accounts.ts'
import { overlayActions } from '../../../src/data/actions.ts'
import { overlayInitiatives } from '../../../src/data/initiatives.ts'
import { overlayPlans, overlayUpdates } from '../../../src/data/success-plans/overlay.ts'
import type { Template } from '../../../contract/schemas/templates.ts'
import type { Contents, Person } from '../../../src/features/archive/format.ts'
import { readArchive } from '../../../src/features/archive/read-archive.ts'
import { restore, type Restoration } from '../../../src/features/archive/restore.ts'
import type { RestoreCall } from '../../../src/features/archive/restoring.ts'
import { writeArchive } from '../../../src/features/archive/write-archive.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import {
  accountWith,
  actionWith,
  initiativeWith,
  operationWith,
  planWith,
  updateWith,
} from '../fixtures/record-fixtures.ts'
import { API, comparable, manifestOf, mappedIds, originOf } from './archive-fixture.ts'

const ID = (kind: number, at: number) =>
  `01980000-0000-7000-8000-${String(kind).padStart(4, '0')}${String(at).padStart(8, '0')}`
const NORTH = ID(9, 1)
const SOUTH = ID(9, 2)
/** All that is there is on this device alone. */
const UNSENT = {
  apis: [API],
  isUnsent: () => true,
  plansWithoutUpdates: [],
  keeps: () => true,
  addsTemplates: true,
}
const ADA: Person = { id: ID(8, 1), name: 'Ada Fell', email: 'ada@example.com' }
const BOB: Person = { id: ID(8, 2), name: 'Bob Tarn', email: 'bob@example.com' }

/** The organisation after those operations of a user, as a screen shows it. */
function contentsAfter(calls: readonly RestoreCall[], user: Person, people: Person[]): Contents {
  const operations = calls.map(({ call, input }): Operation =>
    operationWith({ endpoint: call, input, user_id: user.id }),
  )
  const plans = overlayPlans([], operations)
  return {
    people,
    accounts: overlayAccounts([], operations),
    success_plans: plans,
    // Newest first on a screen; of the same moment in any order.
    success_plan_updates: plans.flatMap(({ id }) =>
      overlayUpdates(id, [], operations)
        .map(({ update }) => update)
        .toReversed(),
    ),
    initiatives: overlayInitiatives([], operations),
    actions: overlayActions([], operations),
    templates: calls.flatMap(({ call, input }) =>
      call === 'createTemplate' ? [templateWith(input.body as Partial<Template>)] : [],
    ),
  }
}

const TEMPLATE = ID(10, 1)
const templateWith = (fields: Partial<Template>): Template => ({
  id: TEMPLATE,
  title: 'Onboarding',
  description: null,
  type: null,
  duration_days: 90,
  update_cadence_days: null,
  initiatives: [],
  version: 1,
  created_by: null,
  created_at: null,
  updated_at: null,
  ...fields,
})
const createTemplate: RestoreCall = {
  call: 'createTemplate',
  input: { body: { id: TEMPLATE, title: 'Onboarding', duration_days: 90, initiatives: [] } },
}

const text = fc.stringMatching(/^[A-ZÄ🙂][a-z "\\,;\n\u2028é]{0,40}[a-z]$/u)
const day = fc
  .integer({ min: 0, max: 900 })
  .map((days) => new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10))
const minute = (at: number) => new Date(Date.UTC(2025, 3, 1, 0, at)).toISOString()

const anyAccount = fc.record({
  title: text,
  tags: fc.uniqueArray(fc.constantFrom('north', 'at board level'), { maxLength: 2 }),
  arr: fc.constantFrom(null, 48_000.5),
  notes: fc.option(text),
  contacts: fc.array(
    fc.record({ name: text, phone: fc.constantFrom('+49 (0)30 123-4 ext 5', null, undefined) }),
    {
      maxLength: 2,
    },
  ),
  outcomes: fc.array(fc.constantFrom('EUR', 'USD'), { maxLength: 3 }),
})
const step = fc.record({
  body: text,
  progress: fc.option(fc.integer({ min: 0, max: 100 })),
  health: fc.constantFrom(...HEALTHS, null),
  /** Which of the allowed statuses is next, if any. */
  next: fc.option(fc.nat({ max: 5 })),
  /** Null if it is cleared after the plan is completed. */
  outcome: fc.constantFrom(...OUTCOMES, null),
})
const anyPlan = fc.record({
  title: text,
  account: fc.option(fc.nat({ max: 4 })),
  first: fc.constantFrom('planned', 'in-progress'),
  health: fc.constantFrom(...HEALTHS, null),
  progress: fc.integer({ min: 0, max: 100 }),
  mode: fc.constantFrom('manual', 'auto'),
  isFromTemplate: fc.boolean(),
  dates: fc.tuple(day, day),
  description: fc.option(text),
  steps: fc.array(step, { maxLength: 6 }),
  /** What is changed without an update. */
  edits: fc.record(
    {
      health: fc.constant(null),
      outcome: fc.constantFrom(...OUTCOMES, null),
      close_note: fc.option(text),
    },
    { requiredKeys: [] },
  ),
  work: fc.array(
    fc.record({
      title: text,
      status: fc.constantFrom('planned', 'in-progress', 'paused', 'completed', 'cancelled'),
      actions: fc.array(fc.constantFrom('todo', 'in-progress', 'done', 'cancelled'), {
        maxLength: 3,
      }),
    }),
    { maxLength: 2 },
  ),
})

type Made<A> = A extends fc.Arbitrary<infer T> ? T : never

const line = (words: string) => words.replaceAll(/[\n\u2028]/g, ' ')

/** The calls by which a user would have made an account. */
const accountCalls = (
  { title, tags, arr, notes, contacts, outcomes }: Made<typeof anyAccount>,
  at: number,
): RestoreCall[] => [
  {
    call: 'createAccount',
    input: {
      body: {
        id: ID(1, at),
        name: line(title),
        currency: outcomes[0] ?? 'EUR',
        tags,
        ...(arr !== null && { arr }),
        ...(notes !== null && { notes }),
        contacts: contacts.map(({ name, phone }, n) => ({
          id: ID(2, at * 10 + n),
          name: line(name),
          phone,
          is_primary: n === 0,
        })),
      },
    },
  },
  ...outcomes.map((currency, n): RestoreCall => ({
    call: 'updateAccount',
    input: {
      path: { id: ID(1, at) },
      body: {
        currency,
        renewal_outcome: {
          id: ID(3, at * 10 + n),
          due: '2025-06-30',
          outcome: 'renewed',
          recorded_at: minute(n),
        },
      },
    },
  })),
]

/** The calls by which a user would have made a plan with its history and its work. */
function planCalls(plan: Made<typeof anyPlan>, at: number, accounts: number): RestoreCall[] {
  const id = ID(4, at)
  const account_id = plan.account !== null && plan.account < accounts ? ID(1, plan.account) : null
  const [start_date, end_date] = plan.dates.toSorted()
  let status: string = plan.first
  let isCleared = false
  const updates = plan.steps.map(({ body, progress, health, next, outcome }, n): RestoreCall => {
    const to = next === null ? undefined : transitionsFrom(status)[next]
    if (to) {
      status = to
      isCleared = to === 'completed' && outcome === null
    }
    return {
      call: 'postPlanUpdate',
      input: {
        path: { id },
        body: {
          id: ID(5, at * 10 + n),
          body,
          written_at: minute(n),
          ...(progress !== null && { progress }),
          ...(health !== null && { health }),
          ...(to && { status: to }),
          ...(to === 'completed' && { outcome: outcome ?? 'missed' }),
        },
      },
    }
  })
  const work = plan.work.flatMap(({ title, status: end, actions }, n): RestoreCall[] => [
    {
      call: 'createInitiative',
      input: {
        body: {
          id: ID(6, at * 10 + n),
          title: line(title),
          success_plan_id: id,
          position: n,
          status: end === 'planned' ? 'planned' : 'in-progress',
        },
      },
    },
    ...(end === 'planned' || end === 'in-progress'
      ? []
      : [
          {
            call: 'updateInitiative' as const,
            input: { path: { id: ID(6, at * 10 + n) }, body: { status: end } },
          },
        ]),
    ...actions.map((state, m): RestoreCall => ({
      call: 'createAction',
      input: {
        body: {
          id: ID(7, at * 100 + n * 10 + m),
          title: `Step ${m}`,
          status: state,
          success_plan_id: id,
          initiative_id: ID(6, at * 10 + n),
          position: m,
          ...(state === 'done' && { completed_at: minute(m) }),
        },
      },
    })),
  ])
  return [
    {
      call: 'createSuccessPlan',
      input: {
        body: {
          id,
          title: line(plan.title),
          type: account_id === null ? 'project' : 'customer',
          ...(account_id !== null && { account_id }),
          status: plan.first,
          progress: plan.progress,
          owner_id: ADA.id,
          start_date,
          end_date,
          ...(plan.isFromTemplate && { template_id: TEMPLATE }),
          ...(plan.health !== null && { health: plan.health }),
          ...(plan.description !== null && { description: plan.description }),
        },
      },
    },
    ...updates,
    ...(isCleared
      ? [
          {
            call: 'updateSuccessPlan' as const,
            input: { path: { id }, body: { outcome: null } },
          },
        ]
      : []),
    ...(Object.keys(plan.edits).length > 0
      ? [{ call: 'updateSuccessPlan' as const, input: { path: { id }, body: plan.edits } }]
      : []),
    ...(plan.mode === 'auto'
      ? [
          {
            call: 'updateSuccessPlan' as const,
            input: { path: { id }, body: { progress_mode: 'auto' } },
          },
        ]
      : []),
    ...work,
  ]
}

const anyHistory = fc
  .tuple(fc.array(anyAccount, { maxLength: 3 }), fc.array(anyPlan, { maxLength: 4 }))
  .map(([accounts, plans]) => [
    createTemplate,
    ...accounts.flatMap(accountCalls),
    ...plans.flatMap((plan, at) => planCalls(plan, at, accounts.length)),
  ])

const nothing = {
  accounts: [],
  success_plans: [],
  success_plan_updates: [],
  initiatives: [],
  actions: [],
  templates: [],
}

const importInto = async (
  bytes: Uint8Array,
  user: Person,
  existing = nothing as Omit<Contents, 'people'>,
) => {
  const read = await readArchive(bytes)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const target = {
    organisation_id: SOUTH,
    user,
    members: [ADA, BOB],
    existing,
    aliases: new Map(),
    ...UNSENT,
  }
  const restoration = restore(read.manifest, read.contents, target)
  expect(restoration.problems).toEqual([])
  return restoration
}

it('brings every organisation back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (history) => {
      const north = contentsAfter(history, ADA, [ADA])
      const { bytes } = await writeArchive(north, originOf(NORTH, 'North'))
      const { calls } = await importInto(bytes, ADA)
      const south = contentsAfter(calls, ADA, [ADA])
      expect(comparable(south)).toEqual(comparable(north, mappedIds(NORTH, SOUTH)))
      // Again: there is nothing to do.
      expect((await importInto(bytes, ADA, south)).calls).toEqual([])
    }),
    { numRuns: 60 },
  )
})

it('continues after an interruption at any place, and makes nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, fc.nat(), async (history, cut) => {
      const { bytes } = await writeArchive(
        contentsAfter(history, ADA, [ADA]),
        originOf(NORTH, 'North'),
      )
      const { calls } = await importInto(bytes, ADA)
      const done = calls.slice(0, cut % (calls.length + 1))
      const { calls: rest } = await importInto(bytes, ADA, contentsAfter(done, ADA, [ADA]))
      const whole = comparable(contentsAfter(calls, ADA, [ADA]))
      expect(comparable(contentsAfter([...done, ...rest], ADA, [ADA]))).toEqual(whole)
    }),
    { numRuns: 60 },
  )
})

it('brings an initiative that was completed before to its progress once, also while it waits to be sent', async () => {
  const id = ID(6, 1)
  const history: RestoreCall[] = [
    { call: 'createInitiative', input: { body: { id, title: 'Pilot', status: 'in-progress' } } },
    { call: 'updateInitiative', input: { path: { id }, body: { status: 'completed' } } },
    { call: 'updateInitiative', input: { path: { id }, body: { status: 'in-progress' } } },
  ]
  const { bytes } = await writeArchive(contentsAfter(history, ADA, [ADA]), originOf(NORTH, 'North'))
  const { calls } = await importInto(bytes, ADA)
  const south = contentsAfter(calls, ADA, [ADA])
  expect(south.initiatives).toMatchObject([{ status: 'in-progress', progress: 100 }])
  expect((await importInto(bytes, ADA, south)).calls).toEqual([])
  // After an interruption it goes on.
  const begun = contentsAfter(calls.slice(0, 1), ADA, [ADA])
  expect((await importInto(bytes, ADA, begun)).calls).toEqual(calls.slice(1))
})

it('keeps the name of another author in the text, once', async () => {
  const history = planCalls(
    {
      title: 'Launch',
      account: null,
      first: 'planned',
      health: null,
      progress: 0,
      mode: 'manual',
      isFromTemplate: false,
      dates: ['2025-01-01', '2025-06-30'],
      description: null,
      steps: [
        { body: 'x'.repeat(4_999), progress: null, health: null, next: null, outcome: 'missed' },
      ],
      edits: {},
      work: [],
    },
    0,
    0,
  )
  const { bytes } = await writeArchive(contentsAfter(history, ADA, [ADA]), originOf(NORTH, 'North'))
  const { calls } = await importInto(bytes, BOB)
  const south = contentsAfter(calls, BOB, [ADA, BOB])
  // What does not fit into the update is one of its own.
  expect(south.success_plan_updates.map(({ body }) => body.slice(0, 30)).toSorted()).toEqual([
    'Written by Ada Fell',
    'x'.repeat(30),
  ])
  const { bytes: again } = await writeArchive(south, originOf(SOUTH, 'South'))
  const third = await importInto(again, ADA)
  expect(
    contentsAfter(third.calls, ADA, [ADA]).success_plan_updates.map(({ body }) =>
      body.slice(0, 30),
    ),
  ).toContain('Written by Ada Fell')
})

it('keeps the name of a former member, and takes no two of them for the same person', () => {
  const former = (id: string, name: string): Person => ({ id, name, email: '' })
  const cleo = former(ID(8, 3), 'Cleo Marsh')
  const plan = planWith({ id: ID(4, 1), owner_id: cleo.id })
  const archive: Contents = {
    ...contentsAfter([], ADA, [ADA, cleo]),
    success_plans: [plan],
    success_plan_updates: [
      updateWith({ success_plan_id: plan.id, user_id: cleo.id, body: 'Agreed.' }),
    ],
  }
  const existing = contentsAfter([], BOB, [])
  const { calls, missing } = restore(manifestOf(NORTH, 'North'), archive, {
    organisation_id: SOUTH,
    user: BOB,
    members: [former(ID(8, 4), 'Dan Reed'), BOB],
    existing,
    aliases: new Map(),
    ...UNSENT,
  })
  expect(missing).toEqual(['Cleo Marsh'])
  expect(JSON.stringify(calls)).not.toContain(ID(8, 4))
  const posted = calls.find(({ call }) => call === 'postPlanUpdate')
  expect(posted?.input.body).toMatchObject({ body: 'Agreed.\n\nWritten by Cleo Marsh' })
})

describe('of a server that numbers the records of each table', () => {
  const CONTACT = { id: '1', name: 'Cleo', is_primary: true, email: null, title: null, role: null }
  const account = accountWith({ id: '1', name: 'Hafen', contacts: [CONTACT] })
  const other = accountWith({ id: '2', name: 'Alm', contacts: [CONTACT] })
  const plan = planWith({ id: '1', title: 'Launch', account_id: '2' })
  const EVA: Person = { id: '1', name: 'Eva Roth', email: 'eva@example.com' }
  const numbered: Contents = {
    people: [EVA],
    accounts: [account, other],
    success_plans: [plan],
    success_plan_updates: [updateWith({ id: '1', success_plan_id: '1', body: 'Agreed.' })],
    initiatives: [initiativeWith({ id: '1', success_plan_id: '1', account_id: '1' })],
    actions: [actionWith({ id: '1', initiative_id: '1', success_plan_id: null, account_id: '2' })],
    templates: [],
  }
  const target = { organisation_id: '7', user: EVA, members: [EVA] }
  const into = (existing: Omit<Contents, 'people'>, organisation_id = '7') =>
    restore(manifestOf('3', 'North'), numbered, {
      ...target,
      organisation_id,
      existing,
      aliases: new Map(),
      ...UNSENT,
    })
  const bodiesOf = ({ calls }: Restoration, name: string) =>
    calls
      .filter(({ call }) => call === name)
      .map(({ input }) => input.body as Record<string, unknown>)

  it('tells the records of two tables apart', () => {
    const restored = into(nothing)
    expect(restored.problems).toEqual([])
    const ids = restored.calls.map(({ input }) => (input.body as { id?: string }).id)
    expect(new Set(ids).size).toBe(restored.calls.length)
    const accounts = bodiesOf(restored, 'createAccount')
    const contacts = accounts.flatMap((one) => one.contacts as { id: string }[])
    expect(new Set(contacts.map(({ id }) => id)).size).toBe(2)
    const [first, second] = accounts.map(({ id }) => id)
    const [created] = bodiesOf(restored, 'createSuccessPlan')
    const [initiative] = bodiesOf(restored, 'createInitiative')
    expect(created).toMatchObject({ account_id: second, owner_id: EVA.id })
    expect(initiative).toMatchObject({ account_id: first, success_plan_id: created?.id })
    expect(bodiesOf(restored, 'createAction')).toMatchObject([
      { initiative_id: initiative?.id, account_id: second },
    ])
  })

  it('takes no record of another organisation for its own', () => {
    expect(into({ ...nothing, accounts: [account] }).counts.accounts).toEqual({
      added: 2,
      known: 0,
    })
  })

  it('adds what is missing in its own organisation, by table', () => {
    const { counts } = into({ ...nothing, accounts: [account] }, '3')
    expect(counts.accounts).toEqual({ added: 1, known: 1 })
    expect(counts.success_plans).toEqual({ added: 1, known: 0 })
  })

  it('makes nothing twice where the server gave its own ids to what was imported', () => {
    const first = into(nothing)
    const aliases = new Map(
      first.calls.map(({ input }, at): [string, { id: string }] => [
        (input.body as { id: string }).id,
        { id: String(at + 100) },
      ]),
    )
    const idOf = (name: string) => {
      const [body] = bodiesOf(first, name)
      return aliases.get(String(body?.id))?.id ?? ''
    }
    const existing = {
      ...nothing,
      success_plans: [{ ...plan, id: idOf('createSuccessPlan'), version: 1 }],
      success_plan_updates: [updateWith({ id: idOf('postPlanUpdate') })],
    }
    const again = restore(manifestOf('3', 'North'), numbered, {
      ...target,
      existing,
      aliases,
      ...UNSENT,
      isUnsent: () => false,
      plansWithoutUpdates: [],
    })
    expect(again.counts.success_plans).toEqual({ added: 0, known: 1 })
    expect(again.counts.success_plan_updates).toEqual({ added: 0, known: 1 })
    expect(bodiesOf(again, 'postPlanUpdate')).toEqual([])
  })

  it('makes again under new ids what was deleted since, and that once', () => {
    const first = into(nothing)
    const idsIn = ({ calls }: Restoration) =>
      calls.flatMap(({ input }) => (input.body as { id?: string }).id ?? [])
    const aliasesOf = (made: Restoration, from: number) =>
      new Map(idsIn(made).map((id, at): [string, { id: string }] => [id, { id: `${from + at}` }]))
    const importAgain = (
      aliases: ReadonlyMap<string, { id: string }>,
      existing: Omit<Contents, 'people'> = nothing,
    ) => restore(manifestOf('3', 'North'), numbered, { ...target, existing, aliases, ...UNSENT })

    const aliases = aliasesOf(first, 100)
    const second = importAgain(aliases)
    const ids = idsIn(second)
    expect(ids).toHaveLength(idsIn(first).length)
    const before = [...aliases].flatMap(([local, { id }]) => [local, id])
    expect(ids.filter((id) => before.includes(id))).toEqual([])
    expect(bodiesOf(second, 'createSuccessPlan')[0]?.account_id).toBe(
      bodiesOf(second, 'createAccount')[1]?.id,
    )
    // An import that was interrupted goes on with the same ids.
    expect(importAgain(aliases)).toEqual(second)

    const all = new Map([...aliases, ...aliasesOf(second, 200)])
    const third = all.get(String(bodiesOf(second, 'createSuccessPlan')[0]?.id))?.id ?? ''
    const there = { ...nothing, success_plans: [{ ...plan, id: third }] }
    expect(importAgain(all, there).counts.success_plans).toEqual({ added: 0, known: 1 })
  })

  it.each([
    { name: 'sets no status back that was changed here since', here: true },
    { name: 'posts nothing again to a plan whose updates are not on the device', here: false },
  ])('$name', ({ here }) => {
    const changed = {
      ...nothing,
      accounts: [account, other],
      success_plans: [{ ...plan, version: 0, status: 'paused' }],
      success_plan_updates: here
        ? [updateWith({ id: '1', success_plan_id: '1', body: 'Agreed.' })]
        : [],
      initiatives: numbered.initiatives.map((one) => ({ ...one, version: 0, status: 'planned' })),
      actions: numbered.actions,
    }
    const archive: Contents = {
      ...numbered,
      success_plans: [{ ...plan, status: 'completed' }],
      initiatives: numbered.initiatives.map((one) => ({ ...one, status: 'completed' })),
    }
    const { calls, counts } = restore(manifestOf('3', 'North'), archive, {
      ...target,
      organisation_id: '3',
      existing: changed,
      aliases: new Map(),
      ...UNSENT,
      isUnsent: () => false,
      plansWithoutUpdates: here ? [] : ['1'],
    })
    expect(calls).toEqual([])
    expect(counts.success_plan_updates).toEqual({ added: 0, known: 1 })
  })
})

describe('a plan that was made from a template', () => {
  const plan = planWith({ id: ID(4, 1), template_id: TEMPLATE, start_date: null, end_date: null })
  const archive = {
    ...contentsAfter([createTemplate], ADA, [ADA]),
    success_plans: [plan],
  }
  const into = (existing: Omit<Contents, 'people'>, addsTemplates: boolean) =>
    restore(manifestOf(NORTH, 'North'), archive, {
      organisation_id: SOUTH,
      user: ADA,
      members: [ADA],
      existing,
      aliases: new Map(),
      ...UNSENT,
      addsTemplates,
    }).calls

  it('names it without being made from it again', () => {
    const calls = into(nothing, true)
    const plans = calls.filter(({ call }) => call.endsWith('SuccessPlan'))
    expect(
      plans.map(({ call, input }) => [call, Object.keys(Object(input.body) as object)]),
    ).toEqual([
      ['createSuccessPlan', expect.not.arrayContaining(['template_id', 'start_date', 'end_date'])],
      ['updateSuccessPlan', ['template_id']],
    ])
    const [template] = calls
    expect(plans[1]?.input.body).toEqual({
      template_id: template && (template.input.body as { id: string }).id,
    })
  })

  it('is without it where the template is not added', () => {
    const calls = into(nothing, false).filter(({ call }) => call !== 'createTemplate')
    expect(calls.map(({ call }) => call)).toEqual(['createSuccessPlan'])
  })

  it('names the one that is there', () => {
    const [create] = into(nothing, true)
    const templates = [templateWith(create?.input.body as Partial<Template>)]
    const calls = into({ ...nothing, templates }, false)
    expect(calls.map(({ call }) => call)).toEqual(['createSuccessPlan', 'updateSuccessPlan'])
  })
})
