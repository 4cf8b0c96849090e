// A server that does not keep every field: sending them anyway would ask the author about each record.
import { expect, it } from 'vitest'
import type { Contents } from '../../../src/features/archive/format.ts'
import { restore } from '../../../src/features/archive/restore.ts'
import {
  accountWith,
  actionWith,
  initiativeWith,
  planWith,
  updateWith,
} from '../fixtures/record-fixtures.ts'
import { API, manifestOf } from './archive-fixture.ts'

const ADA = { id: '01980000-0000-7000-8000-000000000001', name: 'Ada Fell', email: 'a@example.com' }
const nothing = {
  accounts: [],
  success_plans: [],
  success_plan_updates: [],
  initiatives: [],
  actions: [],
  templates: [],
}
const plan = planWith({ id: '1', progress_mode: 'auto', health: 'at-risk' })
const health = updateWith({
  id: '1',
  success_plan_id: '1',
  body: '',
  health: 'at-risk',
  progress_to: null,
})
const renewal = {
  id: '1',
  due: '2026-01-31',
  outcome: 'renewed',
  amount: null,
  currency: 'EUR',
  next_date: null,
  note: null,
  user_id: null,
  recorded_at: '2026-02-01T10:00:00Z',
}
const contents: Contents = {
  ...nothing,
  people: [ADA],
  accounts: [accountWith({ id: '1', tags: ['north'], notes: 'Call.', renewals: [renewal] })],
  success_plans: [plan],
  success_plan_updates: [
    health,
    updateWith({ id: '2', success_plan_id: '1', body: 'Agreed.', health: 'at-risk' }),
  ],
  initiatives: [initiativeWith({ id: '1', success_plan_id: '1', position: 2 })],
  actions: [actionWith({ id: '1', success_plan_id: '1', position: 3, priority: 'high' })],
}
const NOT_KEPT = new Map([
  ['accounts', ['tags', 'renewals']],
  ['success_plans', ['progress_mode', 'title']],
  ['success_plan_updates', ['health']],
  ['initiatives', ['position']],
  ['actions', ['position']],
])

const callsFor = (keeps: (collection: string, field: string) => boolean) =>
  restore(manifestOf('3', 'North'), contents, {
    organisation_id: '7',
    apis: [API],
    user: ADA,
    members: [ADA],
    existing: nothing,
    aliases: new Map(),
    isUnsent: () => true,
    plansWithoutUpdates: [],
    keeps,
    addsTemplates: false,
  })

it('leaves out what is not kept, and the calls that would change nothing then', () => {
  const { calls, problems } = callsFor(
    (collection, field) => NOT_KEPT.get(collection)?.includes(field) !== true,
  )
  expect(problems).toEqual([])
  const bodies = calls.map(
    ({ call, input }) => [call, { ...Object(input.body) } as object] as const,
  )
  expect(bodies.map(([call]) => call)).toEqual([
    'createAccount',
    'createSuccessPlan',
    'postPlanUpdate',
    'createInitiative',
    'createAction',
  ])
  const [account, created, update, initiative, action] = bodies.map(([, body]) => body)
  expect(account).toMatchObject({ notes: 'Call.' })
  expect(account).not.toHaveProperty('tags')
  expect(account).not.toHaveProperty('renewal_outcome')
  // Without a title there would be no plan.
  expect(created).toMatchObject({ title: plan.title })
  expect(update).toMatchObject({ body: 'Agreed.' })
  expect(update).not.toHaveProperty('health')
  expect(initiative).not.toHaveProperty('position')
  expect(action).not.toHaveProperty('position')
  expect(action).toMatchObject({ priority: 'high' })
})

it('sends all of it to a server that keeps it', () => {
  const { calls } = callsFor(() => true)
  expect(calls.map(({ call }) => call)).toEqual([
    'createAccount',
    'createSuccessPlan',
    'postPlanUpdate',
    'postPlanUpdate',
    'updateSuccessPlan',
    'createInitiative',
    'createAction',
  ])
  expect(calls[0]?.input.body).toMatchObject({
    tags: ['north'],
    renewal_outcome: { due: renewal.due },
  })
  expect(calls.at(-1)?.input.body).toMatchObject({ position: 3 })
})
