import { describe, expect, it } from 'vitest'
import {
  countViews,
  readSelection,
  selectPlans,
  VIEWS,
  writeSelection,
} from '../../../src/features/success-plans/list/view.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const FROM = {
  user_id: 'ada',
  today: '2026-03-10',
  now: Date.parse('2026-03-10T12:00:00Z'),
  nameOf: (_of: string, id: string | null) => (id === 'northwind' ? 'Northwind' : undefined),
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

describe('the views', () => {
  const { last_update_at: _, ...unsaid } = planWith()
  it.each<[string, SuccessPlan[], string[]]>([
    ['with owners and times', [planWith({ owner_id: 'bob' })], []],
    ['where no plan has an owner', [planWith({ owner_id: null })], ['mine']],
    ['where one has', [planWith({ owner_id: null }), planWith({ owner_id: 'bob' })], []],
    ['at a server without the time of the last update', [unsaid], ['stale']],
    ['where there is none yet', [planWith({ owner_id: 'bob', last_update_at: null })], []],
  ])('%s: those about which nothing is known have no number', (_case, plans, unknown) => {
    const counts = countViews(plans, FROM)
    expect(VIEWS.filter((view) => counts[view] === undefined)).toEqual(unknown)
  })
})

describe('the columns', () => {
  const orderBy = (sort: string, plans: SuccessPlan[]) =>
    titles(selectPlans(plans, readSelection(new URLSearchParams({ sort })), FROM))

  it('sort the plans in both directions, those without a value last', () => {
    const plans = [
      planWith({ title: 'rated', health: 'on-track' }),
      planWith({ title: 'unrated', health: null }),
      planWith({ title: 'urgent', health: 'off-track' }),
    ]
    expect(orderBy('health', plans)).toEqual(['urgent', 'rated', 'unrated'])
    expect(orderBy('-health', plans)).toEqual(['rated', 'urgent', 'unrated'])
  })

  it('keep closed plans last, whichever way end dates go', () => {
    const plans = [
      planWith({ title: 'done', status: 'completed', end_date: '2026-12-01' }),
      planWith({ title: 'undated', end_date: null }),
      planWith({ title: 'soon', end_date: '2026-04-01' }),
      planWith({ title: 'later', end_date: '2026-05-01' }),
    ]
    expect(orderBy('-end_date', plans)).toEqual(['later', 'soon', 'undated', 'done'])
  })

  it('sort by names once these are known', () => {
    const plans = [
      planWith({ title: 'first', account_id: 'one' }),
      planWith({ title: 'second', account_id: 'two' }),
    ]
    const sorted = (names: Record<string, string>) =>
      titles(
        selectPlans(plans, readSelection(new URLSearchParams('sort=account')), {
          ...FROM,
          nameOf: (_of, id) => names[id ?? ''],
        }),
      )
    expect(sorted({ one: 'Zenith', two: 'Acme' })).toEqual(['second', 'first'])
    expect(sorted({ one: 'Acme', two: 'Zenith' })).toEqual(['first', 'second'])
  })
})

describe('the filter', () => {
  it('finds a colleague’s plans by owner, as a filter and in the search', () => {
    const plans = [planWith({ title: 'theirs', owner_id: 'jonas' }), planWith({ owner_id: 'ada' })]
    const context = {
      ...FROM,
      nameOf: (_of: string, id: string | null) => (id === 'jonas' ? 'Jonas' : undefined),
    }
    expect(titles(selectPlans(plans, { ...ALL, owner: 'jonas' }, context))).toEqual(['theirs'])
    expect(titles(selectPlans(plans, { ...ALL, search: 'jonas' }, context))).toEqual(['theirs'])
  })

  it('finds plans without an account or an end date, and those that end in time', () => {
    const plans = [
      planWith({ title: 'loose', account_id: null, end_date: null }),
      planWith({ title: 'passed', account_id: 'northwind', end_date: '2026-03-09' }),
      planWith({ title: 'in time', account_id: 'northwind', end_date: '2026-04-09' }),
    ]
    const found = (filter: Partial<typeof ALL>) =>
      titles(selectPlans(plans, { ...ALL, ...filter }, FROM))
    expect(found({ account: 'none' })).toEqual(['loose'])
    expect(found({ end: 'none' })).toEqual(['loose'])
    expect(found({ end: 'passed' })).toEqual(['passed'])
    expect(found({ end: '30' })).toEqual(['in time'])
  })

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
      ...ALL,
      owner: 'ada',
      account: 'none',
      end: '90',
      view: 'stale',
      status: 'paused',
      health: 'at-risk',
      search: 'R&D [x]',
      sort: '-progress',
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
