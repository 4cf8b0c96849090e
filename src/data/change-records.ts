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
import { fieldsSetLater, pendingCreation } from './operations/pending-edits.ts'

/** What an edit replaces. */
export interface EditOptions {
  /** The rejected operation that it corrects. */
  rejected?: Operation | undefined
  /** The key of the form's stored draft. */
  draft?: string[] | undefined
  /** It is sent no earlier, so that it can be undone; in milliseconds. */
  delayMs?: number
}

const isNone = (fields: object): boolean => Object.keys(fields).length === 0

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
 * Queues an edit of a record. `seen` is the record as shown to its author, the base for detecting conflicts.
 *
 * The edit becomes part of another operation where there is one: of `rejected`, of a create that was rejected, or of a
 * create that was never sent; not of the latter if the edit can be undone, or if a waiting operation would overwrite
 * it. Fields of a rejected operation that a waiting one would overwrite are also queued behind that one.
 *
 * Deletes the stored `draft`. Without changes it only discards `rejected`. Resolves when it is durable on this device:
 * to the id of the new operation, undefined when it became part of another one.
 */
export async function editRecord<R extends QueuedResource>(
  resource: R,
  seen: RecordOf<R>,
  asked: Omit<BodyOf<R, 'update'>, 'id'>,
  { rejected, draft, delayMs }: EditOptions = {},
): Promise<string | undefined> {
  const { outbox, operations } = sync()
  let changes: object = asked
  if (isNone(changes)) {
    // All that was rejected was put back in the form: nothing of it is left to send.
    if (!rejected || (await outbox.discard(rejected.id)).length > 0) return undefined
    // Another tab has discarded it, which is fine, or is sending it: then an edit behind it restores the fields.
    if (operations.get().every((one) => one.id !== rejected.id)) return undefined
    const names = Object.keys(bodyFields(rejected.input))
    changes = Object.fromEntries(Object.entries(seen).filter(([name]) => names.includes(name)))
  }
  const { id } = seen
  const row: WritingRow = endpoints[resources[resource].calls.update]
  const isInPath = row.path.includes('{id}')
  const toBody = (fields: object) => (isInPath ? fields : { ...fields, id })

  /** Makes the edit part of another operation; resolves to what is left to be queued. */
  async function include(other: Operation, body: object, shown?: RecordOf<R>): Promise<object> {
    const later = fieldsSetLater(operations.get(), other, changes)
    const edited = await outbox.edit(other.id, body, shown, isNone(later) ? draft : undefined)
    return edited ? later : changes
  }

  let left = rejected ? await include(rejected, toBody(changes), seen) : changes
  const created = pendingCreation(operations.get(), resource, id)
  if (left === changes && created && isEditable(created)) {
    const isCorrection = created.state === 'attention'
    const isApart = delayMs || !isNone(fieldsSetLater(operations.get(), created, changes))
    const merged = { ...bodyFields(created.input), ...toBody(changes) }
    const { body: schema }: WritingRow = endpoints[resources[resource].calls.create]
    // The create's schema may not allow the edited state, such as a completed plan.
    if ((isCorrection || !isApart) && schema && is(schema, merged))
      left = await include(created, merged)
  }
  if (isNone(left)) return undefined
  const body = toBody(left)
  const input = isInPath ? { path: { id }, body } : { body }
  const operation = await sync().enqueue(row, input, seen, draft, delayMs)
  return operation.id
}
