// The renewals view misses a renewal, adds up wrong amounts, or saves a wrong outcome.
import { addDays } from '../../../contract/schemas/days.ts'
import { describe, expect, it } from 'vitest'
import {
  blankOutcome,
  checkOutcome,
  editFor,
} from '../../../src/features/renewals/outcome-fields.ts'
import { renewalGroupings } from '../../../src/features/renewals/groupings.ts'
import {
  filterRenewals,
  RENEWAL_SORTS,
  renewalsOf,
  sortRenewals,
  totalsOf,
  type RenewalFilters,
} from '../../../src/features/renewals/renewals.ts'
import { overlayAccounts } from '../../../src/data/accounts.ts'
import { groupItems } from '../../../src/widgets/table/grouping.ts'
import { readOrder } from '../../../src/widgets/table/list-address.ts'
import { accountWith, actionWith, planWith } from '../fixtures/record-fixtures.ts'

const TODAY = '2026-11-24'
const up = (id: string, renewal_date: string | null, fields: object = {}) =>
  accountWith({ id, renewal_date, arr: 100, ...fields })
type Accounts = ReturnType<typeof up>[]
const renewals = (accounts: Accounts) => renewalsOf({ accounts, plans: [], actions: [] }, TODAY)
const nameOf = (id: string | null) => id ?? undefined
const outline = (accounts: Accounts, by = '') => {
  const grouping = renewalGroupings((id) => id)[by]
  if (!grouping) throw new Error(`There is no grouping by ${by}.`)
  return groupItems(renewals(accounts), grouping).map(({ title, detail, items }) => [
    title,
    items.map(({ account }) => account.id),
    detail,
  ])
}

describe('the view', () => {
  it('lists passed renewals first, then this quarter and the next two', () => {
    expect(
      outline([
        up('third', '2027-06-30'),
        up('now', '2026-12-31'),
        up('today', TODAY, { health: 'at-risk' }),
        up('passed', '2026-11-23'),
        up('long passed', '2024-02-01'),
        up('second', '2027-01-01'),
      ]),
    ).toEqual([
      ['Passed without an outcome', ['long passed', 'passed'], '€200'],
      ['Oct to Dec 2026', ['today', 'now'], '€200, €100 at risk'],
      ['Jan to Mar 2027', ['second'], '€100'],
      ['Apr to Jun 2027', ['third'], '€100'],
    ])
  })

  it.each([
    [
      'month',
      ['Passed without an outcome', ['c'], '€100, €100 at risk'],
      ['November 2026', ['a'], '€100, €100 at risk'],
      ['December 2026', ['b'], '€100'],
    ],
    [
      'owner',
      ['ben', ['c'], '€100, €100 at risk'],
      ['zoe', ['b'], '€100'],
      ['No owner', ['a'], '€100, €100 at risk'],
    ],
    [
      'risk',
      ['Off track', ['c'], '€100, €100 at risk'],
      ['At risk', ['a'], '€100, €100 at risk'],
      ['No known risk', ['b'], '€100'],
    ],
  ])('groups by %s as well', (by, ...groups) => {
    const accounts = [
      up('a', TODAY, { owner_id: null, health: 'at-risk' }),
      up('b', '2026-12-01', { owner_id: 'zoe' }),
      up('c', '2026-11-01', { owner_id: 'ben', health: 'off-track' }),
    ]
    expect(outline(accounts, by)).toEqual(groups)
  })

  it('leaves out later renewals, churned accounts and accounts without a date', () => {
    expect(
      renewals([
        up('later', '2027-07-01'),
        up('gone', TODAY, { status: 'churned' }),
        up('none', null),
      ]),
    ).toEqual([])
  })

  it.for([
    ['', ['b', 'a', 'c', 'd']],
    ['-day', ['d', 'c', 'a', 'b']],
    ['amount', ['c', 'a', 'b', 'd']],
    ['-amount', ['b', 'a', 'c', 'd']],
    ['risk', ['d', 'b', 'a', 'c']],
    ['owner', ['c', 'a', 'b', 'd']],
    ['-owner', ['a', 'c', 'b', 'd']],
    ['unknown', ['b', 'a', 'c', 'd']],
  ] as const)('sorts by %s, and what has no value comes last', ([sort, order]) => {
    const due = renewals([
      up('a', '2026-12-02', { owner_id: 'zoe', arr: 200 }),
      up('b', '2026-12-01', { owner_id: null, arr: 100, health: 'at-risk' }),
      up('c', '2026-12-03', { owner_id: 'ben', arr: 300 }),
      up('d', '2026-12-04', { owner_id: null, arr: null, health: 'off-track' }),
    ])
    const by = readOrder(new URLSearchParams({ sort }), RENEWAL_SORTS)
    expect(sortRenewals(due, by, nameOf).map(({ account }) => account.id)).toEqual(order)
  })

  it('filters by text, owner, date and risk', () => {
    const due = renewals([
      up('a', '2026-12-02', { name: 'Harbour', owner_id: 'zoe', health: 'at-risk' }),
      up('b', '2026-12-01', { name: 'Quay', owner_id: null }),
      up('c', TODAY, { name: 'Pier', owner_id: 'ben' }),
      up('d', '2026-11-23', { name: 'Mole', owner_id: 'ben', health: 'at-risk' }),
      up('e', '2027-05-23', { name: 'Slip', owner_id: 'ben', health: 'at-risk' }),
    ])
    const found = (filters: Partial<RenewalFilters>) =>
      filterRenewals(
        due,
        { search: '', owner: '', day: '', risk: '', ...filters },
        nameOf,
        TODAY,
      ).map(({ account }) => account.id)
    expect(found({ search: 'ZOE' })).toEqual(['a'])
    expect(found({ search: 'ua' })).toEqual(['b'])
    expect(found({ owner: 'none' })).toEqual(['b'])
    expect(found({ owner: 'ben' })).toEqual(['d', 'c', 'e'])
    expect(found({ day: 'passed' })).toEqual(['d'])
    expect(found({ day: '30' })).toEqual(['c', 'b', 'a'])
    expect(found({ day: '180' })).toEqual(['c', 'b', 'a', 'e'])
    expect(found({ owner: 'ben', day: '90' })).toEqual(['c'])
    expect(found({ risk: 'risky' })).toEqual(['d', 'a', 'e'])
    expect(found({ risk: 'none' })).toEqual(['c', 'b'])
    expect(found({ search: 'nothing' })).toEqual([])
  })

  it('adds up the amounts per currency, and those at risk', () => {
    const due = renewalsOf(
      {
        accounts: [
          up('a', TODAY, { health: 'at-risk' }),
          up('b', TODAY),
          up('c', TODAY, { currency: 'USD' }),
          up('d', TODAY, { arr: null }),
        ],
        plans: [planWith({ account_id: 'b', health: 'off-track' })],
        actions: [],
      },
      TODAY,
    )
    expect(totalsOf(due)).toEqual([
      { currency: 'EUR', amount: 200, atRisk: 200 },
      { currency: 'USD', amount: 100, atRisk: 0 },
    ])
  })

  it('names the next action of the account or its plans', () => {
    const due = (id: string, due_date: string, fields: object) =>
      actionWith({ id, due_date, status: 'todo', account_id: null, ...fields })
    const [renewal] = renewalsOf(
      {
        accounts: [up('a', TODAY)],
        plans: [planWith({ id: 'plan', account_id: 'a' })],
        actions: [
          due('later', '2026-12-02', { account_id: 'a', success_plan_id: null }),
          due('next', '2026-12-01', { success_plan_id: 'plan' }),
          due('elsewhere', '2026-01-01', { success_plan_id: 'other' }),
        ],
      },
      TODAY,
    )
    expect(renewal).toMatchObject({ next: { id: 'next' }, isNextLate: false })
  })

  it.each([
    [-1, true],
    [0, false],
  ])('says whether the day of the next action has passed, %i days from today', (days, isLate) => {
    const due_date = addDays(TODAY, days)
    const actions = [
      actionWith({ due_date, status: 'todo', account_id: 'a', success_plan_id: null }),
    ]
    const [renewal] = renewalsOf({ accounts: [up('a', TODAY)], plans: [], actions }, TODAY)
    expect(renewal?.isNextLate).toBe(isLate)
  })
})

