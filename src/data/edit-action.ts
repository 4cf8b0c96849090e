import type { Action, ActionEdit } from '../../contract/schemas/actions.ts'
import { sync } from '../sync/client.ts'
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

type Status = ActionEdit['status']

/** The status that actions had before they were ticked on this page. */
const before = new Map<string, Status>()

/** Completes an action, or restores the status that it had before. */
export function tickAction(
  seen: Action,
  isDone: boolean,
  options?: EditOptions,
): Promise<string | undefined> {
  // By the id that this device made: the server may have replaced it since the tick.
  const aliases = [...sync().aliases.get()]
  const [local = seen.id] =
    aliases.find(([, { table, id }]) => table === 'actions' && id === seen.id) ?? []
  // Safe cast: a status that only this server knows is sent back to it unchanged.
  if (isDone) before.set(local, seen.status as Status)
  const status = isDone ? 'done' : (before.get(local) ?? 'todo')
  return editAction(seen, { status }, options)
}
