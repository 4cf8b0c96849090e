import { ActionDraft, type Action, type ActionEdit } from '../../../contract/schemas/actions.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { sync } from '../../sync/client.ts'
import { newId } from '../../sync/browser/new-id.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { deleteRecord } from '../delete-record.ts'
import { queueEdit } from '../queue-edit.ts'

/** Queues a new action and returns its final id. Resolves when it is durable on this device. */
export async function createAction(draft: ActionDraft): Promise<string> {
  const id = newId()
  await sync().enqueue(endpoints.createAction, { body: { ...draft, id } })
  return id
}

/**
 * Queues a change of an action that stood there as `seen`, in place of `refused` where that is given;
 * nothing where nothing changes. One that is ticked off says when.
 */
export async function editAction(
  seen: Action,
  changes: Omit<ActionEdit, 'id'>,
  refused?: Operation,
): Promise<void> {
  const { id } = seen
  if (Object.keys(changes).length === 0) return
  const isDone = changes.status === 'done'
  const body = { ...changes, ...(isDone && { completed_at: new Date().toISOString() }), id }
  await queueEdit({
    creation: 'createAction',
    draft: ActionDraft,
    seen,
    body,
    refused,
    send: () => sync().enqueue(endpoints.updateAction, { body }, seen),
  })
}

/** Deletes an action on the server now. Throws a CallError where that cannot be. */
export const deleteAction = (id: string): Promise<void> =>
  deleteRecord(endpoints.deleteAction, 'actions', id)
