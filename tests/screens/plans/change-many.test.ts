import { describe, expect, it } from 'vitest'
import { PLAN_STATUSES } from '../../../contract/values.ts'
import { bulkMessages } from '../../../src/features/success-plans/bulk/messages.ts'
import { callOf, type PlanChange } from '../../../src/features/success-plans/bulk/plan-change.ts'
import { manyMessages } from '../../../src/widgets/editing/many/messages.ts'
import { splitRecords } from '../../../src/widgets/editing/many/record-change.ts'
import { changeManyMessages } from '../../../src/widgets/editing/messages.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const ALL = PLAN_STATUSES.map((status) => planWith({ id: status, title: status, status }))

/** Ids of the changed plans, and the reasons of the others by id. */
function outcome(plans: readonly ReturnType<typeof planWith>[], change: PlanChange) {
  const { changed, leftOut } = splitRecords(plans, change)
  return [
    changed.map(({ id }) => id),
    Object.fromEntries(leftOut.map(({ record, reason }) => [record.id, reason])),
  ]
}

describe('a status for many plans', () => {
  it.each<[(typeof PLAN_STATUSES)[number], string[]]>([
    ['planned', ['cancelled']],
    ['in-progress', ['planned', 'paused', 'completed']],
    ['paused', ['in-progress']],
    ['completed', ['in-progress', 'paused']],
    ['cancelled', ['planned', 'in-progress', 'paused']],
  ])('%s is set where the transition is allowed', (status, allowed) => {
    const others = PLAN_STATUSES.filter((one) => !allowed.includes(one))
    expect(outcome(ALL, { kind: 'status', status, body: '' })).toEqual([
      allowed,
      Object.fromEntries(others.map((one) => [one, one === status ? 'same' : 'transition'])),
    ])
  })

  it('names the plans that stay as they are, with the status that does not allow it', () => {
    const change: PlanChange = { kind: 'status', status: 'paused', body: 'Budget.' }
    const names = splitRecords(ALL, change).leftOut.map((one) =>
      manyMessages.leftOutRecord(one, change),
    )
    expect(names).toEqual([
      'planned (planned)',
      'paused (already paused)',
      'completed (completed)',
      'cancelled (cancelled)',
    ])
  })
})

describe('an end date for many plans', () => {
  const plans = [
    planWith({ id: 'dated', start_date: '2026-01-10', end_date: '2026-06-30' }),
    planWith({ id: 'open', start_date: '2026-01-10', end_date: null }),
    planWith({ id: 'late', start_date: '2026-06-20', end_date: '2026-07-01' }),
  ]

  it('is set to one day where the plan has begun by then', () => {
    expect(outcome(plans, { kind: 'end', end_date: '2026-06-01' })).toEqual([
      ['dated', 'open'],
      { late: 'before-start' },
    ])
  })

  it('moves by days where there is one, over the end of a month and of daylight saving', () => {
    const change: PlanChange = { kind: 'move', days: 14 }
    expect(outcome(plans, change)).toEqual([['dated', 'late'], { open: 'no-end' }])
    expect(callOf(planWith({ end_date: '2026-10-20' }), change).input.body).toEqual({
      end_date: '2026-11-03',
    })
  })

  it('is removed where there is one', () => {
    expect(outcome(plans, { kind: 'end', end_date: null })).toEqual([
      ['dated', 'late'],
      { open: 'same' },
    ])
  })
})

it('an owner or a health that a plan already has makes no operation', () => {
  const plans = [
    planWith({ id: 'ada', owner_id: 'ada', health: null }),
    planWith({ id: 'bob', owner_id: 'bob', health: 'at-risk' }),
  ]
  expect(outcome(plans, { kind: 'owner', owner_id: 'bob' })).toEqual([['ada'], { bob: 'same' }])
  expect(outcome(plans, { kind: 'health', health: 'at-risk', body: 'Late.' })).toEqual([
    ['ada'],
    { bob: 'same' },
  ])
})

it('an undo says what it could not take back', () => {
  const undone = (plans: number) => changeManyMessages.undone(plans, 17, bulkMessages.plans)
  expect([undone(17), undone(12)]).toEqual([
    'Undone: 17 plans',
    'Undone: 12 of 17 plans. The others had been sent already.',
  ])
})

it('owner and date are edits of what was shown; status and health are updates in the feed', () => {
  const plan = planWith({ id: 'plan' })
  expect(callOf(plan, { kind: 'owner', owner_id: 'bob' })).toMatchObject({
    input: { path: { id: 'plan' }, body: { owner_id: 'bob' } },
    seen: plan,
  })
  const completed = callOf(plan, {
    kind: 'status',
    status: 'completed',
    body: 'Live.',
    outcome: 'missed',
  })
  expect(completed).toMatchObject({
    row: { path: '/api/v1/success-plans/{id}/updates' },
    input: {
      path: { id: 'plan' },
      body: { status: 'completed', outcome: 'missed', body: 'Live.' },
    },
    seen: plan,
  })
  expect(completed.input.body).not.toHaveProperty('kind')
})
