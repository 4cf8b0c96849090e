// Rules of actions that the list of plans does not need for its first screen.
import type { Action } from '../../../contract/schemas/actions.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'

const CLOSED_STATUSES: readonly string[] = ['completed', 'cancelled']

/** Whether a plan is over, and with it all that is still open in it. A paused plan is not. */
export const isPlanClosed = (plan: Pick<SuccessPlan, 'status'>): boolean =>
  CLOSED_STATUSES.includes(plan.status)

export type OfPlan = Pick<SuccessPlan, 'status'> | undefined

/** Whether an action is still to be done; in a closed plan none is. */
export const isActionOpen = ({ status }: Pick<Action, 'status'>, plan?: OfPlan): boolean =>
  status !== 'done' && status !== 'cancelled' && !(plan && isPlanClosed(plan))

/** Whether an action that is still to be done is past its due date. */
export const isActionOverdue = (
  action: Pick<Action, 'status' | 'due_date'>,
  plan: OfPlan,
  today: string,
): boolean => isActionOpen(action, plan) && action.due_date !== null && action.due_date < today
