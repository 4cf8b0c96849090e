// Which contracts are up for renewal, by quarter, with what endangers them and who acts next. Pure.
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import { daysBetween, openRenewal } from '../../../contract/rules.ts'
import { HEALTHS } from '../../../contract/values.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { compareText } from '../../ui/text/format.ts'
import { renewalMessages as messages } from './messages.ts'
import { nextActions, riskOf, type AccountRisk } from './account-risk.ts'

/** One renewal that is up. */
export interface DueRenewal {
  account: Account
  day: string
  /** Until the day; negative once it has passed. */
  days: number
  risk: AccountRisk | undefined
  /** The next action of the account or its plans. */
  next: Action | undefined
  /** Whether its day has passed. */
  isNextLate: boolean
}

/** The renewals of one quarter, or those that have passed. */
export interface RenewalGroup {
  /** The first and the last month, as `YYYY-MM`; undefined for those that have passed. */
  months: readonly [string, string] | undefined
  renewals: DueRenewal[]
  /** Amounts per currency. */
  totals: { currency: string; amount: number; atRisk: number }[]
}

/** Quarters after the present one. */
const FOLLOWING_QUARTERS = 2

/** The first month of the quarter `offset` quarters after that of `day`, as `YYYY-MM`. */
function quarterStart(day: string, offset: number): string {
  const [year = 1970, month = 1] = day.split('-').map(Number)
  const start = new Date(Date.UTC(year, 3 * (Math.floor((month - 1) / 3) + offset), 1))
  return start.toISOString().slice(0, 7)
}

/** The last month of the quarter that begins with `first`. */
const lastMonth = (first: string) => {
  const [year = 1970, month = 1] = first.split('-').map(Number)
  return new Date(Date.UTC(year, month + 1, 1)).toISOString().slice(0, 7)
}

interface Records {
  accounts: readonly Account[]
  plans: readonly SuccessPlan[]
  actions: readonly Action[]
}

const NONE: readonly never[] = []
const UNTICKED: ReadonlySet<string> = new Set()

/**
 * The renewals that have passed without an outcome, then those of this quarter and the next two, each group
 * by date. Groups without a renewal are left out, as are churned accounts.
 */
export function renewalsOf({ accounts, plans, actions }: Records, today: string): RenewalGroup[] {
  const plansOf = Map.groupBy(plans, ({ account_id }) => account_id)
  const accountOfPlan = new Map(plans.map(({ id, account_id }) => [id, account_id]))
  const actionsOf = Map.groupBy(
    actions,
    ({ account_id, success_plan_id }) =>
      account_id ?? accountOfPlan.get(success_plan_id ?? '') ?? null,
  )
  const end = quarterStart(today, FOLLOWING_QUARTERS + 1)
  const due = accounts.flatMap((account): DueRenewal[] => {
    const { id } = account
    const day = openRenewal(account)
    if (day === null || day >= end) return []
    const own = plansOf.get(id) ?? NONE
    const [next] = nextActions(actionsOf.get(id) ?? NONE, id, own, UNTICKED)
    const isNextLate = (next?.due_date ?? today) < today
    const days = daysBetween(today, day)
    return [{ account, day, days, risk: riskOf(account, own), next, isNextLate }]
  })
  const groups = Map.groupBy(
    due.toSorted((a, b) => a.days - b.days),
    ({ day, days }) => (days < 0 ? undefined : quarterStart(day, 0)),
  )
  return [...groups].map(([first, renewals]) => ({
    months: first === undefined ? undefined : ([first, lastMonth(first)] as const),
    renewals,
    totals: totalsOf(renewals),
  }))
}

/** What the view leaves out; empty for nothing. */
export interface RenewalFilters {
  search: string
  /** A user id, or `none`. */
  owner: string
  risk: '' | 'risky' | 'none'
}

/** The filter by risk of a search parameter. */
export const readRisk = (parameter: string | null): RenewalFilters['risk'] =>
  parameter === 'risky' || parameter === 'none' ? parameter : ''

/** The renewals of a group that match; the totals are theirs. A group without any is left out. */
export function filterRenewals(
  groups: readonly RenewalGroup[],
  { search, owner, risk }: RenewalFilters,
  nameOf: NameOf,
): readonly RenewalGroup[] {
  const sought = search.trim().toLowerCase()
  const has = (text: string | undefined) => text?.toLowerCase().includes(sought) === true
  const matches = ({ account, risk: own }: DueRenewal) =>
    (owner === '' || (account.owner_id ?? 'none') === owner) &&
    (risk === '' || (risk === 'risky') === (own !== undefined)) &&
    (has(account.name) || has(nameOf(account.owner_id)))
  return groups.flatMap((group) => {
    const renewals = group.renewals.filter(matches)
    return renewals.length === 0 ? [] : [{ ...group, renewals, totals: totalsOf(renewals) }]
  })
}

/** What the renewals of a group are sorted by. */
export const RENEWAL_SORTS = ['day', 'name', 'amount', 'risk', 'owner'] as const
export type RenewalSort = (typeof RENEWAL_SORTS)[number]

export type NameOf = (user_id: string | null) => string | undefined

const VALUES: Record<
  RenewalSort,
  (renewal: DueRenewal, nameOf: NameOf) => string | number | null | undefined
> = {
  name: ({ account }) => account.name,
  day: ({ day }) => day,
  // The largest amount and the worst health first.
  amount: ({ account }) => account.arr && -account.arr,
  risk: ({ risk }) => risk && -HEALTHS.indexOf(risk.health),
  owner: ({ account }, nameOf) => nameOf(account.owner_id),
}

/** The sort of a search parameter: `amount`, or `-amount` for the other direction. Otherwise by date. */
export function readSort(parameter: string | null): { key: RenewalSort; reversed: boolean } {
  const reversed = parameter?.startsWith('-') === true
  const key = parameter?.slice(Number(reversed)) ?? ''
  return key in VALUES ? { key: key as RenewalSort, reversed } : { key: 'day', reversed: false }
}

/** The renewals in another order; those without a value come last in both directions. */
export function sortRenewals(
  renewals: readonly DueRenewal[],
  { key, reversed }: ReturnType<typeof readSort>,
  nameOf: NameOf,
): DueRenewal[] {
  const valueOf = (renewal: DueRenewal) => VALUES[key](renewal, nameOf) ?? null
  const direction = reversed ? -1 : 1
  return renewals.toSorted((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    if (typeof first === 'number' && typeof second === 'number') return direction * (first - second)
    return direction * compareText(String(first), String(second))
  })
}

function totalsOf(renewals: readonly DueRenewal[]): RenewalGroup['totals'] {
  const priced = renewals.filter(({ account }) => account.arr !== null)
  return [...Map.groupBy(priced, ({ account }) => account.currency)].map(([currency, own]) => {
    const sum = (some: readonly DueRenewal[]) =>
      some.reduce((total, { account }) => total + (account.arr ?? 0), 0)
    return { currency, amount: sum(own), atRisk: sum(own.filter(({ risk }) => risk)) }
  })
}

/** An action in one line: what, and by whom. */
export const actionText = (
  { assignee_id, assignee_contact, title }: Action,
  nameOf: NameOf,
): string => messages.action(title, nameOf(assignee_id) ?? assignee_contact?.name)
