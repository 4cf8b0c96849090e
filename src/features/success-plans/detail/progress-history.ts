// A plan's progress over time, computed on the device.
import type { Action } from '../../../../contract/schemas/actions.ts'
import { countActions, isPlanOpen } from '../../../../contract/rules.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../../contract/schemas/success-plans.ts'
import { UNKNOWN_TIME } from '../../../../contract/values.ts'
import type { ChartPoint } from '../../../ui/display/chart.tsx'

/** Start of the day on the device, whose calendar the labels of the chart follow; in epoch milliseconds. */
const instantOf = (day: string): number => Date.parse(`${day}T00:00:00`)

/** From when to when a plan would go on evenly; undefined without both days. */
export const evenPace = ({ start_date, end_date }: SuccessPlan) =>
  start_date && end_date && start_date < end_date
    ? { from: instantOf(start_date), to: instantOf(end_date) }
    : undefined

/** Points from updates, by the time of writing. */
function fromUpdates(updates: readonly SuccessPlanUpdate[]): ChartPoint[] {
  return updates
    .flatMap(({ written_at, progress_to: value }) =>
      value === null || written_at === UNKNOWN_TIME ? [] : [{ at: Date.parse(written_at), value }],
    )
    .toSorted((a, b) => a.at - b.at)
}

/** Points derived from today's actions, by the time each was completed. */
function fromActions(actions: readonly Action[]): ChartPoint[] {
  const { actions_count } = countActions(actions)
  return actions
    .flatMap(({ status, completed_at }) =>
      status === 'done' && completed_at !== null ? [Date.parse(completed_at)] : [],
    )
    .toSorted((a, b) => a - b)
    .map((at, index) => ({ at, value: Math.round((100 * (index + 1)) / actions_count) }))
}

/**
 * The progress of a plan over time, sorted, from its start to `now` (epoch milliseconds), or to its
 * last change if it is closed. `actions` are the plan's own.
 */
export function progressHistory(
  plan: SuccessPlan,
  updates: readonly SuccessPlanUpdate[],
  actions: readonly Action[],
  now: number,
): ChartPoint[] {
  // A device whose clock ran ahead must not draw points in the future.
  const points = (plan.progress_mode === 'auto' ? fromActions(actions) : fromUpdates(updates)).map(
    ({ at, value }) => ({ at: Math.min(at, now), value }),
  )
  const start = plan.start_date ? instantOf(plan.start_date) : Date.parse(plan.created_at ?? '')
  const [first] = points
  if (start < (first?.at ?? now))
    points.unshift({ at: start, value: initialProgress(plan, updates) })
  const last = points.at(-1)
  if (isPlanOpen(plan) || !last) points.push({ at: now, value: plan.progress })
  else if (last.value !== plan.progress) points.push({ at: last.at, value: plan.progress })
  return points
}

/** The plan's progress before its first recorded change. */
function initialProgress(plan: SuccessPlan, updates: readonly SuccessPlanUpdate[]): number {
  if (plan.progress_mode === 'auto') return 0
  const first = updates
    .filter(({ progress_to }) => progress_to !== null)
    .toSorted((a, b) => Date.parse(a.written_at) - Date.parse(b.written_at))[0]
  return first ? (first.progress_from ?? 0) : plan.progress
}
