import { expect, it } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import { initiativeGroupings } from '../../../src/features/initiatives/groupings.ts'
import { readSelection, selectInitiatives } from '../../../src/features/initiatives/view.ts'
import { groupItems } from '../../../src/widgets/table/grouping.ts'

const work = (id: string, fields: Partial<Initiative>) => ({
  initiative: { ...blankRecords.initiatives, id, title: id, status: 'planned', ...fields },
  actions: [],
  areActionsRead: true,
})

const ALL = [
  work('a', { end_date: '2026-06-01', success_plan_id: 'quay', owner_id: 'zoe', progress: 20 }),
  work('b', { end_date: '2026-05-01', status: 'completed', health: 'on-track', progress: 100 }),
  work('c', { end_date: null, success_plan_id: 'bay', health: 'off-track' }),
  work('d', { end_date: '2026-07-01', status: 'paused', owner_id: 'ben', health: 'at-risk' }),
]
const CONTEXT = {
  today: '2026-05-20',
  planOf: ({ success_plan_id }: Initiative) => ({
    status: success_plan_id === 'over' ? 'cancelled' : 'in-progress',
  }),
  titleOf: (id: string | null) => (id === null ? undefined : `Plan ${id}`),
  nameOf: (id: string | null) => id ?? undefined,
  personOf: (id: string) => id,
  accountOf: ({ account_id, success_plan_id }: Initiative) =>
    account_id ?? (success_plan_id === 'quay' ? 'north' : null),
  accountNameOf: (id: string) => `Account ${id}`,
}
const select = (search: string) =>
  selectInitiatives(ALL, readSelection(new URLSearchParams(search)), CONTEXT).map(
    ({ initiative }) => initiative.id,
  )

it.each([
  ['', ['a', 'd', 'c', 'b']],
  ['sort=-end_date', ['d', 'a', 'c', 'b']],
  ['sort=title', ['a', 'b', 'c', 'd']],
  ['sort=-title', ['d', 'c', 'b', 'a']],
  ['sort=plan', ['c', 'a', 'b', 'd']],
  ['sort=status', ['a', 'c', 'd', 'b']],
  ['sort=health', ['c', 'd', 'b', 'a']],
  ['sort=-health', ['b', 'd', 'c', 'a']],
  ['sort=progress', ['b', 'a', 'c', 'd']],
  ['sort=owner', ['d', 'a', 'b', 'c']],
  ['sort=unknown', ['a', 'd', 'c', 'b']],
])(
  'sorts by %s; by date the closed ones come last, else those without a value',
  (search, order) => {
    expect(select(search)).toEqual(order)
  },
)

it('finds by title and plan, and filters by each of its values or none', () => {
  expect(select('search=PLAN+bay')).toEqual(['c'])
  expect(select('status=paused')).toEqual(['d'])
  expect(select('owner=zoe')).toEqual(['a'])
  expect(select('plan=quay')).toEqual(['a'])
  expect(select('plan=quay&owner=ben')).toEqual([])
  expect(select('plan=none')).toEqual(['d', 'b'])
  expect(select('status=open')).toEqual(['a', 'd', 'c'])
  expect(select('health=off-track')).toEqual(['c'])
  expect(select('health=none')).toEqual(['a'])
  expect(select('owner=none')).toEqual(['c', 'b'])
  expect(select('account=north')).toEqual(['a'])
  expect(select('account=none')).toEqual(['d', 'c', 'b'])
})

it('takes an initiative of a closed plan for closed', () => {
  const all = [work('over', { end_date: '2026-05-01', success_plan_id: 'over' }), ...ALL]
  const idsOf = (search: string) =>
    selectInitiatives(all, readSelection(new URLSearchParams(search)), CONTEXT).map(
      ({ initiative }) => initiative.id,
    )
  expect(idsOf('status=open')).toEqual(['a', 'd', 'c'])
  expect(idsOf('status=planned')).toEqual(['a', 'c', 'over'])
  expect(idsOf('sort=-end_date')).toEqual(['d', 'a', 'c', 'b', 'over'])
})

it.each([
  ['passed', ['b']],
  ['30', ['a']],
  ['90', ['a', 'd']],
  ['none', ['c']],
])('filters by the end date: %s', (end, found) => {
  expect(select(`end=${end}`)).toEqual(found)
})

it.each([
  ['owner', ['ben: d', 'zoe: a', 'No owner: b c']],
  ['plan', ['Plan bay: c', 'Plan quay: a', 'No plan: b d']],
  ['account', ['Account north: a', 'No account: b c d']],
  ['status', ['Planned: a c', 'Paused: d', 'Completed: b']],
  ['health', ['Off track: c', 'At risk: d', 'On track: b', 'Not rated: a']],
  ['month', ['May 2026: b', 'June 2026: a', 'July 2026: d', 'No end date: c']],
])('groups by %s, those without a value last', (by, groups) => {
  const grouping = initiativeGroupings(CONTEXT)[by]
  if (!grouping) throw new Error(`There is no grouping by ${by}.`)
  const outline = groupItems(ALL, grouping).map(
    ({ title, items }) => `${title}: ${items.map(({ initiative }) => initiative.id).join(' ')}`,
  )
  expect(outline).toEqual(groups)
})
