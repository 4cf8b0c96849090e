import type { LeftOut, PlanChange } from './plan-change.ts'
import { bulkMessages as messages } from './messages.ts'

/** More names would push the buttons off a small screen. */
const NAMES_SHOWN = 8

interface LeftOutListProps {
  plans: readonly LeftOut[]
  change: PlanChange
}

/** The plans that a change leaves out, each with its reason; nothing if it changes all. */
export function LeftOutList({ plans, change }: LeftOutListProps) {
  if (plans.length === 0) return null
  return (
    <div className="text-sm text-ink-muted">
      <p className="font-semibold text-ink">{messages.leftOut(plans.length)}</p>
      <ul className="mt-1 list-disc ps-5">
        {plans.slice(0, NAMES_SHOWN).map((one) => (
          <li key={one.plan.id} className="break-words">
            {messages.leftOutPlan(one, change)}
          </li>
        ))}
      </ul>
      {plans.length > NAMES_SHOWN && <p>{messages.leftOutMore(plans.length - NAMES_SHOWN)}</p>}
    </div>
  )
}
