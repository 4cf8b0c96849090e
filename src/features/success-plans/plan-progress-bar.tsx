import { isBehind } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { ProgressBar } from '../../ui/display/progress.tsx'
import { progressTone } from './progress-tone.ts'
import { planMessages } from './messages.ts'

interface PlanProgressBarProps {
  plan: SuccessPlan
  today: string
  /** Share of elapsed time in per cent, shown as a tick. */
  expected?: number | undefined
}

/** A plan's progress as a bar and a number, with a word where it is behind schedule. */
export function PlanProgressBar({ plan, today, expected }: PlanProgressBarProps) {
  return (
    <>
      <ProgressBar
        // Rows are reused: without a key the bar would animate from another plan's progress.
        key={plan.id}
        label={planMessages.progressOf(plan.title)}
        value={Math.min(100, Math.max(0, plan.progress))}
        expected={expected}
        tone={progressTone(plan, today)}
      />
      {isBehind(plan, today) && (
        <span className="text-xs font-semibold whitespace-nowrap text-glow-ink">
          {planMessages.behind}
        </span>
      )}
      <span className="min-w-11 shrink-0 text-end text-sm font-semibold text-ink tabular-nums">
        {planMessages.percent(plan.progress)}
      </span>
    </>
  )
}
