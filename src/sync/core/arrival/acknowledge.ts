// An operation has arrived: its answer is stored, later edits are based on it, and the server's id takes
// the place of the local one. All in one transaction.
import { isOneServer } from '../api/address.ts'
import { advanceBase, baseOf } from '../conflicts/three-way-merge.ts'
import {
  ACK_SEQUENCE,
  OPERATION_SEQUENCE,
  nextValue,
  policyOf,
  readOperations,
  recordKey,
  upcast,
  type Operation,
  type OperationError,
} from '../operation.ts'
import type { Ports, Transaction } from '../ports.ts'
import { aliasesAt, dropOldAliases, isLocal, resolveOperation, writeAlias } from './aliases.ts'
import { UNATTEMPTED } from './attempt.ts'
import { namedIn, withId } from './content.ts'
import { noteMissed } from './server-fields.ts'

type Fields = Record<string, unknown>

/** What is known about an answer, besides the record in it. */
export interface Arrival {
  /** It is the record as read after the operation: it may contain changes by others. */
  isRead?: boolean | undefined
  byContent?: Comparison | undefined
  /** The answer as the server wrote it. */
  raw?: unknown
}

/**
 * What the comparison of an answer by its content has found. It is acknowledged durably, since it cannot be
 * requested again, and with the server's id in place of the local one.
 */
interface Comparison {
  /** The fields that the server did not keep. */
  lost: readonly string[]
  /** The fields that its answer does not have, and the collection of its record. */
  absent: readonly string[]
  table: string | undefined
}

/** In place of an error response: the server answered, and the record does not show what was asked. */
const NOT_KEPT = 'not_kept'

/** The error of a field that this server never returned. Sending it again does not help. */
export const NEVER_RETURNED = 'never_returned'

const notKept = (fields: readonly string[], never: readonly string[]): OperationError => ({
  status: 0,
  code: NOT_KEPT,
  message: '',
  errors: Object.fromEntries(
    fields.map((name) => [name, never.includes(name) ? [NEVER_RETURNED] : []]),
  ),
})

type AcknowledgePorts = Pick<Ports, 'api' | 'calls' | 'clock' | 'random'>

/** See `Outbox.acknowledge`. */
export async function acknowledgeOne(
  tx: Transaction,
  id: string,
  answer: Fields,
  arrival: Arrival,
  ports: AcknowledgePorts,
): Promise<Operation | undefined> {
  const operation = upcast(await tx.get('operations', id))
  if (!operation || operation.state === 'acknowledged') return operation
  const changed = await acknowledgeOperation(tx, operation, answer, arrival, ports)
  tx.put('operations', id, changed)
  return changed
}

/** Acknowledges operations in the order of their answers. Returns those that are still there. */
export async function acknowledgeAll(
  tx: Transaction,
  answers: ReadonlyMap<string, Fields>,
  ports: AcknowledgePorts,
): Promise<ReadonlyMap<string, Operation>> {
  const queue = new Map((await readOperations(tx)).map((one) => [one.id, one]))
  const stored = new Map<string, Operation>()
  for (const [id, answer] of answers) {
    const operation = queue.get(id)
    if (!operation) continue
    const isNew = operation.state !== 'acknowledged'
    const changed = isNew
      ? await acknowledgeOperation(tx, operation, answer, {}, ports, queue)
      : operation
    if (isNew) tx.put('operations', id, changed)
    queue.set(id, changed)
    stored.set(id, changed)
  }
  return stored
}

/**
 * The acknowledged operation; with `byContent` in a transaction over ALIASED_STORES. Later edits in its lane that have
 * the same base version are advanced, see `advanceBase`; also in `queue`, the outbox by id, where it was read before.
 * Not when the answer is a record that was read: they would replace what others have set meanwhile.
 * Fields that the server did not keep need attention: those of a create as an edit of their own, so that other
 * operations on the record are sent; those of any other operation as that operation.
 */
