import { requiredForTransition } from '../../../../contract/rules.ts'
import {
  EMPTY_UPDATE,
  type SuccessPlan,
  type SuccessPlanUpdateDraft,
} from '../../../../contract/schemas/success-plans.ts'
import type { PlanStatus } from '../../../../contract/values.ts'
import { postUpdate } from '../../../data/success-plans/post-update.ts'
import { toast } from '../../../ui/overlay/toast.tsx'
import { transitionMessages as messages } from '../plan-messages.ts'
import { NoteDialog } from './note-dialog.tsx'
import type { Outcome } from './note-draft.ts'

interface StatusDialogProps {
  plan: SuccessPlan
  to: PlanStatus
  /** The label of the transition. */
  name: string
  /** Saves the change in another way, deletes the draft, and confirms it. */
  save?: ((update: SuccessPlanUpdateDraft, draft?: string[]) => Promise<unknown>) | undefined
  onClose: () => void
}

/** Asks for the note when a plan is paused or cancelled, or for the outcome when it is completed. */
export function StatusDialog({ plan, to, name, save, onClose }: StatusDialogProps) {
  const asks = requiredForTransition(to)

  async function saveNote(body: string, draft?: string[], outcome?: Outcome) {
    const update = { status: to, body, ...(outcome && { outcome }) }
    if (save) return await save(update, draft)
    await postUpdate(plan, update, draft)
    return toast(messages.saved)
  }

  return (
    <NoteDialog
      draft={`status:${plan.id}:${to}`}
      title={name}
      description={plan.title}
      label={messages.note}
      hint={asks === 'note' && messages.noteHint(to)}
      missing={
        asks === 'note'
          ? messages.noteMissing
          : // It was completed while the dialog was open.
            plan.status === to
            ? EMPTY_UPDATE
            : undefined
      }
      actions={{
        cancel: messages.keep,
        save: name,
        variant: to === 'cancelled' ? 'danger' : 'primary',
      }}
      asksOutcome={asks === 'outcome'}
      save={saveNote}
      onClose={onClose}
    />
  )
}
