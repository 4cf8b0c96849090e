// The page of an account tells a wrong risk, the wrong next actions or a wrong history of health.
import { expect, it } from 'vitest'
import { healthHistory } from '../../../src/features/accounts/detail/health-history.ts'
import { nextActions, riskOf } from '../../../src/features/renewals/account-risk.ts'
import { accountWith, actionWith, planWith } from '../fixtures/record-fixtures.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-06-30T00:00:00.000Z')
const dayOf = (at: number) => (at - NOW) / DAY
const rated = (daysAgo: number, health: string | null) => ({
  health,
  written_at: new Date(NOW - daysAgo * DAY).toISOString(),
})
const history = (present: string | null, ...ratings: ReturnType<typeof rated>[]) =>
  healthHistory({ health: present }, ratings, NOW - 100 * DAY, NOW).map(({ from, to, health }) => [
    dayOf(from),
    dayOf(to),
    health,
  ])

it('counts open plans that are at risk, and tells the worst health', () => {
  const off = planWith({ health: 'off-track' })
  expect(riskOf(accountWith({ health: 'at-risk' }), [off, planWith()])).toEqual({
    health: 'off-track',
    plans: 1,
  })
  expect(riskOf(accountWith({ health: 'at-risk' }), [])).toEqual({ health: 'at-risk', plans: 0 })
})

it('sees no risk in closed plans', () => {
  expect(riskOf(accountWith(), [planWith({ health: 'off-track', status: 'completed' })])).toBe(
    undefined,
  )
})

it('sees no risk in an account that has churned', () => {
  const lost = accountWith({ health: 'off-track', status: 'churned' })
  expect(riskOf(lost, [planWith({ health: 'off-track' })])).toBe(undefined)
})

it('lists open actions of the account and its plans by due date, and keeps those just ticked', () => {
  const plan = planWith({ id: 'plan' })
  const of = (id: string, fields: Parameters<typeof actionWith>[0]) =>
    actionWith({ id, success_plan_id: null, account_id: null, due_date: null, ...fields })
  const actions = [
    of('undated', { account_id: 'account' }),
    of('later', { success_plan_id: 'plan', due_date: '2026-08-01' }),
    of('sooner', { account_id: 'account', due_date: '2026-07-01' }),
    of('done', { account_id: 'account', status: 'done' }),
    of('ticked', { account_id: 'account', status: 'done', due_date: '2026-06-01' }),
    of('elsewhere', { account_id: 'other' }),
  ]
  const next = nextActions(actions, 'account', [plan], new Set(['ticked']))
  expect(next.map(({ id }) => id)).toEqual(['ticked', 'sooner', 'later', 'undated'])
})

it.each([
  ['completed', []],
  ['cancelled', []],
  ['paused', ['open']],
])('of a plan that is %s, lists these open actions: %j', (status, listed) => {
  const action = actionWith({ id: 'open', success_plan_id: 'plan', account_id: null })
  const plan = planWith({ id: 'plan', status })
  const next = nextActions([action], 'account', [plan], new Set())
  expect(next.map(({ id }) => id)).toEqual(listed)
})

it('shows each health from its rating to the next', () => {
  expect(history('at-risk', rated(10, 'at-risk'), rated(60, 'on-track'), rated(30, null))).toEqual([
    [-100, -60, null],
    [-60, -10, 'on-track'],
    [-10, 0, 'at-risk'],
  ])
})

it('begins with the health that was rated before the period', () => {
  expect(history('on-track', rated(200, 'off-track'), rated(150, 'on-track'))).toEqual([
    [-100, 0, 'on-track'],
  ])
})

it('joins equal ratings', () => {
  expect(history('on-track', rated(50, 'on-track'), rated(20, 'on-track'))).toEqual([
    [-100, -50, null],
    [-50, 0, 'on-track'],
  ])
})

it('shows a health that no update set for the time since the last rating', () => {
  expect(history('off-track')).toEqual([[-100, 0, 'off-track']])
  expect(history('off-track', rated(40, 'on-track'))).toEqual([
    [-100, -40, null],
    [-40, 0, 'off-track'],
  ])
})
