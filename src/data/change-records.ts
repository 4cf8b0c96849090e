// Creates, edits and deletes records of any resource.
import { is, type GenericSchema } from 'valibot'
import { endpoints } from '../../contract/endpoints.ts'
import type { BodyOf, RecordOf } from '../../contract/resource-schemas.ts'
import { resources, type QueuedResource, type ResourceWith } from '../../contract/resources.ts'
import { newId } from '../sync/browser/new-id.ts'
import { CallError, sync } from '../sync/client.ts'
import type { Operation } from '../sync/core/operation.ts'
import { isEditable } from '../sync/core/operation.ts'
import type { CallInput, EndpointRow } from '../sync/core/ports.ts'
import { removeRecord } from '../sync/react/apply-changes.ts'
import { bodyFields } from './operations/operation-call.ts'
import { pendingCreation } from './operations/pending-edits.ts'

interface WritingRow extends EndpointRow<CallInput, unknown> {
  path: string
  body?: GenericSchema | undefined
}

/** Queues a create and returns the record's final id. Resolves when it is durable on this device. */
export async function createRecord<R extends QueuedResource>(
  resource: R,
  draft: Omit<BodyOf<R, 'create'>, 'id'>,
): Promise<string> {
  const id = newId()
  const row: WritingRow = endpoints[resources[resource].calls.create]
  await sync().enqueue(row, { body: { ...draft, id } })
  return id
}

/**
 * Queues an edit of a record. `seen` is the record as shown to its author, the base for detecting
 * conflicts. Replaces the edit `rejected` if given; merges into a queued create that was never sent.
 * Does nothing without changes. Resolves when it is durable on this device.
 */
export async function editRecord<R extends QueuedResource>(
  resource: R,
  seen: RecordOf<R>,
  changes: Omit<BodyOf<R, 'update'>, 'id'>,
  rejected?: Operation,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  const { id } = seen
  const { outbox, operations } = sync()
  const row: WritingRow = endpoints[resources[resource].calls.update]
  const isInPath = row.path.includes('{id}')
  const body = isInPath ? changes : { ...changes, id }
  if (rejected && (await outbox.edit(rejected.id, body, seen))) return
  const created = pendingCreation(operations.get(), resource, id)
  if (created && isEditable(created)) {
    const merged = { ...bodyFields(created.input), ...body }
    const { body: draft }: WritingRow = endpoints[resources[resource].calls.create]
    // The create's schema may not allow the edited state, such as a completed plan.
    if (draft && is(draft, merged) && (await outbox.edit(created.id, merged))) return
  }
  await sync().enqueue(row, isInPath ? { path: { id }, body } : { body }, seen)
}

/**
 * Deletes a record on the server, then on this device. A 404 counts as deleted. Throws a CallError
 * if the server did not delete it.
 */
export async function deleteRecord(resource: ResourceWith<'delete'>, id: string): Promise<void> {
  const row: EndpointRow<CallInput, unknown> = endpoints[resources[resource].calls.delete]
  try {
    await sync().call(row, { path: { id } })
  } catch (problem) {
    if (!(problem instanceof CallError) || problem.status !== 404) throw problem
  }
  await removeRecord(resource, id)
}
