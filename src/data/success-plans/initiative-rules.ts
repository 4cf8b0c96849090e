// Rules of initiatives that they do not share with plans.
import { isOverdue, isPlanOpen } from '../../../contract/rules.ts'
import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import { isPlanClosed, type OfPlan } from './action-rules.ts'

/** Whether an initiative is still to be done; in a closed plan none is. */
export const isInitiativeOpen = (initiative: Pick<Initiative, 'status'>, plan: OfPlan): boolean =>
  isPlanOpen(initiative) && !(plan && isPlanClosed(plan))

/** Whether an initiative that is still to be done is past its end date. */
export const isInitiativeOverdue = (
  initiative: Pick<Initiative, 'status' | 'end_date'>,
  plan: OfPlan,
  today: string,
): boolean => isOverdue(initiative, today) && isInitiativeOpen(initiative, plan)
