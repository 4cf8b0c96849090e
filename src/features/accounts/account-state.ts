// How an account is doing, derived from its record, its plans and their updates. Pure.
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import { isPlanOpen } from '../../../contract/rules.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'

/** What endangers the renewal of an account. */
export interface AccountRisk {
  /** The worse one of its own health and that of its open plans. */
  health: 'off-track' | 'at-risk'
  /** Number of open plans with a health of `at-risk` or `off-track`. */
  plans: number
}

const isRisky = (health: string | null) => health === 'at-risk' || health === 'off-track'

/** The risk of an account with those plans; undefined if its health and its open plans are well. */
export function riskOf(
  account: Pick<Account, 'health'>,
  plans: readonly Pick<SuccessPlan, 'status' | 'health'>[],
): AccountRisk | undefined {
  const risky = plans.filter((plan) => isPlanOpen(plan) && isRisky(plan.health))
  const healths = [account.health, ...risky.map(({ health }) => health)]
  if (!healths.some(isRisky)) return undefined
  return { health: healths.includes('off-track') ? 'off-track' : 'at-risk', plans: risky.length }
}

const LAST = '9999'

/** Open actions of the account and its plans, and those `ticked` just now; the next due first. */
export function nextActions(
  actions: readonly Action[],
  account_id: string,
  plans: readonly SuccessPlan[],
  ticked: ReadonlySet<string>,
): Action[] {
  const ids = new Set(plans.map(({ id }) => id))
  return actions
    .filter(
      (action) =>
        (action.account_id === account_id || ids.has(action.success_plan_id ?? '')) &&
        (ticked.has(action.id) || (action.status !== 'done' && action.status !== 'cancelled')),
    )
    .toSorted((a, b) => ((a.due_date ?? LAST) < (b.due_date ?? LAST) ? -1 : 1))
}

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
      health === null ? [] : [{ at: Date.parse(written_at), health }],
    )
    .toSorted((a, b) => a.at - b.at)
  add(from, null)
  for (const { at, health } of ratings) add(at, health)
  if (plan.health !== periods.at(-1)?.health) add(ratings.at(-1)?.at ?? from, plan.health)
  return periods
}
