import { useState, type ReactNode } from 'react'
import { validateForm } from '../../../../contract/errors.ts'
import { isVisible } from '../../../../contract/schemas/fields.ts'
import { SuccessPlanUpdateDraft } from '../../../../contract/schemas/success-plans.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { updateMessages } from '../plan-messages.ts'

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
  /** Saves the note and deletes the draft. */
  save: (note: string, draft?: string[]) => Promise<unknown>
  onClose: () => void
  /** What else is asked, before the note. */
  children?: ReactNode
  /** Shown after the note. */
  after?: ReactNode
}

/** Asks for the note of a change. Closing it stores the note as a draft; its button drops it. */
export function NoteDialog(props: NoteDialogProps) {
  const { title, description, label, hint, missing, actions, save, onClose, children } = props
  const draft = useDraft(props.draft)
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()
  const note = typed ?? draft.restored ?? ''

  async function submit() {
    if (missing !== undefined && !isVisible(note)) return setError(missing)
    const checked = validateForm(SuccessPlanUpdateDraft.entries.body, note)
    if (!checked.ok) return setError(checked.errors.body?.[0])
    try {
      await draft.submit((key) => save(checked.value, key))
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
        {children}
        <TextAreaField
          label={label}
          hint={typed === undefined && note !== '' ? updateMessages.draftRestored : hint}
          optional={missing === undefined}
          error={error}
          value={note}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(undefined)
            draft.save(event.target.value)
          }}
        />
        {props.after}
      </div>
    </Dialog>
  )
}
