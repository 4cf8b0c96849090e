import { useState, type ReactNode } from 'react'
import * as v from 'valibot'
import { isVisible } from '../../../../contract/schemas/fields.ts'
import { SuccessPlanUpdateDraft } from '../../../../contract/schemas/success-plans.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { updateMessages } from '../plan-messages.ts'
import { noteDraft, noteInFront, readNoteDraft, type Outcome } from './note-draft.ts'
import { OutcomeChoice } from './outcome-choice.tsx'

interface NoteDialogProps {
  /** The name of the draft. */
  draft: string
  title: string
  description?: string | undefined
  label: string
  hint: ReactNode
  /** The error of an empty note, where one is needed. */
  missing?: string | undefined
  /** The buttons that drop the note, and that save it. */
  actions: { cancel: string; save: string; variant: 'primary' | 'danger' }
  /** Whether the outcome is asked too, before the note. */
  asksOutcome?: boolean
  /** Whether the next plans with this draft may be others: then an outcome without a note is not stored. */
  isShared?: boolean
  /** Saves the note, and the outcome where it is asked, and deletes the draft. */
  save: (note: string, draft?: string[], outcome?: Outcome) => Promise<unknown>
  onClose: () => void
  /** Shown after the note. */
  after?: ReactNode
}

/** Asks for the note of a change. Closing it stores the note as a draft; its button drops it. */
export function NoteDialog(props: NoteDialogProps) {
  const { title, description, label, hint, missing, actions, asksOutcome, save, onClose } = props
  const draft = useDraft(props.draft, asksOutcome ? noteInFront : undefined)
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()
  const text = typed ?? draft.restored ?? ''
  const { outcome, note } = asksOutcome ? readNoteDraft(text) : { note: text }

  function change(next: string) {
    setTyped(next)
    setError(undefined)
    draft.save(props.isShared && readNoteDraft(next).note === '' ? '' : next)
  }

  async function submit() {
    if (missing !== undefined && !isVisible(note)) return setError(missing)
    // Not as a form is checked: the code for that is not loaded with the list of plans.
    const checked = v.safeParse(SuccessPlanUpdateDraft.entries.body, note)
    if (!checked.success) return setError(checked.issues[0].message)
    try {
      await draft.submit((key) => save(checked.output, key, outcome))
      onClose()
    } catch (problem) {
      setError(errorMessage(problem))
    }
    return undefined
  }

  // Saved before, it would lack what was typed earlier.
  if (draft.restored === undefined) return null
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      onSubmit={submit}
      actions={
        <>
          <Button
            onClick={() => {
              draft.clear()
              onClose()
            }}
          >
            {actions.cancel}
          </Button>
          <Button type="submit" variant={actions.variant}>
            {actions.save}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {outcome !== undefined && (
          <OutcomeChoice value={outcome} onChange={(chosen) => change(noteDraft(chosen, note))} />
        )}
        <TextAreaField
          label={label}
          hint={typed === undefined && text !== '' ? updateMessages.draftRestored : hint}
          optional={missing === undefined}
          error={error}
          value={note}
          onChange={({ target: { value } }) =>
            change(outcome === undefined ? value : noteDraft(outcome, value))
          }
        />
        {props.after}
      </div>
    </Dialog>
  )
}
