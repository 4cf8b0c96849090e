import { planMessages } from './messages.ts'
import { Behind, PlanBar, type PlanProgressProps } from './plan-bar.tsx'

/** A plan's progress as a bar, a word where it is behind schedule, and a number. */
export const PlanProgressBar = (props: PlanProgressProps) => (
  <>
    <PlanBar {...props} />
    <Behind {...props} />
    <span className="min-w-11 shrink-0 text-end text-sm font-semibold text-ink tabular-nums">
      {planMessages.percent(props.plan.progress)}
    </span>
  </>
)
