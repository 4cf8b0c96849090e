// One change of several plans: which of them it changes, which stay as they are and why. Pure.
import { endpoints } from '../../../../contract/endpoints.ts'
import { transitionsFrom } from '../../../../contract/rules.ts'
import {
  endsAfterStart,
  type SuccessPlan,
  type SuccessPlanEdit,
} from '../../../../contract/schemas/success-plans.ts'
import { addDays, nextWorkday } from '../../../../contract/schemas/days.ts'
import type { Health, PlanStatus } from '../../../../contract/values.ts'
import { updateCall } from '../../../data/success-plans/post-update.ts'
import type { NewCall } from '../../../sync/enqueue-all.ts'
import type { Outcome } from '../updates/outcome-choice.tsx'

/** What a user changes on one or more plans. */
export type PlanChange =
  | { kind: 'owner'; owner_id: string }
  | { kind: 'end'; end_date: string | null }
  /**
   * Moves the end date by that many days; negative moves it to an earlier day. With `skipsWeekends` an end
   * that is then on a weekend moves on to the next working day.
   */
  | { kind: 'move'; days: number; skipsWeekends?: boolean }
  | { kind: 'status'; status: PlanStatus; body: string; outcome?: Outcome }
  | { kind: 'health'; health: Health; body: string }

/** Why a change leaves a plan out. `same`: it is so already. */
type LeftOutReason = 'same' | 'transition' | 'no-end' | 'before-start'

/** A plan that a change leaves out. */
export interface LeftOut {
  plan: SuccessPlan
  reason: LeftOutReason
}

/** The end date of a plan after a change. */
export function endAfter(plan: SuccessPlan, change: PlanChange): string | null {
  if (change.kind === 'end') return change.end_date
  if (change.kind !== 'move' || !plan.end_date) return plan.end_date
  const moved = addDays(plan.end_date, change.days)
  return change.skipsWeekends ? nextWorkday(moved) : moved
}

function reasonOf(plan: SuccessPlan, change: PlanChange): LeftOutReason | undefined {
  if (change.kind === 'owner') return plan.owner_id === change.owner_id ? 'same' : undefined
  if (change.kind === 'health') return plan.health === change.health ? 'same' : undefined
  if (change.kind === 'status') {
    if (plan.status === change.status) return 'same'
    return transitionsFrom(plan.status).includes(change.status) ? undefined : 'transition'
  }
  if (change.kind === 'move' && !plan.end_date) return 'no-end'
  const end_date = endAfter(plan, change)
  if (end_date === plan.end_date) return 'same'
  return endsAfterStart({ ...plan, end_date }) ? undefined : 'before-start'
}

/** The plans that a change would change, and those that it leaves out; both in their order. */
export function splitPlans(
  plans: readonly SuccessPlan[],
  change: PlanChange,
): { changed: SuccessPlan[]; leftOut: LeftOut[] } {
  const changed: SuccessPlan[] = []
  const leftOut: LeftOut[] = []
  for (const plan of plans) {
    const reason = reasonOf(plan, change)
    if (reason) leftOut.push({ plan, reason })
    else changed.push(plan)
  }
  return { changed, leftOut }
}

const editCall = (plan: SuccessPlan, body: SuccessPlanEdit): NewCall => ({
  row: endpoints.updateSuccessPlan,
  input: { path: { id: plan.id }, body },
  seen: plan,
})

/** The call that changes one plan: an edit, or for status and health an update in its feed. */
export function callOf(plan: SuccessPlan, change: PlanChange): NewCall {
  if (change.kind === 'owner') return editCall(plan, { owner_id: change.owner_id })
  if (change.kind === 'end' || change.kind === 'move')
    return editCall(plan, { end_date: endAfter(plan, change) })
  const { kind: _kind, ...update } = change
  return updateCall(plan, update)
}