async function acknowledgeOperation(
  tx: Transaction,
  operation: Operation,
  answer: Fields,
  { isRead, byContent, raw }: Arrival,
  { api, calls, clock, random }: AcknowledgePorts,
  queue?: Map<string, Operation>,
): Promise<Operation> {
  const policy = policyOf(calls, operation.endpoint)
  const now = clock.now()
  const local = policy.creates?.(operation.input)
  const id = typeof answer.id === 'string' ? answer.id : undefined
  let arrived = operation
  if (byContent && policy.created && local !== undefined && id !== undefined && local !== id) {
    const { user_id, organisation_id } = operation
    const table = policy.created.collection
    const { baseUrl } = api()
    const alias = { user_id, organisation_id, table, local, id, api: baseUrl, created_at: now }
    const aliases = await aliasesAt(tx, api())
    // Two operations may have been looked for at the same time: one record is the answer of one.
    const isTaken = aliases.some(
      (one) =>
        one.table === table &&
        one.id === id &&
        one.user_id === user_id &&
        one.organisation_id === organisation_id,
    )
    if (isTaken) return operation
    await dropOldAliases(tx, user_id, now)
    if (isLocal(local, aliases)) {
      await writeAlias(tx, alias, calls)
      arrived = resolveOperation(operation, [alias], calls)
    } else arrived = { ...operation, input: withId(operation.input, id) }
  }
  const { absent = [], table } = byContent ?? {}
  // Only the first operation that a field is missing from tells the user.
  const never = table === undefined ? [] : await noteMissed(tx, api().baseUrl, table, absent)
  const lost = [...(byContent?.lost ?? []), ...never]
  const rest = lost.length > 0 && id !== undefined && policy.complete?.(arrived.input, id, lost)
  if (lost.length > 0 && !rest)
    return { ...arrived, state: 'attention', last_error: notKept(lost, never), attempt: undefined }
  if (rest) {
    const completion: Operation = {
      ...arrived,
      id: random.id(),
      endpoint: rest.endpoint,
      input: rest.input,
      seq: await nextValue(tx, OPERATION_SEQUENCE),
      depends_on: [],
      // Of a record that was read the author is not shown the values: others may have set them.
      base: baseOf(policyOf(calls, rest.endpoint), rest.input, isRead ? { version: 0 } : answer),
      state: 'attention',
      ...UNATTEMPTED,
      last_error: notKept(lost, never),
    }
    tx.put('operations', completion.id, completion)
  }
  // Another user of the device has not seen this operation, and another server may have the same ids.
  const ofRecord = [...(queue?.values() ?? (await readOperations(tx)))].filter(
    (one) =>
      one.lane === arrived.lane &&
      recordKey(one) === recordKey(arrived) &&
      isOneServer(api(), one.api, arrived.api),
  )
  dropAnsweredDeletions(tx, arrived, ofRecord, calls, queue)
  if (!isRead && policy.version?.(answer) !== undefined)
    for (const later of ofRecord) {
      // A deletion keeps its base: the edit does not compare what others changed in other fields.
      if (policy.edits && calls[later.endpoint]?.offlinePolicy?.deletes) continue
      const base = advanceBase(arrived, policy, answer, later.base)
      if (!base) continue
      const advanced: Operation = { ...later, base }
      tx.put('operations', later.id, advanced)
      queue?.set(later.id, advanced)
    }
  return {
    ...arrived,
    state: 'acknowledged',
    answer: namedIn(answer, raw),
    acknowledged_at: await nextValue(tx, ACK_SEQUENCE),
    sent_at: new Date(now).toISOString(),
    last_error: null,
  }
}

/** Of the operations on one record, drops deletions that wait for their author's answer: their record is deleted by now. */
function dropAnsweredDeletions(
  tx: Transaction,
  arrived: Operation,
  ofRecord: readonly Operation[],
  calls: Ports['calls'],
  queue: Map<string, Operation> | undefined,
): void {
  const deleted = policyOf(calls, arrived.endpoint).deletes?.(arrived.input)
  if (deleted === undefined) return
  for (const one of ofRecord) {
    const isSame =
      one.id !== arrived.id &&
      one.endpoint === arrived.endpoint &&
      policyOf(calls, one.endpoint).deletes?.(one.input) === deleted
    if (!isSame || !one.conflict) continue
    tx.delete('operations', one.id)
    queue?.delete(one.id)
  }
}
