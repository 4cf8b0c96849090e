// How the change of a record is said, whatever still waits of it.
import { is, type GenericSchema } from 'valibot'
import { sync } from '../sync/client.ts'
import { isEditable, type Operation } from '../sync/core/operation.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import { recordOf } from './optimistic.ts'

/** The operation that makes the record `id` and is still unanswered, by the call `creation` of the table. */
export const pendingCreation = (
  operations: readonly Operation[],
  creation: string,
  id: string,
): Operation | undefined =>
  operations.find(
    (one) => one.endpoint === creation && one.state !== 'acknowledged' && recordOf(one) === id,
  )

/**
 * The edit of a record that the server refused and that can be said again differently, by the call
 * `edit` of the table. A question is none: it is answered where it is asked.
 */
export const useRejectedEdit = (edit: string, id: string | undefined): Operation | undefined =>
  useOperations().find(
    (one) =>
      one.endpoint === edit &&
      one.state === 'attention' &&
      one.conflict === undefined &&
      recordOf(one) === id,
  )

interface QueuedEdit {
  /** The call that makes such records, and what its body may be. */
  creation: string
  draft: GenericSchema
  /** The record as its author saw it. */
  seen: { id: string }
  /** Only what changes, as the body of the edit. */
  body: object
  /** The refused edit in place of which it is said. */
  refused?: Operation | undefined
  /** Says it as an edit of its own. */
  send: () => Promise<unknown>
}

/**
 * Says a change of a record: in place of an edit that was refused, as part of what makes the record
 * while the server cannot have that, else as an edit of its own.
 */
export async function queueEdit({
  creation,
  draft,
  seen,
  body,
  refused,
  send,
}: QueuedEdit): Promise<void> {
  const { outbox, operations } = sync()
  if (refused && (await outbox.edit(refused.id, body, seen))) return
  const made = pendingCreation(operations.get(), creation, seen.id)
  if (made && isEditable(made)) {
    const whole = { ...(made.input.body as object), ...body }
    // A record may not be made in each state that it can come to.
    if (is(draft, whole) && (await outbox.edit(made.id, whole))) return
  }
  await send()
}
