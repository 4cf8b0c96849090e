// The orders of the list: one per column of the table, and by the last change of any kind.
import { isPlanOpen } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { HEALTHS, PLAN_STATUSES } from '../../../../contract/values.ts'
import type { NameOf } from '../../../data/record-id.ts'
import { memoSort } from '../../../data/list-search.ts'
import { compareText } from '../../../ui/text/format.ts'

/** What the list can be sorted by; the first is the default. */
const KEYS = [
  'end_date',
  'title',
  'account',
  'status',
  'health',
  'progress',
  'owner',
  'last_update_at',
  'updated_at',
] as const
export type SortKey = (typeof KEYS)[number]
/** With `-` in descending order. */
export type Sort = SortKey | `-${SortKey}`

/** The orders that a list without headings offers. */
export const SORTS = ['end_date', '-updated_at', 'progress', 'title'] as const

/** The order of that name; by end date if there is none. */
export function readSort(name: string | null): Sort {
  const known = (key: string | undefined): key is SortKey => KEYS.some((one) => one === key)
  const descending = name?.startsWith('-') ?? false
  const key = descending ? name?.slice(1) : (name ?? undefined)
  if (!known(key)) return KEYS[0]
  return descending ? `-${key}` : key
}

type Value = string | number | undefined

/** The position of a value; undefined for an unknown one. */
const rankIn = (values: readonly string[], value: string | null) => {
  const at = values.indexOf(value ?? '')
  return at === -1 ? undefined : at
}
/** The most urgent first. */
const URGENCY = HEALTHS.toReversed()

/** What each order compares; plans without a value come last in both directions. */
const VALUES: Record<Exclude<SortKey, 'end_date'>, (plan: SuccessPlan, nameOf: NameOf) => Value> = {
  title: ({ title }) => title,
  account: ({ account_id }, nameOf) => nameOf('accounts', account_id),
  status: ({ status }) => rankIn(PLAN_STATUSES, status),
  health: ({ health }) => rankIn(URGENCY, health),
  progress: ({ progress }) => progress,
  owner: ({ owner_id }, nameOf) => nameOf('organisation_users', owner_id),
  last_update_at: ({ last_update_at }) => instant(last_update_at),
  updated_at: ({ updated_at }) => instant(updated_at),
}
const instant = (at: string | null | undefined) => (at ? Date.parse(at) : undefined)

/** Open plans by end date, then those without one; closed ones last, the latest first. */
function byEnd(a: SuccessPlan, b: SuccessPlan, sign = 1): number {
  const isOpen = isPlanOpen(a)
  if (isOpen !== isPlanOpen(b)) return isOpen ? -1 : 1
  const [first, second] = [a.end_date, b.end_date]
  if (first === second) return compareText(a.title, b.title)
  if (isOpen && (first === null || second === null)) return first === null ? 1 : -1
  return ((first ?? '9999') < (second ?? '9999') ? -1 : 1) * (isOpen ? sign : -1)
}

/** The plans in that order, cached. */
export function sortPlans(
  plans: readonly SuccessPlan[],
  sort: Sort,
  nameOf: NameOf,
): readonly SuccessPlan[] {
  const sign = sort.startsWith('-') ? -1 : 1
  const key = sort.replace('-', '') as SortKey
  if (key === 'end_date') return memoSort(plans, sort, (a, b) => byEnd(a, b, sign))
  const valueOf = VALUES[key]
  const compare = (a: SuccessPlan, b: SuccessPlan) => {
    const [first, second] = [valueOf(a, nameOf), valueOf(b, nameOf)]
    if (first === undefined || second === undefined)
      return Number(first === undefined) - Number(second === undefined) || byEnd(a, b)
    const order =
      typeof first === 'string' ? compareText(first, String(second)) : first - Number(second)
    return sign * order || byEnd(a, b)
  }
  const isDerived = key === 'account' || key === 'owner'
  return memoSort(plans, sort, compare, isDerived ? nameOf : undefined)
}
