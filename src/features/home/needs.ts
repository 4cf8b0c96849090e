// What needs the user's attention in an organisation: from the replica, by the shared rules. Pure.
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import { isActionOpen } from '../../data/success-plans/action-rules.ts'
import {
  daysBetween,
  isDueSoon,
  isOverdue,
  isPlanOpen,
  isStale,
  openRenewal,
} from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { HEALTHS, PLAN_STATUSES } from '../../../contract/values.ts'
import { NONE } from '../../widgets/table/filters.ts'

/** A record with its due day; null if it has none. */
export type Need =
  | { kind: 'action'; record: Action; day: string | null }
  | { kind: 'plan'; record: SuccessPlan; day: string | null }

/** The sections of the home screen, each sorted. */
export interface Needs {
  /** Past their due day, or of high priority and due within three days; the oldest first. */
  overdue: Need[]
  /** Due within 14 days, then the actions without a due day. */
  next: Need[]
  /** Open plans at risk, off track or stale; the worst first. */
  risky: SuccessPlan[]
  /** Accounts whose renewal has passed without an outcome or is within 90 days; the earliest first. */
  renewals: Account[]
}

interface Records {
  plans: readonly SuccessPlan[]
  actions: readonly Action[]
  accounts: readonly Account[]
}

interface NeedsContext {
  user_id: string
  /** The day in the organisation's time zone. */
  today: string
  /** Epoch milliseconds. */
  now: number
  /** Actions completed on this screen; they keep their place. */
  ticked: ReadonlySet<string>
}

const URGENT_DAYS = 3
const NEXT_DAYS = 14
const RENEWAL_DAYS = 90
const LAST = '9999'

/**
 * What needs that user: their plans and actions, and accounts that are theirs or have no owner. Where no plan has an
 * owner, as the server does not return any, all plans do.
 */
export function needsOf({ plans, actions, accounts }: Records, context: NeedsContext): Needs {
  const { user_id, today, now, ticked } = context
  const hasOwners = plans.some(({ owner_id }) => owner_id !== null)
  const own = plans.filter((plan) => isPlanOpen(plan) && (!hasOwners || plan.owner_id === user_id))
  const planOf = new Map(plans.map((plan) => [plan.id, plan]))
  const todo = actions.filter(
    ({ id, assignee_id, status, success_plan_id }) =>
      assignee_id === user_id &&
      isActionOpen(
        // An action that the user has just ticked stays in the list.
        { status: ticked.has(id) ? 'todo' : status },
        planOf.get(success_plan_id ?? ''),
      ),
  )
  const actionNeeds = todo.map((record): Need => ({ kind: 'action', record, day: record.due_date }))
  const planNeeds = (which: (plan: SuccessPlan) => boolean) =>
    own.filter(which).map((record): Need => ({ kind: 'plan', record, day: record.end_date }))
  return {
    overdue: [
      ...actionNeeds.filter((need) => isUrgent(need, today)),
      ...planNeeds((plan) => isOverdue(plan, today)),
    ].toSorted(byDay),
    next: [
      ...actionNeeds.filter((need) => !isUrgent(need, today) && isNear(need.day, today, NEXT_DAYS)),
      ...planNeeds((plan) => isDueSoon(plan, today)),
    ].toSorted(byDay),
    risky: own
      .filter((plan) => riskOf(plan, now) < NO_RISK)
      .toSorted((a, b) => riskOf(a, now) - riskOf(b, now) || compare(a.end_date, b.end_date)),
    renewals: accounts
      .filter((account) => {
        const { owner_id } = account
        const day = openRenewal(account)
        const isNear = day !== null && daysBetween(today, day) <= RENEWAL_DAYS
        return isNear && (owner_id === user_id || owner_id === null)
      })
      .toSorted((a, b) => compare(a.renewal_date, b.renewal_date)),
  }
}

function isUrgent({ record, day }: Need, today: string): boolean {
  if (day === null) return false
  const isHigh = 'priority' in record && record.priority === 'high'
  return day < today || (isHigh && isNear(day, today, URGENT_DAYS))
}

const isNear = (day: string | null, today: string, days: number) =>
  day === null || daysBetween(today, day) <= days

const NO_RISK = 3
/** Rank by risk: off track, at risk, stale, none. */
function riskOf(plan: SuccessPlan, now: number): number {
  if (plan.health === 'off-track') return 0
  if (plan.health === 'at-risk') return 1
  return isStale(plan, now) ? 2 : NO_RISK
}

const compare = (a: string | null, b: string | null) => {
  const [first, second] = [a ?? LAST, b ?? LAST]
  return first === second ? 0 : first < second ? -1 : 1
}
const byDay = (a: Need, b: Need) => compare(a.day, b.day)

/** One bar of a chart: the number of plans, and a link to them in the list. */
export interface Share {
  /** A status or a health value. */
  key: string
  count: number
  /** The list's search parameters for these plans. */
  search: string
}

/** Number of plans by status, for statuses that occur, in workflow order. */
export const byStatus = (plans: readonly SuccessPlan[]): Share[] =>
  shares(plans, ({ status }) => status, PLAN_STATUSES, 'status=')

/** Number of open plans by health, for values that occur, the worst first, not rated last. */
export const byHealth = (plans: readonly SuccessPlan[]): Share[] =>
  shares(
    plans.filter(isPlanOpen),
    ({ health }) => health ?? NONE,
    HEALTHS.toReversed(),
    'status=open&health=',
  )

function shares(
  plans: readonly SuccessPlan[],
  keyOf: (plan: SuccessPlan) => string,
  order: readonly string[],
  search: string,
): Share[] {
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
  return [...Map.groupBy(plans, keyOf)]
    .map(([key, of]) => ({ key, count: of.length, search: search + encodeURIComponent(key) }))
    .toSorted((a, b) => rank(a.key) - rank(b.key))
}