describe('the form', () => {
  const account = up('a', '2026-11-20')
  const fields = blankOutcome(account, '2026-11-20')
  const edited = (changes: Partial<typeof fields>) => {
    const checked = checkOutcome({ ...fields, ...changes }, '2026-11-20', account.currency)
    if (!checked.ok) return checked.errors
    const { renewal_outcome, ...edit } = editFor(account, checked.value)
    const { outcome, amount, next_date, due } = renewal_outcome ?? {}
    return { ...edit, stored: { outcome, amount, next_date, due } }
  }

  it('proposes a renewal for a year at the same amount', () => {
    expect(edited({})).toEqual({
      renewal_date: '2027-11-20',
      stored: { outcome: 'renewed', amount: 100, next_date: '2027-11-20', due: '2026-11-20' },
    })
  })

  it('sets the new amount', () => {
    for (const amount of ['1,200.50', '1200,50', '1.200,50', '1 200,50 €'])
      expect(edited({ amount })).toMatchObject({ arr: 1200.5 })
    expect(edited({ amount: '48.000' })).toMatchObject({ arr: 48_000 })
    expect(edited({ amount: 'a lot' })).toHaveProperty('amount')
  })

  it('moves the date and keeps the amount', () => {
    expect(edited({ outcome: 'moved', next_date: '2026-12-15', amount: '7' })).toEqual({
      renewal_date: '2026-12-15',
      stored: { outcome: 'moved', next_date: '2026-12-15', due: '2026-11-20', amount: undefined },
    })
  })

  it('sets a lost account to churned', () => {
    expect(edited({ outcome: 'churned' })).toEqual({
      status: 'churned',
      stored: {
        outcome: 'churned',
        due: '2026-11-20',
        amount: undefined,
        next_date: undefined,
      },
    })
  })

  it.each([
    [{ next_date: '' }, 'next_date'],
    [{ next_date: '2026-11-20' }, 'next_date'],
    [{ amount: 'much' }, 'amount'],
  ])('rejects %o', (changes, field) => {
    expect(Object.keys(edited(changes))).toEqual([field])
  })
})

it('shows an outcome before it is sent, once', () => {
  const outcome = {
    id: '01980000-0000-7000-8000-0000000000ee',
    due: '2026-11-20',
    outcome: 'renewed',
    recorded_at: '2026-11-24T09:00:00.000Z',
  }
  const operation = {
    id: 'op',
    endpoint: 'updateAccount',
    input: { path: { id: 'a' }, body: { renewal_outcome: outcome } },
    state: 'waiting',
    created_at: '2026-11-24T09:00:00.000Z',
  } as unknown as Parameters<typeof overlayAccounts>[1][number]
  const [shown] = overlayAccounts([up('a', TODAY)], [operation])
  expect(shown?.renewals).toMatchObject([{ outcome: 'renewed', currency: 'EUR' }])
  const [again] = overlayAccounts(shown ? [shown] : [], [operation])
  expect(again?.renewals).toHaveLength(1)
})
