// What of the plans a list shows, and in which order: all of it on the device, all of it in the URL.
import { isOpen, isOverdue, isStale } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/success-plans.ts'

export const VIEWS = ['all', 'mine', 'at-risk', 'overdue', 'stale'] as const
export type View = (typeof VIEWS)[number]
export const SORTS = ['end_date', '-updated_at', 'progress', 'title'] as const
export type Sort = (typeof SORTS)[number]

export interface Selection {
  view: View
  /** A status, known or not; empty for all. */
  status: string
  search: string
  sort: Sort
}

/** What the rules need to know of the world. */
export interface Vantage {
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
  search: params.get('search') ?? '',
  sort: oneOf(SORTS, params.get('sort')),
})

/** The search parameters that say so; what is the default is left out. */
export function writeSelection({ view, status, search, sort }: Selection): URLSearchParams {
  const params = new URLSearchParams()
  if (view !== VIEWS[0]) params.set('view', view)
  if (status) params.set('status', status)
  if (search) params.set('search', search)
  if (sort !== SORTS[0]) params.set('sort', sort)
  return params
}

const IN_VIEW: Record<View, (plan: SuccessPlan, from: Vantage) => boolean> = {
  all: () => true,
  mine: (plan, { user_id }) => plan.owner_id === user_id,
  'at-risk': (plan) => isOpen(plan) && (plan.health === 'at-risk' || plan.health === 'off-track'),
  overdue: (plan, { today }) => isOverdue(plan, today),
  stale: (plan, { now }) => isStale(plan, now),
}

/** How many plans each view holds, whatever else is chosen. */
export function countViews(plans: readonly SuccessPlan[], from: Vantage): Record<View, number> {
  const counts = { all: 0, mine: 0, 'at-risk': 0, overdue: 0, stale: 0 }
  for (const plan of plans) for (const view of VIEWS) if (IN_VIEW[view](plan, from)) counts[view]++
  return counts
}

const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
/** Open ones first by their end, the undated after them; what is over comes last. */
const byEnd = (a: SuccessPlan, b: SuccessPlan) =>
  Number(isOpen(b)) - Number(isOpen(a)) || compareDays(a, b)
const compareDays = (a: SuccessPlan, b: SuccessPlan) => {
  const [first, second] = [a.end_date ?? '9999', b.end_date ?? '9999']
  if (first === second) return COLLATOR.compare(a.title, b.title)
  // What is over reads backwards: the latest first.
  return (first < second ? -1 : 1) * (isOpen(a) ? 1 : -1)
}
const ORDERS: Record<Sort, (a: SuccessPlan, b: SuccessPlan) => number> = {
  end_date: byEnd,
  '-updated_at': (a, b) => ((a.updated_at ?? '') < (b.updated_at ?? '') ? 1 : -1),
  progress: (a, b) => a.progress - b.progress || byEnd(a, b),
  title: (a, b) => COLLATOR.compare(a.title, b.title),
}

/** The plans that a selection shows, in its order. */
export function selectPlans(
  plans: readonly SuccessPlan[],
  { view, status, search, sort }: Selection,
  from: Vantage,
): SuccessPlan[] {
  const sought = search.trim().toLowerCase()
  const found = plans.filter(
    (plan) =>
      IN_VIEW[view](plan, from) &&
      (status === '' || plan.status === status) &&
      (sought === '' ||
        plan.title.toLowerCase().includes(sought) ||
        from.nameOf(plan.account_id)?.toLowerCase().includes(sought) === true),
  )
  return found.toSorted(ORDERS[sort])
}
