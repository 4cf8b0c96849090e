import { useState, type ReactNode } from 'react'
import { requiredForTransition } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { toast } from '../../../ui/overlay/toast.tsx'
import { EndDialog } from '../../../widgets/editing/many/end-dialog.tsx'
import { splitRecords } from '../../../widgets/editing/many/record-change.ts'
import { changeManyMessages } from '../../../widgets/editing/messages.ts'
import { changePlans } from './change-plans.ts'
import { ExplainedChange, type AskedChange } from './explained-change.tsx'
import type { PlanChange } from './plan-change.ts'
import { bulkMessages as messages } from './messages.ts'

/** What is asked before plans are changed. The plans are those of the moment of the choice. */
type Question = { plans: readonly SuccessPlan[] } & ({ asked: AskedChange } | { asked: 'end' })

/**
 * Changes plans as chosen. Before that it asks for a note or an outcome where one is needed, and names the plans
 * whose status does not allow the change. `dialog` is that question. `onUndone` is called after an undo.
 */
export function useChange(
  plans: readonly SuccessPlan[],
  onUndone?: () => void,
): {
  choose: (change: PlanChange | AskedChange) => void
  askEnd: () => void
  dialog: ReactNode
} {
  const [question, setQuestion] = useState<Question>()
  const close = () => setQuestion(undefined)

  function choose(chosen: PlanChange | AskedChange) {
    const change =
      chosen.kind === 'status' || chosen.kind === 'health' ? { body: '', ...chosen } : chosen
    if (change.kind === 'health' || (change.kind === 'status' && needsQuestion(plans, change)))
      return setQuestion({ plans, asked: change })
    changePlans(plans, change, { onUndone }).catch(() => toast(changeManyMessages.failed))
    return undefined
  }

  const dialog =
    question &&
    (question.asked === 'end' ? (
      <EndDialog
        records={question.plans}
        countOf={messages.plans}
        save={(change) => changePlans(question.plans, change, { onUndone })}
        onClose={close}
      />
    ) : (
      <ExplainedChange
        plans={question.plans}
        asked={question.asked}
        save={(change, draft) => changePlans(question.plans, change, { draft, onUndone })}
        onClose={close}
      />
    ))
  return { choose, askEnd: () => setQuestion({ plans, asked: 'end' }), dialog }
}

const needsQuestion = (
  plans: readonly SuccessPlan[],
  change: Extract<PlanChange, { kind: 'status' }>,
) =>
  requiredForTransition(change.status) !== undefined ||
  splitRecords(plans, change).leftOut.length > 0
