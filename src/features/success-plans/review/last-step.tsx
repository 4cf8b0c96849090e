import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { discardUnsent } from '../../../sync/enqueue-all.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { useStepOperation, useUndoableStep } from './use-steps.ts'
import type { ReviewRun } from './use-run.ts'
import { reviewMessages as messages } from './messages.ts'

interface LastStepProps {
  run: ReviewRun
  byId: ReadonlyMap<string, SuccessPlan>
  /** Removes an undone step and goes back to its plan. */
  forget: (ids: readonly string[], plan_id: string) => void
}

/** What was saved last, and the button that undoes it until it is sent. */
export function LastStep({ run, byId, forget }: LastStepProps) {
  const undoable = useUndoableStep(run)
  const operationOf = useStepOperation()
  const [undone, setUndone] = useState<{ title: string; size: number }>()
  const before = run.ids[run.at - 1] ?? ''
  const posted = run.posted[before]?.at(-1)
  // Only the last thing that was saved is offered, so that the button undoes what the text names.
  const isLast = undoable && undoable.seq >= (operationOf(posted ?? {})?.seq ?? 0)
  const step = isLast ? undoable : undefined
  const title = byId.get(step?.plan_id ?? before)?.title ?? ''
  const saved =
    step?.text === undefined ? messages.savedFor(title) : messages.movedFor(step.text, title)
  // Until the next step is saved.
  const size = run.moved.length + Object.values(run.posted).flat().length
  const parts = [
    undone?.size === size && messages.undone(undone.title),
    (step ?? posted) && saved,
  ].filter(Boolean)

  async function undo() {
    const operation = step && operationOf(step)
    if (!operation) return
    try {
      if ((await discardUnsent([operation.id])).length === 0) return toast(messages.undoTooLate)
      setUndone({ title, size: size - 1 })
      forget([step.id], step.plan_id)
    } catch {
      toast(messages.stepFailed)
    }
    return undefined
  }

  return (
    <div
      // Room for the next plans: what is saved on one is named above the next.
      className={`mt-1.5 flex items-center gap-2 text-sm text-ink-muted ${run.at > 0 || parts.length > 0 ? 'min-h-11' : ''}`}
    >
      <output className="line-clamp-2 min-w-0">{parts.join(' · ')}</output>
      {step && (
        <Button
          variant="quiet"
          className="ms-auto"
          aria-label={messages.undoSpoken(title)}
          onClick={() => void undo()}
        >
          <Undo2 aria-hidden />
          {messages.undo}
        </Button>
      )}
    </div>
  )
}
