// Questions that their author has answered by a later edit or a deletion of the record.
import { isOneServer } from '../api/address.ts'
import {
  editOf,
  findQuestions,
  isSameRecord,
  policyOf,
  recordKey,
  waitsForAnswer,
  type Operation,
} from '../operation.ts'
import type { Ports, Transaction } from '../ports.ts'
import { appendGivenUp } from '../sent-log.ts'
import { changedId } from './comparable.ts'
import { withoutFields } from './three-way-merge.ts'

/**
 * Removes the fields that an acknowledged operation sets from earlier questions on the record, and from earlier edits
 * that wait for the answer to one: its author has replaced those values. A deletion removes all of them, and questions
 * about a deletion. To be called in the transaction that acknowledges the operation, with the outbox by id.
 */
export async function dropAnswered(
  tx: Transaction,
  accepted: Operation,
  queue: Map<string, Operation>,
  { api, calls, clock, random }: Pick<Ports, 'api' | 'calls' | 'clock' | 'random'>,
): Promise<void> {
  const key = recordKey(accepted)
  const queued = [...queue.values()].filter((one) => isOneServer(api(), one.api, accepted.api))
  const asked = findQuestions(queued).get(key)
  if (!asked) return
  const { deletes, implies } = policyOf(calls, accepted.endpoint)
  const deleted = deletes?.(accepted.input)
  const set = Object.keys({ ...editOf(accepted, calls)?.fields, ...implies?.(accepted.input) })
  const isAnswered = (other: Operation) =>
    deleted === undefined
      ? isSameRecord(accepted, other, calls)
      : recordKey(other) === key && changedId(other, calls) === deleted && other.id !== accepted.id
  for (const other of queued) {
    const { conflict, ...rest } = other
    if (!isAnswered(other) || (!conflict && !waitsForAnswer(other, asked, calls))) continue
    const isDeletion = policyOf(calls, other.endpoint).deletes !== undefined
    if (other.seq > accepted.seq && !isDeletion) continue
    // Also those that are not asked about: with the answer they would replace the later value.
    const waiting = Object.keys(editOf(other, calls)?.fields ?? {})
    const dropped = waiting.filter((name) => deleted !== undefined || set.includes(name))
    if (dropped.length === 0 && !isDeletion) continue
    const fields = conflict?.fields.filter((name) => !dropped.includes(name)) ?? []
    const left = deleted === undefined && withoutFields(rest, dropped, calls, () => random.id())
    tx.delete('operations', other.id)
    queue.delete(other.id)
    if (left) {
      const stored: Operation =
        conflict && fields.length > 0
          ? { ...left, last_error: other.last_error, conflict: { ...conflict, fields } }
          : { ...left, state: 'pending' }
      tx.put('operations', stored.id, stored)
      queue.set(stored.id, stored)
    }
    await appendGivenUp(tx, [other], dropped, calls, clock.now())
  }
}
