// An update that is being written, as its draft stores it.
import { HEALTHS } from '../../../../contract/values.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import type { UpdatedValues } from './update-values.tsx'

export interface Draft extends UpdatedValues {
  body: string
}

export const EMPTY: Draft = { body: '' }

/** Without a progress where that of the plan follows its actions: the server would refuse the note with it. */
export const withOwnProgress = <Update extends object>(
  plan: Pick<SuccessPlan, 'progress_mode'> | null,
  update: Update,
) => (plan?.progress_mode === 'auto' ? { ...update, progress: undefined } : update)

/** An update that could not be saved, and what was typed meanwhile. */
export const joined = (unsaved: Draft, typed: Draft): Draft => ({
  body: [unsaved.body, typed.body].filter((body) => body.trim() !== '').join('\n\n'),
  progress: typed.progress ?? unsaved.progress,
  health: typed.health ?? unsaved.health,
})

/** The stored draft; undefined where there is none that can be read. */
export function readDraft(text: string | null | undefined): Draft | undefined {
  if (!text) return undefined
  try {
    const { body, progress, health } = JSON.parse(text) as Record<string, unknown>
    return {
      body: typeof body === 'string' ? body : '',
      ...(typeof progress === 'number' && { progress }),
      health: HEALTHS.find((known) => known === health),
    }
  } catch {
    return undefined
  }
}

/** The drafts of two composers as one. */
export const updateInFront = (late: string, typed: string) =>
  JSON.stringify(joined(readDraft(late) ?? EMPTY, readDraft(typed) ?? EMPTY))
