// Which contracts are up for renewal, with what endangers them and who acts next. Pure.
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import { daysBetween, openRenewal } from '../../../contract/rules.ts'
import { HEALTHS } from '../../../contract/values.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { filterByText } from '../../data/list-search.ts'
import { compareText } from '../../ui/text/format.ts'
import { matches, matchesDay } from '../../widgets/table/filters.ts'
import { quarterStart } from '../../widgets/table/quarters.ts'
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

/** Quarters after the present one. */
const FOLLOWING_QUARTERS = 2

interface Records {
  accounts: readonly Account[]
  plans: readonly SuccessPlan[]
  actions: readonly Action[]
}

const NONE: readonly never[] = []
const UNTICKED: ReadonlySet<string> = new Set()

/**
 * The renewals that have passed without an outcome, then those of this quarter and the next two, by date.
 * Churned accounts are left out.
 */
export function renewalsOf({ accounts, plans, actions }: Records, today: string): DueRenewal[] {
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
  return due.toSorted((a, b) => a.days - b.days)
}

/** Renewals by date: passed, within 30, 90 and 180 days. */
export const RENEWAL_DAYS = ['passed', '30', '90', '180'] as const

/** What the view leaves out; empty for nothing. */
export interface RenewalFilters {
  search: string
  /** A user id, or `none`. */
  owner: string
  /** One of RENEWAL_DAYS. */
  day: string
  risk: '' | 'risky' | 'none'
}

/** The filter by risk of a search parameter. */
export const readRisk = (parameter: string | null): RenewalFilters['risk'] =>
  parameter === 'risky' || parameter === 'none' ? parameter : ''

/** The renewals that match. */
export function filterRenewals(
  renewals: readonly DueRenewal[],
  { search, owner, day, risk }: RenewalFilters,
  nameOf: NameOf,
  today: string,
): readonly DueRenewal[] {
  const found = filterByText(renewals, search, nameOf, ({ account }) => [
    account.name,
    nameOf(account.owner_id),
  ])
  return found.filter(
    ({ account, day: due, risk: own }) =>
      matches(owner, account.owner_id) &&
      matchesDay(day, due, today) &&
      (risk === '' || (risk === 'risky') === (own !== undefined)),
  )
}

/** What renewals are sorted by; the first is the default. */
export const RENEWAL_SORTS = ['day', 'name', 'amount', 'risk', 'owner'] as const
type RenewalSort = (typeof RENEWAL_SORTS)[number]

export interface RenewalOrder {
  sort: RenewalSort
  /** The opposite of the column's first direction. */
  reversed: boolean
}

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

/** The renewals in another order; those without a value come last in both directions. */
export function sortRenewals(
  renewals: readonly DueRenewal[],
  { sort, reversed }: RenewalOrder,
  nameOf: NameOf,
): DueRenewal[] {
  const valueOf = (renewal: DueRenewal) => VALUES[sort](renewal, nameOf) ?? null
  const direction = reversed ? -1 : 1
  return renewals.toSorted((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    if (typeof first === 'number' && typeof second === 'number') return direction * (first - second)
    return direction * compareText(String(first), String(second))
  })
}

/** Amounts per currency, and how much of them is at risk. */
export function totalsOf(renewals: readonly DueRenewal[]) {
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
