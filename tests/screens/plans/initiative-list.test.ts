import { expect, it } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import { readSelection, selectInitiatives } from '../../../src/features/initiatives/view.ts'

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
  titleOf: (id: string | null) => (id === null ? undefined : `Plan ${id}`),
  nameOf: (id: string | null) => id ?? undefined,
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

it('finds by title and plan, and filters by status, owner and plan', () => {
  expect(select('search=PLAN+bay')).toEqual(['c'])
  expect(select('status=paused')).toEqual(['d'])
  expect(select('owner=zoe')).toEqual(['a'])
  expect(select('plan=quay')).toEqual(['a'])
  expect(select('plan=quay&owner=ben')).toEqual([])
})
