import { describe, expect, it } from 'vitest'
import {
  countViews,
  readSelection,
  selectPlans,
  writeSelection,
} from '../../../src/features/success-plans/list/view.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const FROM = {
  user_id: 'ada',
  today: '2026-03-10',
  now: Date.parse('2026-03-10T12:00:00Z'),
  nameOf: (id: string | null) => (id === 'northwind' ? 'Northwind' : undefined),
}
const ALL = readSelection(new URLSearchParams())
const titles = (plans: readonly { title: string }[]) => plans.map(({ title }) => title)

describe('the order', () => {
  it('puts plans by due date, finished ones last', () => {
    const plans = [
      planWith({ title: 'done', status: 'completed', end_date: '2026-01-01' }),
      planWith({ title: 'undated', end_date: null }),
      planWith({ title: 'later', end_date: '2026-05-01' }),
      planWith({ title: 'overdue', end_date: '2026-03-01' }),
    ]
    expect(titles(selectPlans(plans, ALL, FROM))).toEqual(['overdue', 'later', 'undated', 'done'])
  })

  it('compares numbers in titles as numbers', () => {
    const plans = [planWith({ title: 'Plan 10' }), planWith({ title: 'plan 9' })]
    expect(titles(selectPlans(plans, { ...ALL, sort: 'title' }, FROM))).toEqual([
      'plan 9',
      'Plan 10',
    ])
  })
})

describe('the filter', () => {
  it('searches the account’s name too', () => {
    const plans = [planWith({ title: 'Rollout', account_id: 'northwind' }), planWith()]
    expect(titles(selectPlans(plans, { ...ALL, search: ' NORTH ' }, FROM))).toEqual(['Rollout'])
  })

  it('accepts a status that this build does not know', () => {
    const plans = [planWith({ title: 'odd', status: 'on-hold' }), planWith()]
    expect(titles(selectPlans(plans, { ...ALL, status: 'on-hold' }, FROM))).toEqual(['odd'])
  })

  it('leaves finished plans out of at risk and overdue', () => {
    const over = planWith({ status: 'cancelled', health: 'off-track', end_date: '2026-01-01' })
    expect(countViews([over], FROM)).toEqual({
      all: 1,
      mine: 1,
      'at-risk': 0,
      overdue: 0,
      stale: 0,
      due: 0,
    })
  })

  it('counts plans due within thirty days', () => {
    const due = (fields: object) => countViews([planWith(fields)], FROM).due
    expect(due({ end_date: '2026-03-10' })).toBe(1)
    expect(due({ end_date: '2026-04-09' })).toBe(1)
    expect(due({ end_date: '2026-04-10' })).toBe(0)
    expect(due({ end_date: '2026-03-09' })).toBe(0)
    expect(due({ end_date: null })).toBe(0)
    expect(due({ end_date: '2026-03-11', status: 'completed' })).toBe(0)
  })

  it('counts a plan as overdue only from the day after', () => {
    expect(countViews([planWith({ end_date: '2026-03-10' })], FROM).overdue).toBe(0)
    expect(countViews([planWith({ end_date: '2026-03-09' })], FROM).overdue).toBe(1)
  })
})

describe('the selection in the address', () => {
  it('survives a reload', () => {
    const selection = {
      view: 'stale',
      status: 'paused',
      health: 'at-risk',
      search: 'R&D [x]',
      sort: 'progress',
    } as const
    expect(readSelection(new URLSearchParams(writeSelection(selection).toString()))).toEqual(
      selection,
    )
  })

  it('falls back to the default for unknown values', () => {
    expect(readSelection(new URLSearchParams('view=__proto__&sort=drop'))).toEqual(ALL)
    expect(writeSelection(ALL).toString()).toBe('')
  })
})
