import { describe, expect, it } from 'vitest'
import { byHealth, byStatus, needsOf } from '../../../src/features/home/needs.ts'
import { readSelection, selectPlans } from '../../../src/features/success-plans/list/view.ts'
import { accountWith, actionWith, planWith } from '../fixtures/record-fixtures.ts'

const NOW = Date.parse('2026-03-10T12:00:00.000Z')
const FROM = { user_id: 'ada', today: '2026-03-10', now: NOW, ticked: new Set<string>() }
const calm = (fields: Parameters<typeof planWith>[0]) =>
  planWith({ last_update_at: '2026-03-09T09:00:00.000Z', end_date: null, ...fields })
const todo = (fields: Parameters<typeof actionWith>[0]) =>
  actionWith({ assignee_id: 'ada', ...fields })

function needs(
  known: Partial<Parameters<typeof needsOf>[0]>,
  ticked: ReadonlySet<string> = FROM.ticked,
) {
  const all = needsOf({ plans: [], actions: [], accounts: [], ...known }, { ...FROM, ticked })
  return {
    overdue: all.overdue.map(({ record }) => record.id),
    next: all.next.map(({ record }) => record.id),
    risky: all.risky.map(({ id }) => id),
    renewals: all.renewals.map(({ id }) => id),
  }
}

describe('what needs attention', () => {
  it('leaves out finished work and the work of others', () => {
    const none = { overdue: [], next: [], risky: [], renewals: [] }
    expect(
      needs({
        plans: [
          calm({ id: 'theirs', owner_id: 'bob', end_date: '2026-03-01', health: 'off-track' }),
          calm({ id: 'over', status: 'completed', end_date: '2026-03-01', health: 'off-track' }),
        ],
        actions: [
          todo({ id: 'theirs', assignee_id: 'bob', due_date: '2026-03-01' }),
          todo({ id: 'done', status: 'done', due_date: '2026-03-01' }),
          todo({ id: 'dropped', status: 'cancelled', due_date: '2026-03-01' }),
        ],
        accounts: [
          accountWith({ id: 'theirs', owner_id: 'bob', renewal_date: '2026-04-01' }),
          accountWith({ id: 'lost', status: 'churned', renewal_date: '2026-04-01' }),
        ],
      }),
    ).toEqual(none)
  })

  it('lists all plans of a server that returns no owners, and else only the own ones', () => {
    const late = { end_date: '2026-03-01' }
    const plans = [
      calm({ id: 'late', owner_id: null, ...late }),
      calm({ id: 'on', owner_id: null }),
    ]
    expect(needs({ plans }).overdue).toEqual(['late'])
    const others = [...plans, calm({ id: 'theirs', owner_id: 'bob', ...late })]
    expect(needs({ plans: others }).overdue).toEqual([])
  })

  it.each([
    ['completed', []],
    ['cancelled', []],
    ['paused', ['late']],
  ])('of a plan that is %s, lists these overdue actions: %j', (status, listed) => {
    const plans = [calm({ id: 'plan', status })]
    const actions = [todo({ id: 'late', success_plan_id: 'plan', due_date: '2026-03-01' })]
    expect(needs({ plans, actions }).overdue).toEqual(listed)
  })

  it('lists overdue work first, then urgent work, each item once', () => {
    const { overdue, next } = needs({
      plans: [calm({ id: 'late-plan', end_date: '2026-03-05' })],
      actions: [
        todo({ id: 'urgent', priority: 'high', due_date: '2026-03-12' }),
        todo({ id: 'late', due_date: '2026-03-01' }),
        todo({ id: 'today', due_date: '2026-03-10' }),
        todo({ id: 'high-later', priority: 'high', due_date: '2026-03-20' }),
      ],
    })
    expect(overdue).toEqual(['late', 'late-plan', 'urgent'])
    expect(next).toEqual(['today', 'high-later'])
  })

  it('looks fourteen days ahead and ends with what has no date', () => {
    const { next } = needs({
      plans: [calm({ id: 'plan', end_date: '2026-03-24' })],
      actions: [
        todo({ id: 'undated' }),
        todo({ id: 'in-14', due_date: '2026-03-24' }),
        todo({ id: 'in-15', due_date: '2026-03-25' }),
      ],
    })
    expect(next).toEqual(['in-14', 'plan', 'undated'])
  })

  it('keeps a completed action in its place until the next visit', () => {
    const actions = [todo({ id: 'late', status: 'done', due_date: '2026-03-01' })]
    expect(needs({ actions }, new Set(['late'])).overdue).toEqual(['late'])
  })

  it('lists stale plans and those at risk, the worst first', () => {
    const { risky } = needs({
      plans: [
        calm({ id: 'fine' }),
        calm({ id: 'stale', last_update_at: '2026-02-01T09:00:00.000Z' }),
        calm({ id: 'risk', health: 'at-risk' }),
        calm({ id: 'off', health: 'off-track' }),
      ],
    })
    expect(risky).toEqual(['off', 'risk', 'stale'])
  })

  it('lists passed renewals, then those of the next 90 days, also of accounts without an owner', () => {
    const { renewals } = needs({
      accounts: [
        accountWith({ id: 'in-90', renewal_date: '2026-06-08' }),
        accountWith({ id: 'in-91', renewal_date: '2026-06-09' }),
        accountWith({ id: 'past', renewal_date: '2026-03-09' }),
        accountWith({ id: 'without-owner', owner_id: null, renewal_date: '2026-03-10' }),
      ],
    })
    expect(renewals).toEqual(['past', 'without-owner', 'in-90'])
  })
})

describe('a chart', () => {
  const plans = [
    planWith({ id: '1', status: 'paused', health: 'at-risk' }),
    planWith({ id: '2', status: 'planned', health: null }),
    planWith({ id: '3', status: 'paused', health: 'on-track' }),
    planWith({ id: '4', status: 'completed', health: 'off-track' }),
    planWith({ id: '5', status: 'on ice & waiting', health: 'at-risk' }),
  ]

  it('links to a list of exactly the plans that it counts', () => {
    const from = { ...FROM, nameOf: () => undefined }
    for (const share of [...byStatus(plans), ...byHealth(plans)]) {
      const selection = readSelection(new URLSearchParams(share.search))
      expect([share.key, selectPlans(plans, selection, from).length]).toEqual([
        share.key,
        share.count,
      ])
    }
  })

  it('keeps the order of statuses and includes unknown ones', () => {
    expect(byStatus(plans).map(({ key }) => key)).toEqual([
      'planned',
      'paused',
      'completed',
      'on ice & waiting',
    ])
    expect(byHealth(plans).map(({ key, count }) => [key, count])).toEqual([
      ['at-risk', 1],
      ['on-track', 1],
      ['none', 1],
    ])
  })
})
