// Which plans a review includes, and in which order.
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { IN_VIEW, type ViewContext } from '../list/view.ts'

/** Why a plan needs an update, the most urgent first. Each is also a view of the list. */
export const REVIEW_REASONS = ['overdue', 'at-risk', 'stale'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

/** Which plans to review. */
export interface ReviewFilter {
  reasons: readonly ReviewReason[]
  /** Only the user's own plans; otherwise these come first. */
  onlyMine: boolean
}

/** Why this plan needs an update; empty if it does not. */
export const reasonsOf = (plan: SuccessPlan, context: ViewContext): ReviewReason[] =>
  REVIEW_REASONS.filter((reason) => IN_VIEW[reason](plan, context))

const lastUpdateAt = (plan: SuccessPlan) => plan.last_update_at ?? plan.created_at ?? ''

/** The plans of that filter: the user's own first, then by urgency, then by the oldest last update. */
export function candidates(
  plans: readonly SuccessPlan[],
  { reasons, onlyMine }: ReviewFilter,
  context: ViewContext,
): SuccessPlan[] {
  const ranked = plans.flatMap((plan) => {
    const first = reasonsOf(plan, context).find((reason) => reasons.includes(reason))
    const isMine = IN_VIEW.mine(plan, context)
    if (first === undefined || (onlyMine && !isMine)) return []
    return [{ plan, rank: (isMine ? 0 : REVIEW_REASONS.length) + REVIEW_REASONS.indexOf(first) }]
  })
  const byLastUpdate = (a: SuccessPlan, b: SuccessPlan) =>
    lastUpdateAt(a) === lastUpdateAt(b) ? 0 : lastUpdateAt(a) < lastUpdateAt(b) ? -1 : 1
  return ranked
    .toSorted((a, b) => a.rank - b.rank || byLastUpdate(a.plan, b.plan))
    .map(({ plan }) => plan)
}
