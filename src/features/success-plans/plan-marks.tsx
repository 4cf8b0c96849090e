import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { isOverdue, isStale } from '../../../contract/rules.ts'
import { NeedsYou, Quiet } from '../../widgets/status/tags.tsx'
import { planMessages } from './messages.ts'

interface PlanMarksProps {
  plan: SuccessPlan
  today: string
  now: number
  waiting: 'waiting' | 'attention' | undefined
}

/** What about a plan needs somebody, or is on its way; nothing when all is well. */
export function PlanMarks({ plan, today, now, waiting }: PlanMarksProps) {
  return (
    <>
      {waiting === 'attention' && <NeedsYou>{planMessages.attention}</NeedsYou>}
      {isOverdue(plan, today) && <NeedsYou>{planMessages.overdue}</NeedsYou>}
      {isStale(plan, now) && <Quiet>{planMessages.stale}</Quiet>}
      {waiting === 'waiting' && <Quiet>{planMessages.waiting}</Quiet>}
    </>
  )
}
