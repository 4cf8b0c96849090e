import type { Action, ActionEdit } from '../../contract/schemas/actions.ts'
import { editRecord, type EditOptions } from './change-records.ts'

/** Like `editRecord`, for an action. Sets the completion time when the status becomes `done`. */
export const editAction = (
  seen: Action,
  changes: Omit<ActionEdit, 'id'>,
  options?: EditOptions,
): Promise<string | undefined> => {
  const completion = changes.status === 'done' && { completed_at: new Date().toISOString() }
  return editRecord('actions', seen, { ...changes, ...completion }, options)
}
