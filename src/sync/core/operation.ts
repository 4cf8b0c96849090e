// An operation: a call that the user made and the server has not confirmed yet. Plain data under one
// permanent id, ordered by a counter, since device clocks jump.
import type { ApiCalls, CallInput, OfflinePolicy, Transaction } from './ports.ts'

/** The error response that an operation got; `status` is the HTTP status. */
export interface OperationError {
  /** 0 for what the engine found out itself, with a code that the screens have words for. */
  status: number
  /** The server's own words; may be empty. */
  message: string
  code?: string | undefined
  errors?: Record<string, string[]> | undefined
}

/**
 * What an edit is based on: the version that its author saw, and the values of the fields that it sets.
 */
export interface Base {
  version: number
  fields: Record<string, unknown>
  /** Further values of these fields that this device has sent. */
  own?: Record<string, unknown[]>
}

/** A conflict: fields that others set as well, to different values. The author is asked about them. */
interface Conflict {
  fields: string[]
  /** The record as the server has it now. */
  theirs: Record<string, unknown>
  /** By field: the user who set it last. Undefined when the server does not tell. */
  changed_by?: Record<string, unknown>
}

/** The last attempt at a server that does not recognise a repeat by its key, or not any more. */
export interface Attempt {
  /** Epoch milliseconds, device clock: when it began, later when it ended without an answer. */
  at: number
  /** Ids of the records that could be taken for its own, as known before the first attempt. */
  known?: readonly string[] | undefined
  /** The server took it and answered without a record: it is looked for, and never sent again. */
  taken?: true
  /** When the reading began that did not contain it, long enough after `at`. */
  missing_at?: number
  /** How often what it may have created or changed could not be read since, though the server answers. */
  unread?: number
  /** The next attempt needs no look: its author wants it, or the server refused the last one. */
  repeat?: true
}

/** Stored on the device for days, and read by later builds: fields are never renamed. */
export interface Operation {
  /** UUID v7. Also the Idempotency-Key of every attempt. */
  id: string
  /** Version of this format. */
  v: 1
  /** The name of the call in the contract's endpoint table. */
  endpoint: string
  input: CallInput
  user_id: string
  /** The base URL of the API that it was made for. Absent in operations of earlier builds. */
  api?: string | undefined
  /** Null for calls that belong to no organisation. */
  organisation_id: string | null
  /** Operations of one lane are sent one after the other. */
  lane: string
  /** Position in the order of enqueueing; of a part that was split off, half a position behind. */
  seq: number
  /** Ids of operations to acknowledge first: they create records that this one references. */
  depends_on: string[]
  /** Undefined when it edits no record, or the author saw no version. */
  base?: Base | undefined
  /** Set while the author has to resolve a conflict; `state` is then `attention`. */
  conflict?: Conflict | undefined
  /** It was rebased on changes by others; `kept`: what they set and it leaves as it is, by field. */
  merged?: true
  kept?: Record<string, unknown>
  /** Device clock, ISO 8601; for display only. */
  created_at: string
  /** `attention`: rejected or in conflict, the user has to decide. */
  state: 'pending' | 'acknowledged' | 'attention'
  /** Started attempts. When pending and above 0, the server may have it already. */
  attempts: number
  /** How many of them had no effect, as far as is known, or no longer matter, since their author wants another. */
  closed_attempts?: number | undefined
  /** Absent as long as the server recognises a repeat by its key. */
  attempt?: Attempt | undefined
  /** When the first attempt under its key began: device clock, epoch milliseconds. */
  keyed_at?: number
  /** When it was claimed last: device clock, epoch milliseconds. Absent where the server has no keys. */
  claimed_at?: number
  /** As `known` of an attempt, noted before the first one under its key at a server that makes the ids. */
  known_before?: readonly string[] | undefined
  /** Epoch milliseconds before which it is not sent. */
  not_before: number
  /** When that delay began, in epoch milliseconds. Absent in operations of earlier builds. */
  delayed_at?: number
  /** The server asked for that delay. */
  delayed_by_server?: boolean
  last_error: OperationError | null
  /** Number of answers that were not understood. */
  odd_answers?: number
  /** How often nothing was sent, since the record that it changes, or the list of its own, could not be read. */
  unread_count?: number
  /** The last reading of its list, of several pages, was complete and lacked the record. */
  was_absent?: true | undefined
  /** Answers by which the server could not take it now, and when the first came: device clock, epoch milliseconds. */
  failures?: { count: number; since: number } | undefined
  /** The same, for answers of 401 to tokens with which the server answered other calls. */
  denials?: Operation['failures']
  /** The server's response, once acknowledged. */
  answer?: unknown
  /** Value of the acknowledgement counter: pulls that started at or after it contain the record. */
  acknowledged_at?: number
  /** Device clock at the acknowledgement, ISO 8601; for display only. */
  sent_at?: string
}

/** The part of an operation that its author decides. */
export interface NewOperation {
  endpoint: string
  input: CallInput
  user_id: string
  organisation_id: string | null
  /** The record that an edit changes, as its author saw it. Without it conflicts cannot be detected. */
  seen?: Record<string, unknown> | undefined
  /** The key of the stored draft that the operation replaces. */
  draft?: string[] | undefined
  /** It is not sent earlier than this many milliseconds after it was enqueued, so that it can be undone. */
  delayMs?: number | undefined
}

/** Version of the format that this build writes. */
export const OPERATION_VERSION = 1

/**
 * Reads a stored value. Undefined for an operation in a newer format, which is left to the build that
 * wrote it, and for values that are no operations (counters).
 */
export function upcast(stored: unknown): Operation | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { v, id, seq } = stored as Partial<Operation>
  if (v !== OPERATION_VERSION || typeof id !== 'string' || typeof seq !== 'number') return undefined
  return stored as Operation
}

