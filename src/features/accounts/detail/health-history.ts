// The health of a plan over time, computed on the device.
import type { SuccessPlan, SuccessPlanUpdate } from '../../../../contract/schemas/success-plans.ts'
import { UNKNOWN_TIME } from '../../../../contract/values.ts'

/** A period in which a plan had one health. */
export interface HealthPeriod {
  /** Epoch milliseconds. */
  from: number
  to: number
  /** Null before the first rating. */
  health: string | null
}

/**
 * The healths of a plan from `from` to `now` (epoch milliseconds), oldest first: as its updates set
 * them. A rating in a form leaves no date, so that the present health lasts since the last update.
 */
export function healthHistory(
  plan: Pick<SuccessPlan, 'health'>,
  updates: readonly Pick<SuccessPlanUpdate, 'health' | 'written_at'>[],
  from: number,
  now: number,
): HealthPeriod[] {
  const periods: HealthPeriod[] = []
  const add = (at: number, health: string | null) => {
    const start = Math.min(now, Math.max(from, at))
    const last = periods.at(-1)
    if (last?.health === health) return
    if (last) last.to = start
    if (last?.from === start) periods.pop()
    if (periods.at(-1)?.health !== health) periods.push({ from: start, to: now, health })
    else periods[periods.length - 1] = { ...(periods.at(-1) as HealthPeriod), to: now }
  }
  const ratings = updates
    .flatMap(({ health, written_at }) =>
      health === null || written_at === UNKNOWN_TIME
        ? []
        : [{ at: Date.parse(written_at), health }],
    )
    .toSorted((a, b) => a.at - b.at)
  add(from, null)
  for (const { at, health } of ratings) add(at, health)
  if (plan.health !== periods.at(-1)?.health) add(ratings.at(-1)?.at ?? from, plan.health)
  return periods
}
