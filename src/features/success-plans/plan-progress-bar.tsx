import { elapsedPercent, isBehind, isOverdue, isPlanOpen } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { ProgressBar } from '../../ui/display/progress.tsx'
import { planMessages } from './messages.ts'

interface PlanProgressBarProps {
  plan: SuccessPlan
  today: string
  /** Many bars stand below each other: all get the same length. */
  inList?: boolean
}

/**
 * A plan's progress as a bar with a tick for the time gone, a word where it is behind schedule and not marked
 * as overdue, and a number. The bar is neutral: many of them stand below each other.
 */
export function PlanProgressBar({ plan, today, inList = false }: PlanProgressBarProps) {
  const isOpen = isPlanOpen(plan)
  const marked = isBehind(plan, today) && !isOverdue(plan, today)
  return (
    <>
      <ProgressBar
        // Rows are reused: without a key the bar would animate from another plan's progress.
        key={plan.id}
        label={planMessages.progressOf(plan.title)}
        value={Math.min(100, Math.max(0, plan.progress))}
        expected={isOpen ? elapsedPercent(plan, today) : undefined}
        tone={isOpen ? 'neutral' : 'muted'}
      />
      {(marked || inList) && (
        <span className="min-w-11 text-xs font-semibold whitespace-nowrap text-glow-ink">
          {marked && planMessages.behind}
        </span>
      )}
      <span className="min-w-11 shrink-0 text-end text-sm font-semibold text-ink tabular-nums">
        {planMessages.percent(plan.progress)}
      </span>
    </>
  )
}
