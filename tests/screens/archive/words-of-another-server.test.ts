// The app's own export of a server with words of its own, such as the status `lead`: one of them refused the import of
// the whole archive.
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

const restored = (contents: Partial<Contents>) => {
  const { calls, problems, unknown } = restore(
    manifestOf('3', 'North'),
    { ...nothing, people: [ADA], ...contents },
    {
      organisation_id: '7',
      apis: [API],
      user: ADA,
      members: [ADA],
      existing: nothing,
      aliases: new Map(),
      isUnsent: () => true,
      plansWithoutUpdates: [],
      keeps: () => true,
      addsTemplates: true,
    },
  )
  expect(problems).toEqual([])
  const bodies = calls.map(
    ({ call, input }) => [call, { ...Object(input.body) } as object] as const,
  )
  return { bodies, unknown }
}

it('imports the records without those words, and names them', () => {
  const { bodies, unknown } = restored({
    accounts: [
      accountWith({ id: '1', name: 'Flood', status: 'lead', tier: 'gold', currency: 'points' }),
      accountWith({ id: '2', name: 'Fell', status: 'lead' }),
    ],
    initiatives: [initiativeWith({ id: '1', title: 'Pilot', status: 'on_ice', health: 'green' })],
    actions: [actionWith({ id: '1', title: 'Call', status: 'open', priority: 'urgent' })],
  })
  expect(bodies.map(([call]) => call)).toEqual([
    'createAccount',
    'createAccount',
    'createInitiative',
    'createAction',
  ])
  const [flood, fell, initiative, action] = bodies.map(([, body]) => body)
  expect(flood).toMatchObject({ name: 'Flood' })
  for (const field of ['status', 'tier', 'currency']) expect(flood).not.toHaveProperty(field)
  expect(fell).toMatchObject({ name: 'Fell', currency: 'EUR' })
  expect(initiative).toMatchObject({ title: 'Pilot' })
  expect(initiative).not.toHaveProperty('health')
  expect(action).toMatchObject({ title: 'Call' })
  expect(unknown).toEqual([
    'Tier “gold”',
    'Status “lead”',
    'Currency “points”',
    'Status “on_ice”',
    'Health “green”',
    'Status “open”',
    'Priority “urgent”',
  ])
})

it('leaves out updates and outcomes that say nothing else, and completes a plan all the same', () => {
  const renewal = {
    id: '1',
    due: '2026-01-31',
    outcome: 'paused',
    amount: null,
    currency: 'EUR',
    next_date: null,
    note: null,
    user_id: null,
    recorded_at: '2026-02-01T10:00:00Z',
  }
  const update = { success_plan_id: '1', body: '', progress_to: null }
  const { bodies, unknown } = restored({
    accounts: [accountWith({ id: '1', renewals: [renewal] })],
    success_plans: [
      planWith({ id: '1', account_id: '1', type: 'renewal', status: 'completed', outcome: 'won' }),
    ],
    success_plan_updates: [
      updateWith({ ...update, id: '1', health: 'green' }),
      updateWith({ ...update, id: '2', body: 'Agreed.', health: 'green' }),
    ],
  })
  expect(bodies.map(([call]) => call)).toEqual([
    'createAccount',
    'createSuccessPlan',
    'postPlanUpdate',
    'postPlanUpdate',
  ])
  expect(bodies[0]?.[1]).not.toHaveProperty('renewal_outcome')
  expect(bodies[2]?.[1]).toMatchObject({ body: 'Agreed.' })
  expect(bodies[3]?.[1]).toMatchObject({ status: 'completed', outcome: 'partially-achieved' })
  expect(unknown).toEqual([
    'Outcome of the renewal “paused”',
    'Type “renewal”',
    'Health “green”',
    'Outcome “won”',
  ])
})
