import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { isOverdue, isStale } from '../../../contract/rules.ts'
import { NeedsYou, Quiet } from '../../widgets/status/tags.tsx'
import { planMessages } from './messages.ts'

interface PlanMarksProps {
  plan: SuccessPlan
  today: string
  now: number
  pending: 'waiting' | 'attention' | undefined
}

/** Marks for what needs attention or is pending on a plan; nothing if all is well. */
export function PlanMarks({ plan, today, now, pending }: PlanMarksProps) {
  return (
    <>
      {pending === 'attention' && <NeedsYou>{planMessages.attention}</NeedsYou>}
      {isOverdue(plan, today) && <NeedsYou>{planMessages.overdue}</NeedsYou>}
      {isStale(plan, now) && <Quiet>{planMessages.stale}</Quiet>}
      {pending === 'waiting' && <Quiet>{planMessages.waiting}</Quiet>}
    </>
  )
}
