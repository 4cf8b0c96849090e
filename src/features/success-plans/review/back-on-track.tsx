import { useState, type SubmitEvent } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { updateMessages } from '../plan-messages.ts'
import { reviewMessages as messages } from './messages.ts'

interface BackOnTrackProps {
  plan: SuccessPlan
  /** Saves the note and deletes the draft. */
  save: (note: string, draft?: string[]) => Promise<void>
  onClose: () => void
}

/** Asks what has changed before a plan is back on track. Closing it stores the note as a draft. */
export function BackOnTrack({ plan, save, onClose }: BackOnTrackProps) {
  const draft = useDraft(`on-track:${plan.id}`)
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()
  const note = typed ?? draft.restored ?? ''

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (note.trim() === '') return setError(messages.backOnTrackMissing)
    try {
      await draft.submit((key) => save(note, key))
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
      title={messages.backOnTrack}
      description={plan.title}
      onSubmit={(event) => void submit(event)}
      actions={
        <>
          <Button
            onClick={() => {
              draft.clear()
              onClose()
            }}
          >
            {messages.cancel}
          </Button>
          <Button type="submit" variant="primary">
            {messages.backOnTrack}
          </Button>
        </>
      }
    >
      <TextAreaField
        label={messages.note}
        hint={
          typed === undefined && note !== ''
            ? updateMessages.draftRestored
            : messages.backOnTrackHint
        }
        error={error}
        value={note}
        onChange={(event) => {
          setTyped(event.target.value)
          setError(undefined)
          draft.save(event.target.value)
        }}
        data-autofocus
      />
    </Dialog>
  )
}
