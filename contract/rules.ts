// Business rules shared by app and server. Pure functions.
import { LOCALE } from './text/locale.ts'
import type { Account } from './schemas/accounts.ts'
import type { Action } from './schemas/actions.ts'
import type { SuccessPlan } from './schemas/success-plans.ts'
import { OPEN_STATUSES, type PlanStatus } from './values.ts'

const TRANSITIONS: Record<PlanStatus, readonly PlanStatus[]> = {
  planned: ['in-progress', 'cancelled'],
  'in-progress': ['paused', 'completed', 'cancelled'],
  paused: ['in-progress', 'completed', 'cancelled'],
  completed: ['in-progress'],
  cancelled: ['planned'],
}

/** The statuses that a plan or initiative may change to; empty for an unknown status. */
export const transitionsFrom = (status: string): readonly PlanStatus[] =>
  Object.hasOwn(TRANSITIONS, status) ? TRANSITIONS[status as PlanStatus] : []

/** What a transition requires: a note when work stops, an outcome when it is completed. */
export const requiredForTransition = (to: PlanStatus): 'note' | 'outcome' | undefined =>
  to === 'paused' || to === 'cancelled' ? 'note' : to === 'completed' ? 'outcome' : undefined

/** Progress in percent after completing: 100 if the goal was achieved, otherwise unchanged. */
export const progressAtCompletion = (progress: number, outcome: string): number =>
  outcome === 'achieved' ? 100 : progress

/** Outcome and closing note that a plan gets with a new status; cleared when it is reopened. */
export const closingFields = (
  status: PlanStatus,
  { outcome, body }: { outcome?: string | null | undefined; body?: string | null | undefined },
): { outcome: string | null; close_note: string | null } => {
  const isCompleted = status === 'completed'
  return {
    outcome: isCompleted ? (outcome ?? null) : null,
    close_note: isCompleted || status === 'cancelled' ? body || null : null,
  }
}

/** The earlier of two instants. A device clock that runs ahead must not win over later updates. */
export const clampToNow = (writtenAt: string, now: string): string =>
  Date.parse(writtenAt) > Date.parse(now) ? now : writtenAt

/** The numbers of actions and of done actions, without cancelled ones. */
export function countActions(actions: readonly Pick<Action, 'status'>[]) {
  const counted = actions.filter(({ status }) => status !== 'cancelled')
  const actions_done_count = counted.filter(({ status }) => status === 'done').length
  return { actions_count: counted.length, actions_done_count }
}

/**
 * Progress in percent, calculated from actions: a done action counts 1, one in progress 1/4, a
 * cancelled one is ignored. Returns `last` without actions.
 */
export function progressFromActions(
  actions: readonly Pick<Action, 'status'>[],
  last: number,
): number {
  const { actions_count, actions_done_count } = countActions(actions)
  const inProgressCount = actions.filter(({ status }) => status === 'in-progress').length
  if (actions_count === 0) return last
  return Math.round((100 * (actions_done_count + inProgressCount / 4)) / actions_count)
}

type Dated = Pick<SuccessPlan, 'status' | 'start_date' | 'end_date' | 'progress'>

/** Whether a plan is neither completed nor cancelled. */
export const isPlanOpen = (plan: Pick<SuccessPlan, 'status'>): boolean =>
  OPEN_STATUSES.includes(plan.status)

/** The day on which the contract of an account is up; null if it has no such day, or has churned. */
export const openRenewal = (account: Pick<Account, 'status' | 'renewal_date'>): string | null =>
  account.status === 'churned' ? null : account.renewal_date

/**
 * The calendar day (`YYYY-MM-DD`) of an instant in an IANA time zone; in UTC if it is unknown, in that of the device if
 * none is named.
 */
export function dayInTimeZone(timeZone: string | undefined, instant: Date): string {
  try {
    // Read the parts: separators and order of a formatted date differ between JavaScript engines.
    const style = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
    const parts = new Intl.DateTimeFormat(LOCALE, { timeZone, ...style }).formatToParts(instant)
    const { year, month, day } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
    return `${year}-${month}-${day}`
  } catch {
    return instant.toISOString().slice(0, 10)
  }
}

/** Days from `from` to `to` (`YYYY-MM-DD`); negative if `to` is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

/** Whether an open plan is past its end date. `today` is in the organisation's time zone. */
export const isOverdue = (plan: Pick<Dated, 'status' | 'end_date'>, today: string): boolean =>
  isPlanOpen(plan) && plan.end_date !== null && plan.end_date < today

/** Whether an open plan ends within 14 days. */
export const isDueSoon = (plan: Pick<Dated, 'status' | 'end_date'>, today: string): boolean =>
  isPlanOpen(plan) &&
  plan.end_date !== null &&
  plan.end_date >= today &&
  daysBetween(today, plan.end_date) <= 14

/** Days between updates for plans without their own cadence. */
export const DEFAULT_CADENCE_DAYS = 14

/**
 * Whether a plan in progress had no update within its cadence; false where the server does not say when the last one
 * was. `now` is in epoch milliseconds.
 */
export function isStale(
  plan: Pick<SuccessPlan, 'status' | 'last_update_at' | 'update_cadence_days' | 'created_at'>,
  now: number,
): boolean {
  const last = plan.last_update_at ?? plan.created_at
  if (plan.status !== 'in-progress' || plan.last_update_at === undefined || last === null)
    return false
  return now - Date.parse(last) > (plan.update_cadence_days ?? DEFAULT_CADENCE_DAYS) * 86_400_000
}

/** The elapsed share of the plan's time, 0 to 100 percent; undefined without both dates. */
export function elapsedPercent(
  plan: Pick<Dated, 'start_date' | 'end_date'>,
  today: string,
): number | undefined {
  if (!plan.start_date || !plan.end_date) return undefined
  const length = daysBetween(plan.start_date, plan.end_date)
  if (length <= 0) return today >= plan.end_date ? 100 : 0
  return Math.min(
    100,
    Math.max(0, Math.round((100 * daysBetween(plan.start_date, today)) / length)),
  )
}

/** Whether progress is more than 15 points below the elapsed time. */
export function isBehind(plan: Dated, today: string): boolean {
  const elapsed = elapsedPercent(plan, today)
  return plan.status === 'in-progress' && elapsed !== undefined && elapsed - plan.progress > 15
}
