// What of the plans a list shows, and in which order: all of it on the device, all of it in the URL.
import { daysBetween, isPlanOpen, isOverdue, isStale } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { memoSort, filterByText } from '../../../data/list-search.ts'
import { compareText } from '../../../ui/text/format.ts'

export const VIEWS = ['all', 'mine', 'at-risk', 'overdue', 'stale', 'due'] as const
export type View = (typeof VIEWS)[number]
export const SORTS = ['end_date', '-updated_at', 'progress', 'title'] as const
export type Sort = (typeof SORTS)[number]

/** As a status: whatever is still open. As a health: what nobody has judged. */
export const OPEN = 'open'
export const NOT_RATED = 'none'

export interface Selection {
  view: View
  /** A status, known or not, or `open` for all of which work is still to be done; empty for all. */
  status: string
  /** A health, or `none` for what nobody has judged; empty for all. */
  health: string
  search: string
  sort: Sort
}

/** What the rules need to know of the world. */
export interface ViewContext {
  user_id: string
  /** The day in the organisation's time zone. */
  today: string
  /** Epoch milliseconds. */
  now: number
  /** The name of an account or a person. */
  nameOf: (id: string | null) => string | undefined
}

const oneOf = <Word extends string>(words: readonly [Word, ...Word[]], word: string | null): Word =>
  words.find((known) => known === word) ?? words[0]

/** Reads the selection from a URL's search parameters; what it does not know counts as not said. */
export const readSelection = (params: URLSearchParams): Selection => ({
  view: oneOf(VIEWS, params.get('view')),
  status: params.get('status') ?? '',
  health: params.get('health') ?? '',
  search: params.get('search') ?? '',
  sort: oneOf(SORTS, params.get('sort')),
})

/** The search parameters that say so; what is the default is left out. */
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

/** Which plans a view holds. */
export const IN_VIEW: Record<View, (plan: SuccessPlan, from: ViewContext) => boolean> = {
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

/** How many plans each view holds, whatever else is chosen. */
export function countViews(plans: readonly SuccessPlan[], from: ViewContext): Record<View, number> {
  const counts = { all: 0, mine: 0, 'at-risk': 0, overdue: 0, stale: 0, due: 0 }
  for (const plan of plans) for (const view of VIEWS) if (IN_VIEW[view](plan, from)) counts[view]++
  return counts
}

/** Open ones first by their end, the undated after them; what is over comes last. */
const byEnd = (a: SuccessPlan, b: SuccessPlan) =>
  Number(isPlanOpen(b)) - Number(isPlanOpen(a)) || compareDays(a, b)
const compareDays = (a: SuccessPlan, b: SuccessPlan) => {
  const [first, second] = [a.end_date ?? '9999', b.end_date ?? '9999']
  if (first === second) return compareText(a.title, b.title)
  // What is over reads backwards: the latest first.
  return (first < second ? -1 : 1) * (isPlanOpen(a) ? 1 : -1)
}
const ORDERS: Record<Sort, (a: SuccessPlan, b: SuccessPlan) => number> = {
  end_date: byEnd,
  '-updated_at': (a, b) => ((a.updated_at ?? '') < (b.updated_at ?? '') ? 1 : -1),
  progress: (a, b) => a.progress - b.progress || byEnd(a, b),
  title: (a, b) => compareText(a.title, b.title),
}

/** The plans that a selection shows, in its order. */
export function selectPlans(
  plans: readonly SuccessPlan[],
  { view, status, health, search, sort }: Selection,
  from: ViewContext,
): readonly SuccessPlan[] {
  const { nameOf } = from
  const found = filterByText(
    memoSort(plans, sort, ORDERS[sort]),
    search,
    nameOf,
    ({ title, account_id }) => [title, nameOf(account_id)],
  )
  if (view === 'all' && status === '' && health === '') return found
  return found.filter(
    (plan) =>
      IN_VIEW[view](plan, from) &&
      (status === '' || plan.status === status || (status === OPEN && isPlanOpen(plan))) &&
      (health === '' || (plan.health ?? NOT_RATED) === health),
  )
}
