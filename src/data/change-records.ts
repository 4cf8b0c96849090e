// Creates and edits records of any resource.
import { is, type GenericSchema } from 'valibot'
import { endpoints } from '../../contract/endpoints.ts'
import type { BodyOf, RecordOf } from '../../contract/resource-schemas.ts'
import { resources, type QueuedResource } from '../../contract/resources.ts'
import { newId } from '../sync/browser/new-id.ts'
import { sync } from '../sync/client.ts'
import type { Operation } from '../sync/core/operation.ts'
import { isEditable } from '../sync/core/operation.ts'
import type { CallInput, EndpointRow } from '../sync/core/ports.ts'
import { bodyFields } from './operations/operation-call.ts'
import { isSetLater, pendingCreation } from './operations/pending-edits.ts'

/** What an edit replaces. */
export interface EditOptions {
  /** The rejected operation that it corrects. */
  rejected?: Operation | undefined
  /** The key of the form's stored draft. */
  draft?: string[] | undefined
  /** It is sent no earlier, so that it can be undone; in milliseconds. */
  delayMs?: number
}

interface WritingRow extends EndpointRow<CallInput, unknown> {
  path: string
  body?: GenericSchema | undefined
}

/**
 * Queues a create, deletes the stored `draft` and returns the record's final id: `id`, or a new one.
 * Resolves when it is durable on this device.
 */
export async function createRecord<R extends QueuedResource>(
  resource: R,
  fields: Omit<BodyOf<R, 'create'>, 'id'>,
  draft?: string[],
  id = newId(),
): Promise<string> {
  const row: WritingRow = endpoints[resources[resource].calls.create]
  await sync().enqueue(row, { body: { ...fields, id } }, undefined, draft)
  return id
}

/**
 * Queues an edit of a record. `seen` is the record as shown to its author, the base for detecting conflicts. The edit
 * becomes part of another operation where there is one: of `rejected`, of a create that was rejected, or of a create
 * that was never sent; not of the last if the edit can be undone, or if a waiting operation would then overwrite it.
 * Deletes the stored `draft`. Without changes it only discards `rejected`. Resolves when it is durable on this device:
 * to the id of the new operation, undefined when it became part of another one.
 */
export async function editRecord<R extends QueuedResource>(
  resource: R,
  seen: RecordOf<R>,
  changes: Omit<BodyOf<R, 'update'>, 'id'>,
  { rejected, draft, delayMs }: EditOptions = {},
): Promise<string | undefined> {
  if (Object.keys(changes).length === 0) {
    // All that was rejected is again as it was: nothing of it is left to send.
    if (rejected) await sync().outbox.discard(rejected.id)
    return undefined
  }
  const { id } = seen
  const { outbox, operations } = sync()
  const row: WritingRow = endpoints[resources[resource].calls.update]
  const isInPath = row.path.includes('{id}')
  const body = isInPath ? changes : { ...changes, id }
  if (rejected && (await outbox.edit(rejected.id, body, seen, draft))) return undefined
  const created = pendingCreation(operations.get(), resource, id)
  const isCorrection = created?.state === 'attention'
  const isApart = delayMs || (created && isSetLater(operations.get(), created, changes))
  if (created && isEditable(created) && (isCorrection || !isApart)) {
    const merged = { ...bodyFields(created.input), ...body }
    const { body: schema }: WritingRow = endpoints[resources[resource].calls.create]
    // The create's schema may not allow the edited state, such as a completed plan.
    if (schema && is(schema, merged))
      if (await outbox.edit(created.id, merged, undefined, draft)) return undefined
  }
  const input = isInPath ? { path: { id }, body } : { body }
  const operation = await sync().enqueue(row, input, seen, draft, delayMs)
  return operation.id
}
