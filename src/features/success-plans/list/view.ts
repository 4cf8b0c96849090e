// Which plans the list shows and in which order. Filters run on the device; the selection is in the
// URL.
import { daysBetween, isPlanOpen, isOverdue, isStale } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { memoSort, filterByText } from '../../../data/list-search.ts'
import { compareText } from '../../../ui/text/format.ts'

/** The views of the list; the first is the default. */
export const VIEWS = ['all', 'mine', 'at-risk', 'overdue', 'stale', 'due'] as const
export type View = (typeof VIEWS)[number]
/** The orders of the list; the first is the default. */
export const SORTS = ['end_date', '-updated_at', 'progress', 'title'] as const
export type Sort = (typeof SORTS)[number]

/** As a status: all open plans. As a health: plans that are not rated. */
export const OPEN = 'open'
export const NOT_RATED = 'none'

/** View, filters, search and order of the list. */
export interface Selection {
  view: View
  /** A status, known or not, or `open` for all open plans; empty for all. */
  status: string
  /** A health, or `none` for plans that are not rated; empty for all. */
  health: string
  search: string
  sort: Sort
}

/** What the rules and filters need besides the plans. */
export interface ViewContext {
  user_id: string
  /** The day in the organisation's time zone. */
  today: string
  /** Epoch milliseconds. */
  now: number
  /** The name of an account or a person. */
  nameOf: (id: string | null) => string | undefined
}

const oneOf = <Word extends string>(
  values: readonly [Word, ...Word[]],
  value: string | null,
): Word => values.find((known) => known === value) ?? values[0]

/** Reads the selection from the search parameters; unknown values are ignored. */
export const readSelection = (params: URLSearchParams): Selection => ({
  view: oneOf(VIEWS, params.get('view')),
  status: params.get('status') ?? '',
  health: params.get('health') ?? '',
  search: params.get('search') ?? '',
  sort: oneOf(SORTS, params.get('sort')),
})

/** The search parameters of a selection, without default values. */
export function writeSelection(selection: Selection): URLSearchParams {
  const { view, status, health, search, sort } = selection
  const params = new URLSearchParams()
  if (view !== VIEWS[0]) params.set('view', view)
  if (status) params.set('status', status)
  if (health) params.set('health', health)
  if (search) params.set('search', search)
  if (sort !== SORTS[0]) params.set('sort', sort)
  return params
}

const SOON_DAYS = 30

/** Which plans belong to each view. */
export const IN_VIEW: Record<View, (plan: SuccessPlan, context: ViewContext) => boolean> = {
  all: () => true,
  mine: (plan, { user_id }) => plan.owner_id === user_id,
  'at-risk': (plan) =>
    isPlanOpen(plan) && (plan.health === 'at-risk' || plan.health === 'off-track'),
  overdue: (plan, { today }) => isOverdue(plan, today),
  stale: (plan, { now }) => isStale(plan, now),
  due: (plan, { today }) =>
    isPlanOpen(plan) &&
    plan.end_date !== null &&
    plan.end_date >= today &&
    daysBetween(today, plan.end_date) <= SOON_DAYS,
}

/** Number of plans per view, regardless of the other filters. */
export function countViews(
  plans: readonly SuccessPlan[],
  context: ViewContext,
): Record<View, number> {
  const counts = { all: 0, mine: 0, 'at-risk': 0, overdue: 0, stale: 0, due: 0 }
  for (const plan of plans)
    for (const view of VIEWS) if (IN_VIEW[view](plan, context)) counts[view]++
  return counts
}

/** Open plans by end date, then those without one; closed ones last. */
const byEnd = (a: SuccessPlan, b: SuccessPlan) =>
  Number(isPlanOpen(b)) - Number(isPlanOpen(a)) || compareDays(a, b)
const compareDays = (a: SuccessPlan, b: SuccessPlan) => {
  const [first, second] = [a.end_date ?? '9999', b.end_date ?? '9999']
  if (first === second) return compareText(a.title, b.title)
  // Closed plans in descending order: the latest first.
  return (first < second ? -1 : 1) * (isPlanOpen(a) ? 1 : -1)
}
const ORDERS: Record<Sort, (a: SuccessPlan, b: SuccessPlan) => number> = {
  end_date: byEnd,
  '-updated_at': (a, b) => ((a.updated_at ?? '') < (b.updated_at ?? '') ? 1 : -1),
  progress: (a, b) => a.progress - b.progress || byEnd(a, b),
  title: (a, b) => compareText(a.title, b.title),
}

/** The plans of a selection, sorted. */
export function selectPlans(
  plans: readonly SuccessPlan[],
  { view, status, health, search, sort }: Selection,
  context: ViewContext,
): readonly SuccessPlan[] {
  const { nameOf } = context
  const found = filterByText(
    memoSort(plans, sort, ORDERS[sort]),
    search,
    nameOf,
    ({ title, account_id }) => [title, nameOf(account_id)],
  )
  if (view === 'all' && status === '' && health === '') return found
  return found.filter(
    (plan) =>
      IN_VIEW[view](plan, context) &&
      (status === '' || plan.status === status || (status === OPEN && isPlanOpen(plan))) &&
      (health === '' || (plan.health ?? NOT_RATED) === health),
  )
}
