import { expect, it } from 'vitest'
import { groupPlans } from '../../../src/features/success-plans/list/table/grouping.ts'
import type { NameOf } from '../../../src/data/record-id.ts'
import type { Group } from '../../../src/features/success-plans/list/view.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const NAMES: Record<string, string> = { ada: 'Ada', ben: 'Ben', north: 'Northwind' }
const nameOf: NameOf = (of, id) =>
  of === 'former_members' ? (id === 'gone' ? 'A former member' : undefined) : NAMES[id ?? '']
const plans = [
  planWith({ title: 'a', status: 'completed', owner_id: 'ben', end_date: '2026-12-31' }),
  planWith({ title: 'b', status: 'on-hold', owner_id: null, end_date: null }),
  planWith({
    title: 'c',
    status: 'planned',
    owner_id: 'ada',
    health: null,
    end_date: '2026-12-01',
  }),
  planWith({
    title: 'd',
    status: 'planned',
    owner_id: 'gone',
    end_date: '2026-03-01',
    health: 'off-track',
  }),
]
const outline = (kind: Group) =>
  groupPlans(plans, kind, nameOf)?.map(
    ({ title, items }) => `${title}: ${items.map((plan) => plan.title).join(' ')}`,
  )

it('groups by status in the order of a plan’s life, unknown ones last, and keeps the order inside', () => {
  expect(outline('status')).toEqual(['Planned: c d', 'Completed: a', 'On hold: b'])
})

it('puts the most urgent health first, and plans without one last', () => {
  expect(outline('health')).toEqual(['Off track: d', 'On track: a b', 'Not rated: c'])
})

it('groups by names in their order, with former members and plans without an owner', () => {
  expect(outline('owner')).toEqual(['A former member: d', 'Ada: c', 'Ben: a', 'No owner: b'])
})

it.each([
  ['account', 'Unknown account'],
  ['owner', 'Unknown member'],
] as const)('claims nothing about why the name of an %s is not known', (kind, title) => {
  const plan = planWith({ account_id: 'south', owner_id: 'eve' })
  const [group] = groupPlans([plan], kind, () => undefined) ?? []
  expect(group?.title).toBe(title)
})

it('groups by the month of the end date', () => {
  expect(outline('month')).toEqual(['March 2026: d', 'December 2026: a c', 'No end date: b'])
})

it('has no groups unless asked', () => {
  expect(outline('')).toBeUndefined()
})
