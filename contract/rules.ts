// The rules that both sides share: the app offers by them, the server refuses by them. Pure.
import { LOCALE } from './text/locale.ts'
import type { Action } from './schemas/actions.ts'
import type { SuccessPlan, SuccessPlanUpdate } from './schemas/success-plans.ts'
import type { PlanStatus } from './values.ts'

const TRANSITIONS: Record<PlanStatus, readonly PlanStatus[]> = {
  planned: ['in-progress', 'cancelled'],
  'in-progress': ['paused', 'completed', 'cancelled'],
  paused: ['in-progress', 'completed', 'cancelled'],
  completed: ['in-progress'],
  cancelled: ['planned'],
}

/** Where a plan or an initiative may go from `status`; an unknown status goes nowhere. */
export const transitionsFrom = (status: string): readonly PlanStatus[] =>
  Object.hasOwn(TRANSITIONS, status) ? TRANSITIONS[status as PlanStatus] : []

/** What a transition asks for: a note when work stops, an outcome when it is done. */
export const requiredForTransition = (to: PlanStatus): 'note' | 'outcome' | undefined =>
  to === 'paused' || to === 'cancelled' ? 'note' : to === 'completed' ? 'outcome' : undefined

/** Completing sets 100, unless the outcome says that the goal was not reached. */
export const progressAtCompletion = (progress: number, outcome: string): number =>
  outcome === 'achieved' ? 100 : progress

/** A device clock that runs ahead must not win for ever: never later than the server's now. */
export const clampToNow = (writtenAt: string, now: string): string =>
  Date.parse(writtenAt) > Date.parse(now) ? now : writtenAt

/**
 * A manual plan's progress is that of the update with the latest `written_at`: an update written on
 * Monday and synced on Wednesday does not undo Tuesday's. Undefined when no update sets progress.
 */
export function progressFromUpdates(
  updates: Iterable<Pick<SuccessPlanUpdate, 'progress_to' | 'written_at' | 'id'>>,
): number | undefined {
  let latest: { at: number; id: string; progress: number } | undefined
  for (const { progress_to, written_at, id } of updates) {
    if (progress_to === null) continue
    const at = Date.parse(written_at)
    if (!latest || at > latest.at || (at === latest.at && id > latest.id))
      latest = { at, id, progress: progress_to }
  }
  return latest?.progress
}

/** Actions that count, and how many of them are done: cancelled ones count for nothing. */
export function countActions(actions: readonly Pick<Action, 'status'>[]) {
  const counted = actions.filter(({ status }) => status !== 'cancelled')
  const actions_done_count = counted.filter(({ status }) => status === 'done').length
  return { actions_count: counted.length, actions_done_count }
}

/**
 * The progress of what follows its actions, in per cent: done ones count whole, those in progress a
 * quarter, cancelled ones not at all. Without actions it stays at `last`.
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

const OPEN_STATUSES: readonly string[] = ['planned', 'in-progress', 'paused']
type Dated = Pick<SuccessPlan, 'status' | 'start_date' | 'end_date' | 'progress'>

/** Whether work on a plan is still to be done. */
export const isPlanOpen = (plan: Pick<SuccessPlan, 'status'>): boolean =>
  OPEN_STATUSES.includes(plan.status)

/** The calendar day, `YYYY-MM-DD`, of an instant in a time zone; UTC where the zone is unknown. */
export function dayInTimeZone(timeZone: string, instant: Date): string {
  try {
    // By its parts: what a language puts between them, and in which order, differs from engine to engine.
    const style = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
    const parts = new Intl.DateTimeFormat(LOCALE, { timeZone, ...style }).formatToParts(instant)
    const { year, month, day } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
    return `${year}-${month}-${day}`
  } catch {
    return instant.toISOString().slice(0, 10)
  }
}

/** Whole days from day to day; negative when `to` is the earlier one. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

/** Past its end date and still open. `today` is the day in the organisation's time zone. */
export const isOverdue = (plan: Pick<Dated, 'status' | 'end_date'>, today: string): boolean =>
  isPlanOpen(plan) && plan.end_date !== null && plan.end_date < today

/** Ends within 14 days, and is still open. */
export const isDueSoon = (plan: Pick<Dated, 'status' | 'end_date'>, today: string): boolean =>
  isPlanOpen(plan) &&
  plan.end_date !== null &&
  plan.end_date >= today &&
  daysBetween(today, plan.end_date) <= 14

/** How often a plan without a cadence of its own asks for an update. */
export const DEFAULT_CADENCE_DAYS = 14

/** In progress, and no update for the plan's cadence. `now` in epoch milliseconds. */
export function isStale(
  plan: Pick<SuccessPlan, 'status' | 'last_update_at' | 'update_cadence_days' | 'created_at'>,
  now: number,
): boolean {
  const last = plan.last_update_at ?? plan.created_at
  if (plan.status !== 'in-progress' || last === null) return false
  return now - Date.parse(last) > (plan.update_cadence_days ?? DEFAULT_CADENCE_DAYS) * 86_400_000
}

/** The share of the plan's time that is gone, in per cent from 0 to 100; undefined without both dates. */
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

/** Progress is more than 15 points under the share of time gone. */
export function isBehind(plan: Dated, today: string): boolean {
  const elapsed = elapsedPercent(plan, today)
  return plan.status === 'in-progress' && elapsed !== undefined && elapsed - plan.progress > 15
}
