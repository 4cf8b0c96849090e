// What endangers an account, and what is to do next for it. Pure.
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import { isActionOpen } from '../../data/success-plans/action-rules.ts'
import { isPlanOpen } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'

/** What endangers the renewal of an account. */
export interface AccountRisk {
  /** The worse one of its own health and that of its open plans. */
  health: 'off-track' | 'at-risk'
  /** Number of open plans with a health of `at-risk` or `off-track`. */
  plans: number
}

const isRisky = (health: string | null) => health === 'at-risk' || health === 'off-track'

/**
 * The risk of an account with those plans; undefined if its health and its open plans are well, and for a churned
 * account, which has nothing left to lose.
 */
export function riskOf(
  account: Pick<Account, 'health' | 'status'>,
  plans: readonly Pick<SuccessPlan, 'status' | 'health'>[],
): AccountRisk | undefined {
  if (account.status === 'churned') return undefined
  const risky = plans.filter((plan) => isPlanOpen(plan) && isRisky(plan.health))
  const healths = [account.health, ...risky.map(({ health }) => health)]
  if (!healths.some(isRisky)) return undefined
  return { health: healths.includes('off-track') ? 'off-track' : 'at-risk', plans: risky.length }
}

const LAST = '9999'

/** Open actions of the account and its plans that go on, and those `ticked` just now; the next due first. */
export function nextActions(
  actions: readonly Action[],
  account_id: string,
  plans: readonly SuccessPlan[],
  ticked: ReadonlySet<string>,
): Action[] {
  const planOf = new Map(plans.map((plan) => [plan.id, plan]))
  return actions
    .filter((action) => {
      const plan = planOf.get(action.success_plan_id ?? '')
      // One that was ticked is listed as if it were still to be done.
      const { status } = ticked.has(action.id) ? { status: 'todo' } : action
      return (
        (plan !== undefined || action.account_id === account_id) && isActionOpen({ status }, plan)
      )
    })
    .toSorted((a, b) => ((a.due_date ?? LAST) < (b.due_date ?? LAST) ? -1 : 1))
}
