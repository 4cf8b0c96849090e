// The draft of a note with an outcome, in the form that `typed-texts.tsx` reads. One of an earlier version has only the
// note.
import { OUTCOMES } from '../../../../contract/values.ts'

/** How a completed plan ended. */
export type Outcome = (typeof OUTCOMES)[number]

/** The draft to store; empty, so that none is stored, for what the dialog shows at first. */
export const noteDraft = (outcome: Outcome, note: string): string =>
  outcome === OUTCOMES[0] && note === '' ? '' : JSON.stringify({ body: note, outcome })

/** The outcome and note of a stored draft. */
export function readNoteDraft(draft: string): { outcome: Outcome; note: string } {
  try {
    const { body, outcome } = JSON.parse(draft) as { body: string; outcome: Outcome }
    if (OUTCOMES.includes(outcome)) return { outcome, note: body }
  } catch {
    // A note alone.
  }
  return { outcome: OUTCOMES[0], note: draft }
}

/** The note of an earlier draft, in front of that of another form. */
export function noteInFront(late: string, typed: string): string {
  const { outcome, note } = readNoteDraft(typed)
  return noteDraft(outcome, `${readNoteDraft(late).note}\n\n${note}`.trim())
}
