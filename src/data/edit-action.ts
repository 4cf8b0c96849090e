import type { Action, ActionEdit } from '../../contract/schemas/actions.ts'
import type { Operation } from '../sync/core/operation.ts'
import { editRecord } from './change-records.ts'

/** Queues a change of an action, as `editRecord` does. One that becomes done gets the time of it. */
export const editAction = (
  seen: Action,
  changes: Omit<ActionEdit, 'id'>,
  rejected?: Operation,
): Promise<void> => {
  const completion = changes.status === 'done' && { completed_at: new Date().toISOString() }
  return editRecord('actions', seen, { ...changes, ...completion }, rejected)
}
