import { elapsedPercent, isBehind, isOverdue, isPlanOpen } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { ProgressBar } from '../../ui/display/progress.tsx'
import { planMessages } from './messages.ts'

export interface PlanProgressProps {
  plan: SuccessPlan
  today: string
}

/** A plan's progress as a bar with a tick for the time gone. Neutral, because a list shows many of them. */
export function PlanBar({ plan, today }: PlanProgressProps) {
  const isOpen = isPlanOpen(plan)
  return (
    <ProgressBar
      label={planMessages.progressOf(plan.title)}
      value={Math.min(100, Math.max(0, plan.progress))}
      expected={isOpen ? elapsedPercent(plan, today) : undefined}
      tone={isOpen ? 'neutral' : 'muted'}
    />
  )
}

/** A word where a plan is behind schedule and not marked as overdue. */
export const Behind = ({ plan, today }: PlanProgressProps) =>
  isBehind(plan, today) &&
  !isOverdue(plan, today) && (
    <span className="text-xs font-semibold whitespace-nowrap text-glow-ink">
      {planMessages.behind}
    </span>
  )
