// Creating, editing and deleting records of any resource.
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

/** Queues a new record and returns its final id. Resolves when it is durable on this device. */
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
 * Queues a change of a record that its author saw as `seen`; does nothing where nothing changes. It
 * replaces `rejected` where that is given, and becomes part of the create while the server cannot
 * have that yet. Resolves when it is durable on this device.
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
    const whole = { ...bodyFields(created.input), ...body }
    const { body: draft }: WritingRow = endpoints[resources[resource].calls.create]
    // A record may not be created in each state that it can come to.
    if (draft && is(draft, whole) && (await outbox.edit(created.id, whole))) return
  }
  await sync().enqueue(row, isInPath ? { path: { id }, body } : { body }, seen)
}

/**
 * Deletes a record on the server now, and then here. One that is gone already counts as deleted.
 * Throws a CallError where the server did not do it.
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
