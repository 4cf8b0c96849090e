import { useState, type SubmitEvent } from 'react'
import { requiredForTransition } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import type { Health, PlanStatus } from '../../../../contract/values.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { transitionMessages, updateMessages } from '../plan-messages.ts'
import { transitionName } from '../transition-name.ts'
import { OutcomeChoice, type Outcome } from '../updates/outcome-choice.tsx'
import { LeftOutList } from './left-out.tsx'
import { splitPlans, type PlanChange } from './plan-change.ts'
import { bulkMessages as messages } from './messages.ts'

/** The change that is to be explained. */
export type AskedChange =
  | { kind: 'status'; status: PlanStatus }
  | { kind: 'health'; health: Health }

interface NoteDialogProps {
  plans: readonly SuccessPlan[]
  asked: AskedChange
  /** Saves the change and deletes the draft. */
  save: (change: PlanChange, draft?: string[]) => Promise<void>
  onClose: () => void
}

/**
 * Asks once for the note or the outcome of a change of one or many plans, and names those that it leaves out.
 * Closing it stores the note as a draft.
 */
export function NoteDialog({ plans, asked, save, onClose }: NoteDialogProps) {
  const to = asked.kind === 'status' ? asked.status : asked.health
  const [only] = plans
  const isOne = plans.length === 1 && only !== undefined
  const draft = useDraft(`${asked.kind}:${isOne ? only.id : 'many'}:${to}`)
  const [typed, setTyped] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>('achieved')
  const [error, setError] = useState<string>()
  const asks = asked.kind === 'health' ? 'note' : requiredForTransition(asked.status)
  const note = typed ?? draft.restored ?? ''
  const change: PlanChange = { ...asked, body: note, ...(asks === 'outcome' && { outcome }) }
  const { changed, leftOut } = splitPlans(plans, change)
  const title =
    asked.kind === 'health'
      ? messages.healthTitle(asked.health, changed)
      : isOne
        ? transitionName(only.status, asked.status)
        : messages.statusTitle(asked.status, changed.length)

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (asks === 'note' && note.trim() === '')
      return setError(
        asked.kind === 'health' ? messages.healthNoteMissing : transitionMessages.noteMissing,
      )
    try {
      await draft.submit((key) => save(change, key))
      onClose()
    } catch (problem) {
      setError(errorMessage(problem))
    }
    return undefined
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={isOne && asked.kind === 'status' ? only.title : undefined}
      onSubmit={(event) => void submit(event)}
      actions={
        <>
          <Button
            onClick={() => {
              draft.clear()
              onClose()
            }}
          >
            {transitionMessages.keep}
          </Button>
          <Button type="submit" variant={to === 'cancelled' ? 'danger' : 'primary'}>
            {isOne && asked.kind === 'status' ? title : messages.change(changed.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {asks === 'outcome' && <OutcomeChoice value={outcome} onChange={setOutcome} />}
        <TextAreaField
          label={transitionMessages.note}
          hint={
            typed === undefined && note !== ''
              ? updateMessages.draftRestored
              : isOne
                ? messages.noteForOne
                : messages.noteForMany
          }
          optional={asks !== 'note'}
          error={error}
          value={note}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(undefined)
            draft.save(event.target.value)
          }}
        />
        <LeftOutList plans={leftOut} change={change} />
      </div>
    </Dialog>
  )
}
