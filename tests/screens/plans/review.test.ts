import { describe, expect, it } from 'vitest'
import {
  candidates,
  reasonsOf,
  REVIEW_REASONS,
} from '../../../src/features/success-plans/review/candidates.ts'
import {
  mailLink,
  needsOf,
  summaryText,
} from '../../../src/features/success-plans/review/summary-text.ts'
import { actionWith, planWith } from '../fixtures/record-fixtures.ts'

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

describe('the summary of a review', () => {
  const names = (_of: string, id: string | null) => ({ ada: 'Ada', bob: 'Bob' })[id ?? '']
  const context = { today: FROM.today, nameOf: names }

  it('names for each person what is late or at risk', () => {
    const plans = [
      planWith({ id: '1', title: 'Late', owner_id: 'bob', end_date: '2026-03-01' }),
      planWith({ id: '2', title: 'Off', owner_id: 'gone', health: 'off-track' }),
      planWith({
        id: '3',
        title: 'Over',
        owner_id: 'bob',
        health: 'off-track',
        status: 'completed',
      }),
    ]
    const actions = [
      actionWith({ id: 'a', title: 'Keys', success_plan_id: '1', due_date: '2026-03-09' }),
      actionWith({
        id: 'b',
        title: 'Mine',
        success_plan_id: '1',
        due_date: '2026-03-02',
        assignee_id: 'ada',
      }),
      actionWith({ id: 'c', title: 'Today', success_plan_id: '1', due_date: '2026-03-10' }),
      actionWith({
        id: 'd',
        title: 'Done',
        success_plan_id: '1',
        due_date: '2026-03-02',
        status: 'done',
      }),
    ]
    expect(needsOf(plans, actions, context)).toEqual([
      {
        person: 'Bob',
        plans: [
          {
            id: '1',
            title: 'Late',
            lines: ['Overdue', expect.stringMatching(/^Keys, overdue since Mar 9/)],
          },
        ],
      },
      {
        person: 'Ada',
        plans: [
          {
            id: '1',
            title: 'Late',
            lines: [expect.stringMatching(/^Mine, overdue since Mar 2/)],
          },
        ],
      },
      { person: 'Unknown member', plans: [{ id: '2', title: 'Off', lines: ['Off track'] }] },
    ])
  })

  const SUMMARY = {
    day: '2026-03-10',
    posted: [{ id: '1', title: 'Harbour', lines: ['They signed.\n\nNext: keys.'] }],
    moved: [{ id: '1', title: 'Harbour', lines: ['Done: Keys', 'Owner: Bob'] }],
    needs: [
      { person: 'Ada', plans: [{ id: '1', title: 'Harbour', lines: ['Off track', 'Overdue'] }] },
    ],
    skipped: ['Handbook'],
  }

  it('is one text of what was posted, changed, needed and skipped, each plan named once in each part', () => {
    expect(summaryText(SUMMARY).split('\n').slice(1)).toEqual([
      '',
      '**Posted**',
      '- Harbour: They signed. Next: keys.',
      '',
      '**Changed**',
      '- Harbour: Done: Keys; Owner: Bob',
      '',
      '**Needs Ada**',
      '- Harbour: Off track; Overdue',
      '',
      '**Skipped**',
      '- Handbook',
    ])
  })

  it('takes a moment, however many spaces an update has', () => {
    const line = `a${' '.repeat(1_000_000)}b`
    const text = summaryText({ ...SUMMARY, posted: [{ id: '1', title: 'Harbour', lines: [line] }] })
    expect(text).toContain(line)
  })

  it('is mailed without markup, and a long one is shortened and says so', () => {
    const link = mailLink('Review & more', summaryText(SUMMARY))
    expect(link).toMatch(/^mailto:\?subject=Review%20%26%20more&body=/)
    expect(new URL(link).searchParams.get('body')).toContain(
      '\r\nPosted\r\n- Harbour: They signed.',
    )
    const long = { ...SUMMARY, skipped: Array.from({ length: 200 }, (_, plan) => `Plan ${plan}`) }
    const shortened = mailLink('Review', summaryText(long))
    expect(shortened.length).toBeLessThanOrEqual(1_800)
    expect(new URL(shortened).searchParams.get('body')).toMatch(
      /Plan \d+\r\n\r\nThe rest is left out here/,
    )
  })
})
