// The draft of a note with an outcome: the outcome is its first line. One of an earlier version has only the note.
import { OUTCOMES } from '../../../../contract/values.ts'

/** How a completed plan ended. */
export type Outcome = (typeof OUTCOMES)[number]

/** Nothing for what the dialog shows at first, so that it is not stored. */
export const noteDraft = (outcome: Outcome, note: string): string =>
  outcome === OUTCOMES[0] && note === '' ? '' : `${outcome}\n${note}`

export function readNoteDraft(draft: string): { outcome: Outcome; note: string } {
  const outcome = OUTCOMES.find((one) => draft.startsWith(`${one}\n`))
  return {
    outcome: outcome ?? OUTCOMES[0],
    note: outcome ? draft.slice(outcome.length + 1) : draft,
  }
}

/** The note of a draft that was read late, in front of what was typed meanwhile. */
export function noteInFront(late: string, typed: string): string {
  const { outcome, note } = readNoteDraft(typed)
  return noteDraft(outcome, `${readNoteDraft(late).note}\n\n${note}`.trim())
}
