import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { NoteDialog } from '../updates/note-dialog.tsx'
import { reviewMessages as messages } from './messages.ts'

interface BackOnTrackProps {
  plan: SuccessPlan
  /** Saves the note and deletes the draft. */
  save: (note: string, draft?: string[]) => Promise<void>
  onClose: () => void
}

/** Asks what has changed before a plan is back on track. */
export function BackOnTrack({ plan, save, onClose }: BackOnTrackProps) {
  return (
    <NoteDialog
      draft={`on-track:${plan.id}`}
      title={messages.backOnTrack}
      description={plan.title}
      label={messages.note}
      hint={messages.backOnTrackHint}
      missing={messages.backOnTrackMissing}
      actions={{ cancel: messages.cancel, save: messages.backOnTrack, variant: 'primary' }}
      save={save}
      onClose={onClose}
    />
  )
}
