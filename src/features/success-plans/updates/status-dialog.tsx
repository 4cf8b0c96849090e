import { useState, type SubmitEvent } from 'react'
import { requiredForTransition } from '../../../../contract/rules.ts'
import type {
  SuccessPlan,
  SuccessPlanUpdateDraft,
} from '../../../../contract/schemas/success-plans.ts'
import type { PlanStatus } from '../../../../contract/values.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { postUpdate } from '../../../data/success-plans/post-update.ts'
import { OutcomeChoice, type Outcome } from './outcome-choice.tsx'
import { transitionMessages as messages, updateMessages } from '../plan-messages.ts'

interface StatusDialogProps {
  plan: SuccessPlan
  to: PlanStatus
  /** The label of the transition. */
  name: string
  /** Saves the change in another way, deletes the draft, and confirms it. */
  save?: ((update: SuccessPlanUpdateDraft, draft?: string[]) => Promise<unknown>) | undefined
  onClose: () => void
}

/**
 * Asks for the note when a plan is paused or cancelled, or for the outcome when it is completed.
 * Closing it stores the note as a draft.
 */
export function StatusDialog({ plan, to, name, save, onClose }: StatusDialogProps) {
  const draft = useDraft(`status:${plan.id}:${to}`)
  const [typed, setTyped] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>('achieved')
  const [error, setError] = useState<string>()
  const asks = requiredForTransition(to)
  const note = typed ?? draft.restored ?? ''

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (asks === 'note' && note.trim() === '') return setError(messages.noteMissing)
    try {
      const update = { status: to, body: note, ...(asks === 'outcome' && { outcome }) }
      await draft.submit((key) => (save ? save(update, key) : postUpdate(plan, update, key)))
      if (!save) toast(messages.saved)
      onClose()
    } catch (problem) {
      setError(errorMessage(problem))
    }
    return undefined
  }

  function close() {
    draft.clear()
    onClose()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={name}
      description={plan.title}
      onSubmit={(event) => void submit(event)}
      actions={
        <>
          <Button onClick={close}>{messages.keep}</Button>
          <Button type="submit" variant={to === 'cancelled' ? 'danger' : 'primary'}>
            {name}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {asks === 'outcome' && <OutcomeChoice value={outcome} onChange={setOutcome} />}
        <TextAreaField
          label={messages.note}
          hint={
            typed === undefined && note !== ''
              ? updateMessages.draftRestored
              : asks === 'note' && messages.noteHint
          }
          optional={asks !== 'note'}
          error={error}
          value={note}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(undefined)
            draft.save(event.target.value)
          }}
          data-autofocus={asks === 'note' || undefined}
        />
      </div>
    </Dialog>
  )
}
