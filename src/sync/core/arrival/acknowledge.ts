// An operation has arrived: its answer is stored, later edits are based on it, and the server's id takes
// the place of the local one. All in one transaction.
import { isOneServer } from '../api/address.ts'
import { dropAnswered } from '../conflicts/answered.ts'
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
import type { Ports, StoreName, Transaction } from '../ports.ts'
import {
  ALIASED_STORES,
  aliasesAt,
  dropOldAliases,
  isLocal,
  resolveOperation,
  writeAlias,
} from './aliases.ts'
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

type Queue = Map<string, Operation>
interface Writer {
  write: <T>(
    work: (tx: Transaction) => Promise<T>,
    mode?: 'readwrite' | 'strict',
    tables?: readonly StoreName[],
  ) => Promise<T>
}

/**
 * Runs `work` with the outbox by id. Over the log as well only while a question is open, whose values may be given up:
 * that waits for pulls.
 */
async function writeQueue<T>(
  outbox: Writer,
  work: (tx: Transaction, queue: Queue) => Promise<T>,
): Promise<T> {
  const run = (isLogged: boolean) => async (tx: Transaction) => {
    const queue = await readQueue(tx)
    const isAsked = [...queue.values()].some(({ conflict }) => conflict)
    return isAsked && !isLogged ? undefined : { result: await work(tx, queue) }
  }
  const done =
    (await outbox.write(run(false))) ??
    (await outbox.write(run(true), 'readwrite', ['operations', 'cache', 'session']))
  // Safe cast: the second one always works.
  return done?.result as T
}

const readQueue = async (tx: Transaction): Promise<Queue> =>
  new Map((await readOperations(tx)).map((one) => [one.id, one]))

/** See `Outbox.acknowledge`. */
export function acknowledgeOne(
  outbox: Writer,
  id: string,
  answer: Fields,
  arrival: Arrival,
  ports: AcknowledgePorts,
): Promise<Operation | undefined> {
  const work = async (tx: Transaction, read?: Queue) => {
    const operation = upcast(await tx.get('operations', id))
    if (!operation || operation.state === 'acknowledged') return operation
    const changed = await acknowledgeOperation(tx, operation, answer, arrival, ports, read)
    tx.put('operations', id, changed)
    await dropAnswered(tx, changed, read ?? (await readQueue(tx)), ports)
    return changed
  }
  return arrival.byContent
    ? outbox.write((tx) => work(tx), 'strict', ALIASED_STORES)
    : writeQueue(outbox, work)
}

/** Acknowledges operations in the order of their answers. Returns those that are still there. */
export function acknowledgeAll(
  outbox: Writer,
  answers: ReadonlyMap<string, Fields>,
  ports: AcknowledgePorts,
): Promise<ReadonlyMap<string, Operation>> {
  return writeQueue(outbox, async (tx, queue) => {
    const stored = new Map<string, Operation>()
    for (const [id, answer] of answers) {
      const operation = queue.get(id)
      if (!operation) continue
      const isNew = operation.state !== 'acknowledged'
      const changed = isNew
        ? await acknowledgeOperation(tx, operation, answer, {}, ports, queue)
        : operation
      queue.set(id, changed)
      stored.set(id, changed)
      if (!isNew) continue
      tx.put('operations', id, changed)
      await dropAnswered(tx, changed, queue, ports)
    }
    return stored
  })
}

/**
 * The acknowledged operation; with `byContent` in a transaction over ALIASED_STORES. Later edits in its lane with the
 * same base version get the new one, see `advanceBase`, also in `queue`, the outbox by id, if that was read before.
 * Not when the answer is a record that was read: they would replace what others have set meanwhile.
 * Fields that the server did not keep need attention: those of a create as an edit of their own, so that other
 * operations on the record are sent; of any other operation it is the operation itself.
 */
async function acknowledgeOperation(
  tx: Transaction,
  operation: Operation,
  answer: Fields,
  { isRead, byContent, raw }: Arrival,
  { api, calls, clock, random }: AcknowledgePorts,
  queue?: Queue,
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
  if (!isRead && policy.version?.(answer) !== undefined)
    for (const later of ofRecord) {
      // A deletion keeps its base: the edit does not compare what others changed in other fields. A call of a newer
      // build may be one.
      const follows = calls[later.endpoint]?.offlinePolicy
      if (policy.edits && (!follows || follows.deletes)) continue
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
