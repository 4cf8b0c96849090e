import { describe, expect, it } from 'vitest'
import {
  candidates,
  reasonsOf,
  REVIEW_REASONS,
} from '../../../src/features/success-plans/review/candidates.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const FROM = {
  user_id: 'ada',
  today: '2026-03-10',
  now: Date.parse('2026-03-10T12:00:00Z'),
  nameOf: () => undefined,
}
const ALL = { reasons: REVIEW_REASONS, onlyMine: false }
const FRESH = { last_update_at: '2026-03-09T09:00:00.000Z' }
const titles = (plans: readonly { title: string }[]) => plans.map(({ title }) => title)

describe('a review', () => {
  it('begins with the user’s own plans, the most urgent first', () => {
    const plans = [
      planWith({ id: '1', title: 'theirs, overdue', owner_id: 'bob', end_date: '2026-03-01' }),
      planWith({ id: '2', title: 'stale', last_update_at: '2026-02-10T09:00:00.000Z' }),
      planWith({ id: '3', title: 'staler', last_update_at: '2026-01-10T09:00:00.000Z' }),
      planWith({ id: '4', title: 'at risk', ...FRESH, health: 'off-track' }),
      planWith({ id: '5', title: 'overdue', ...FRESH, end_date: '2026-03-01' }),
      planWith({ id: '6', title: 'fine', ...FRESH }),
    ]
    expect(titles(candidates(plans, ALL, FROM))).toEqual([
      'overdue',
      'at risk',
      'staler',
      'stale',
      'theirs, overdue',
    ])
    expect(titles(candidates(plans, { ...ALL, onlyMine: true }, FROM))).not.toContain(
      'theirs, overdue',
    )
    expect(titles(candidates(plans, { ...ALL, reasons: ['at-risk'] }, FROM))).toEqual(['at risk'])
    expect(candidates(plans, { ...ALL, reasons: [] }, FROM)).toEqual([])
  })

  it('leaves out finished plans', () => {
    const over = planWith({ status: 'completed', health: 'off-track', end_date: '2026-01-01' })
    expect(reasonsOf(over, FROM)).toEqual([])
  })

  it('lists a plan with two reasons once', () => {
    const plan = planWith({ end_date: '2026-03-01', health: 'at-risk' })
    expect(reasonsOf(plan, FROM)).toEqual(['overdue', 'at-risk'])
    expect(candidates([plan], ALL, FROM)).toHaveLength(1)
  })
})
