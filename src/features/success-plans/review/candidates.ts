// Which plans a review goes through, and in which order.
import type { SuccessPlan } from '../../../../contract/success-plans.ts'
import { IN_VIEW, type Vantage } from '../view.ts'

/** Why a plan needs a word, the most urgent first. Each is a view of the list as well. */
export const REASONS = ['overdue', 'at-risk', 'stale'] as const
export type Reason = (typeof REASONS)[number]

export interface Choice {
  reasons: readonly Reason[]
  /** Only the plans that one owns; else these come first. */
  onlyMine: boolean
}

/** Why this plan needs a word; empty when it needs none. */
export const reasonsOf = (plan: SuccessPlan, from: Vantage): Reason[] =>
  REASONS.filter((reason) => IN_VIEW[reason](plan, from))

const lastWord = (plan: SuccessPlan) => plan.last_update_at ?? plan.created_at ?? ''

/** The plans of that choice: one's own first, then by urgency, then by the silence. */
export function candidates(
  plans: readonly SuccessPlan[],
  { reasons, onlyMine }: Choice,
  from: Vantage,
): SuccessPlan[] {
  const ranked = plans.flatMap((plan) => {
    const first = reasonsOf(plan, from).find((reason) => reasons.includes(reason))
    const isMine = IN_VIEW.mine(plan, from)
    if (first === undefined || (onlyMine && !isMine)) return []
    return [{ plan, rank: (isMine ? 0 : REASONS.length) + REASONS.indexOf(first) }]
  })
  const silence = (a: SuccessPlan, b: SuccessPlan) =>
    lastWord(a) === lastWord(b) ? 0 : lastWord(a) < lastWord(b) ? -1 : 1
  return ranked
    .toSorted((a, b) => a.rank - b.rank || silence(a.plan, b.plan))
    .map(({ plan }) => plan)
}
