// Which plans the list shows and in which order. Filters run on the device; the selection is in the
// URL.
import { daysBetween, isPlanOpen, isOverdue, isStale } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { PLAN_STATUSES } from '../../../../contract/values.ts'
import type { NameOf } from '../../../data/record-id.ts'
import { filterByText } from '../../../data/list-search.ts'
import { matches, matchesDay, matchesStatus } from '../../../widgets/table/filters.ts'
import { readSort, sortPlans, type Sort } from './order.ts'

/** The views of the list; the first is the default. */
export const VIEWS = ['all', 'mine', 'at-risk', 'overdue', 'stale', 'due'] as const
export type View = (typeof VIEWS)[number]
/** The filters with one value each; empty for all. */
export const FILTERS = ['status', 'health', 'owner', 'account', 'end'] as const
export type Filter = (typeof FILTERS)[number]

/** What the table can be grouped by; empty for none. */
const GROUPS = ['', 'status', 'health', 'owner', 'account', 'month'] as const
export type Group = (typeof GROUPS)[number]

/** View, filters, search and order of the list, and how the table shows it. */
export interface Selection extends Record<Filter, string> {
  view: View
  search: string
  sort: Sort
  group: Group
  /** Columns that the table leaves out, with commas between; empty for none. */
  hidden: string
}

/** What the rules and filters need besides the plans. */
export interface ViewContext {
  user_id: string
  /** The day in the organisation's time zone. */
  today: string
  /** Epoch milliseconds. */
  now: number
  nameOf: NameOf
}

const oneOf = <Word extends string>(
  values: readonly [Word, ...Word[]],
  value: string | null,
): Word => values.find((known) => known === value) ?? values[0]

/** Reads the selection from the search parameters; unknown values are ignored. */
export function readSelection(params: URLSearchParams): Selection {
  const filter = (name: Filter) => params.get(name) ?? ''
  return {
    view: oneOf(VIEWS, params.get('view')),
    status: filter('status'),
    health: filter('health'),
    owner: filter('owner'),
    account: filter('account'),
    end: filter('end'),
    search: params.get('search') ?? '',
    sort: readSort(params.get('sort')),
    group: oneOf(GROUPS, params.get('group')),
    hidden: params.get('hidden') ?? '',
  }
}

/** The search parameters of a selection, without default values. */
export function writeSelection(selection: Selection): URLSearchParams {
  const { view, search, sort, group, hidden } = selection
  const params = new URLSearchParams()
  if (view !== VIEWS[0]) params.set('view', view)
  for (const name of FILTERS) if (selection[name]) params.set(name, selection[name])
  if (search) params.set('search', search)
  if (sort !== readSort(null)) params.set('sort', sort)
  if (group) params.set('group', group)
  if (hidden) params.set('hidden', hidden)
  return params
}

/** Statuses of the plans that this build does not know. */
export function unknownStatuses(plans: readonly SuccessPlan[]): readonly string[] {
  const known: readonly string[] = PLAN_STATUSES
  return [...new Set(plans.map(({ status }) => status))].filter((one) => !known.includes(one))
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

/**
 * Number of plans per view, regardless of the other filters; none for a view about which nothing is known, as the
 * server returns no owners, or not when the last update was.
 */
export function countViews(
  plans: readonly SuccessPlan[],
  context: ViewContext,
): Partial<Record<View, number>> {
  const hasOwners = plans.some(({ owner_id }) => owner_id !== null)
  const hasTimes = plans.some(({ last_update_at }) => last_update_at !== undefined)
  const isKnown = (view: View) => (view !== 'mine' || hasOwners) && (view !== 'stale' || hasTimes)
  const numberOf = (view: View) => plans.filter((plan) => IN_VIEW[view](plan, context)).length
  return Object.fromEntries(VIEWS.filter(isKnown).map((view) => [view, numberOf(view)]))
}

/** A selection as the list shows it: a view for which `countViews` knows nothing shows all plans. */
export const shownSelection = (
  selection: Selection,
  counts: Partial<Record<View, number>>,
): Selection =>
  counts[selection.view] === undefined ? { ...selection, view: VIEWS[0] } : selection

/** The plans of a selection, sorted. */
export function selectPlans(
  plans: readonly SuccessPlan[],
  selection: Selection,
  context: ViewContext,
): readonly SuccessPlan[] {
  const { view, status, health, owner, account, end, search, sort } = selection
  const { nameOf, today } = context
  const found = filterByText(
    sortPlans(plans, sort, nameOf),
    search,
    nameOf,
    ({ title, account_id, owner_id }) => [
      title,
      nameOf('accounts', account_id),
      nameOf('organisation_users', owner_id),
    ],
  )
  if (view === VIEWS[0] && FILTERS.every((name) => selection[name] === '')) return found
  return found.filter(
    (plan) =>
      IN_VIEW[view](plan, context) &&
      matchesStatus(status, plan) &&
      matches(health, plan.health) &&
      matches(owner, plan.owner_id) &&
      matches(account, plan.account_id) &&
      matchesDay(end, plan.end_date, today),
  )
}
