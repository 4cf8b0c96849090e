import { endpoints } from '../../../contract/endpoints.ts'
import {
  InitiativeDraft,
  type Initiative,
  type InitiativeEdit,
} from '../../../contract/schemas/initiatives.ts'
import { sync } from '../../sync/client.ts'
import { newId } from '../../sync/browser/new-id.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { deleteRecord } from '../delete-record.ts'
import { queueEdit } from '../queue-edit.ts'

/** Queues a new initiative and returns its final id. Resolves when it is durable on this device. */
export async function createInitiative(draft: InitiativeDraft): Promise<string> {
  const id = newId()
  await sync().enqueue(endpoints.createInitiative, { body: { ...draft, id } })
  return id
}

/**
 * Queues a change of an initiative that stood there as `seen`, in place of `refused` where that is
 * given; nothing where nothing changes.
 */
export async function editInitiative(
  seen: Initiative,
  body: InitiativeEdit,
  refused?: Operation,
): Promise<void> {
  const { id } = seen
  if (Object.keys(body).length === 0) return
  await queueEdit({
    creation: 'createInitiative',
    draft: InitiativeDraft,
    seen,
    body,
    refused,
    send: () => sync().enqueue(endpoints.updateInitiative, { path: { id }, body }, seen),
  })
}

/** Deletes an initiative on the server now. Throws a CallError where that cannot be. */
export const deleteInitiative = (id: string): Promise<void> =>
  deleteRecord(endpoints.deleteInitiative, 'initiatives', id)