/** All operations in the store `operations`, in the order of enqueueing. */
export const readOperations = async (tx: Transaction): Promise<Operation[]> =>
  (await tx.all('operations', []))
    .map(upcast)
    .filter((operation) => operation !== undefined)
    .toSorted(bySequence)

/** Whether the server cannot have it, so that its input can still be changed. */
export const isEditable = (operation: Operation): boolean =>
  operation.state === 'attention' || (operation.state === 'pending' && operation.attempts === 0)

/** Compares by the order of enqueueing. */
export const bySequence = (a: Operation, b: Operation): number => a.seq - b.seq

/** The longest delay of an operation, also where a server asks for more. */
export const MAX_DELAY_MS = 5 * 60_000

/**
 * Milliseconds until the operation can be sent; 0 when it can be sent now. `now`: epoch milliseconds. A
 * delay that began in the future is over: the clock was set back meanwhile.
 */
export const remainingDelay = (
  { not_before, delayed_at = 0 }: Pick<Operation, 'not_before' | 'delayed_at'>,
  now: number,
): number => {
  const delay = not_before - now
  return delay > 0 && delay <= MAX_DELAY_MS && delayed_at <= now ? delay : 0
}

/** `ids` and the ids of all operations that depend on one of them, directly or not. */
export function withDependents(operations: readonly Operation[], ...ids: string[]): Set<string> {
  const found = new Set(ids)
  for (let changed = true; changed;) {
    changed = false
    for (const operation of operations)
      if (!found.has(operation.id) && operation.depends_on.some((other) => found.has(other))) {
        found.add(operation.id)
        changed = true
      }
  }
  return found
}

/** The id and the fields that an operation sets; undefined when it edits no record. */
export const editOf = (
  { endpoint, input }: Pick<Operation, 'endpoint' | 'input'>,
  calls: ApiCalls,
) => calls[endpoint]?.offlinePolicy?.edits?.(input)

/**
 * Identifies the record that an operation edits, and its author. By its lane, which names the table as well:
 * a server that numbers its records has the same ids in each table.
 */
export const recordKey = ({ user_id, organisation_id, lane }: Operation): string =>
  JSON.stringify([user_id, organisation_id, lane])

/** Whether two different operations of one author edit the same record. */
export const isSameRecord = (a: Operation, b: Operation, calls: ApiCalls): boolean =>
  a.id !== b.id && recordKey(a) === recordKey(b) && [a, b].every((one) => editOf(one, calls))

/** The fields that open questions ask about, by `recordKey`. */
export function findQuestions(operations: readonly Operation[]): Map<string, Set<string>> {
  const asked = new Map<string, Set<string>>()
  for (const one of operations)
    if (one.conflict) {
      const key = recordKey(one)
      asked.set(key, new Set([...(asked.get(key) ?? []), ...one.conflict.fields]))
    }
  return asked
}

/**
 * Whether an edit waits for the answer to a question about a field that it sets. A text that can be split
 * off is sent without waiting.
 */
export function waitsForAnswer(
  operation: Operation,
  asked: ReadonlySet<string> | undefined,
  calls: ApiCalls,
): boolean {
  const fields = Object.keys(editOf(operation, calls)?.fields ?? {})
  const shared = fields.filter((name) => asked?.has(name))
  if (shared.length === 0 || operation.state !== 'pending') return false
  const { omitFields, splitFields } = policyOf(calls, operation.endpoint)
  const rest = omitFields?.(operation.input, shared)
  return !rest || !splitFields?.(operation.input, shared, '')
}

/**
 * The offline policy of a call. Throws for a call that cannot be queued, or that this build does not
 * know.
 */
export function policyOf(calls: ApiCalls, endpoint: string): OfflinePolicy {
  const policy = calls[endpoint]?.offlinePolicy
  if (!policy) throw new Error(`${endpoint} cannot be queued.`)
  return policy
}

/** Keys of the counters in the store of operations, whose other keys are ids. This one counts what was enqueued. */
export const OPERATION_SEQUENCE = '!seq'
/** Counts acknowledgements. Stored since build 0.1 as `!tick`. */
export const ACK_SEQUENCE = '!tick'

/** The highest `acknowledged_at` of all operations that were pruned. */
export const PRUNED_SEQUENCE = '!pruned'

/** Whether a value from the store of operations is a counter. */
const isSequence = (value: unknown): value is number => typeof value === 'number'

/** The value of a counter; 0 before the first one. */
export async function lastValue(tx: Transaction, sequence: string): Promise<number> {
  const last = await tx.get('operations', sequence)
  return isSequence(last) ? last : 0
}

/**
 * To be called before an answer replaces stored records; `fence`: see `Outbox.fence`. Operations that were
 * acknowledged after the fence may be missing from the answer, so they stay in the outbox until a later pull.
 * False when one of them was pruned already: then the answer must not be stored.
 */
export async function keepAcknowledged(tx: Transaction, fence: number): Promise<boolean> {
  if ((await lastValue(tx, PRUNED_SEQUENCE)) > fence) return false
  const operations = await readOperations(tx)
  const later = operations.filter(({ acknowledged_at = 0 }) => acknowledged_at > fence)
  if (later.length === 0) return true
  const acknowledged_at = await nextValue(tx, ACK_SEQUENCE)
  for (const one of later) tx.put('operations', one.id, { ...one, acknowledged_at })
  return true
}

/** Increments a counter by `count` and returns its new value. */
export async function nextValue(tx: Transaction, sequence: string, count = 1): Promise<number> {
  const value = (await lastValue(tx, sequence)) + count
  tx.put('operations', sequence, value)
  return value
}
