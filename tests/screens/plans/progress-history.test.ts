import { describe, expect, it } from 'vitest'
import { progressHistory } from '../../../src/features/success-plans/detail/progress-history.ts'
import type { SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import { actionWith, planWith, updateWith } from '../fixtures/record-fixtures.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const update = (written_at: string, fields: Partial<SuccessPlanUpdate>) =>
  updateWith({ id: written_at, progress_from: null, progress_to: null, ...fields, written_at })
/** `01-20 30`: month and day, and the progress. */
const readable = (points: readonly { at: number; value: number }[]) =>
  points.map(({ at, value }) => `${new Date(at).toISOString().slice(5, 10)} ${value}`)

describe('the history of a plan’s progress', () => {
  it('is ordered by when updates were written', () => {
    const updates = [
      update('2026-02-20T10:00:00Z', { progress_from: 30, progress_to: 40 }),
      update('2026-01-20T10:00:00Z', { progress_from: 10, progress_to: 30 }),
      update('2026-02-01T10:00:00Z', {}),
    ]
    expect(readable(progressHistory(planWith(), updates, [], NOW))).toEqual([
      '01-01 10',
      '01-20 30',
      '02-20 40',
      '03-10 40',
    ])
  })

  it('never goes beyond the present', () => {
    const ahead = [update('2027-01-01T00:00:00Z', { progress_from: 0, progress_to: 40 })]
    const points = progressHistory(planWith(), ahead, [], NOW)
    expect(Math.max(...points.map(({ at }) => at))).toBe(NOW)
  })

  it('ends when the plan ended', () => {
    const over = planWith({ status: 'completed', progress: 100 })
    const updates = [update('2026-02-01T10:00:00Z', { progress_from: 20, progress_to: 80 })]
    expect(readable(progressHistory(over, updates, [], NOW))).toEqual([
      '01-01 20',
      '02-01 80',
      '02-01 100',
    ])
  })

  it('follows completed actions in auto mode, and is one point without any data', () => {
    const auto = planWith({ progress_mode: 'auto', progress: 50 })
    const actions = [
      actionWith({ status: 'done', completed_at: '2026-02-03T10:00:00Z' }),
      actionWith({ status: 'todo' }),
      actionWith({ status: 'cancelled', completed_at: '2026-01-05T10:00:00Z' }),
    ]
    expect(readable(progressHistory(auto, [], actions, NOW))).toEqual([
      '01-01 0',
      '02-03 50',
      '03-10 50',
    ])
    expect(
      readable(progressHistory(planWith({ created_at: null, start_date: null }), [], [], NOW)),
    ).toEqual(['03-10 40'])
  })

  it('begins today for a plan that has not started', () => {
    const planned = planWith({ status: 'planned', start_date: '2026-05-01', progress: 0 })
    expect(readable(progressHistory(planned, [], [], NOW))).toEqual(['03-10 0'])
  })
})
