// An operation is what the user said and the server has not yet answered: plain data, one permanent
// key, and an order that no clock decides.
import type { ApiCalls, CallInput, OfflinePolicy, Transaction } from './ports.ts'

export interface OperationError {
  status: number
  message: string
  code?: string | undefined
  errors?: Record<string, string[]> | undefined
}

/** What the author of an edit saw: the record's version, and the fields that the edit sets. */
export interface Base {
  version: number
  fields: Record<string, unknown>
}

/** A question: these fields were set by others as well, and this is the record as it is now. */
interface Conflict {
  fields: string[]
  theirs: Record<string, unknown>
}

export interface Operation {
  /** Also the Idempotency-Key, for as long as the operation lives. */
  id: string
  v: 1
  /** The name of the call in the contract's table. */
  endpoint: string
  input: CallInput
  user_id: string
  organisation_id: string | null
  lane: string
  seq: number
  /** Operations that must have been acknowledged first: they create what this one mentions. */
  depends_on: string[]
  /** What its author saw of what it changes; nothing when it only adds. */
  base?: Base | undefined
  /** Set while it is a question: the same was changed by others meanwhile. */
  conflict?: Conflict | undefined
  /** Others had changed the record meanwhile, and both changes stand. */
  merged?: true
  /** The device's clock, for people to read. */
  created_at: string
  state: 'pending' | 'acknowledged' | 'attention'
  /** How often a send was begun. Above 0 and still pending: the server may know it already. */
  attempts: number
  /** Epoch milliseconds; not sent before. */
  not_before: number
  last_error: OperationError | null
  /** The server's record, once acknowledged. */
  answer?: unknown
  /** Counter at the acknowledgement: a read begun at or after it brings the record back. */
  acknowledged_at?: number
  /** The device's clock at the acknowledgement, for people to read. */
  sent_at?: string
}

export const OPERATION_VERSION = 1

/**
 * An operation as stored by any build. Undefined for those of a newer version, which are left
 * alone for the build that wrote them, and for what is no operation at all.
 */
export function upcast(stored: unknown): Operation | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { v, id, seq } = stored as Partial<Operation>
  if (v !== OPERATION_VERSION || typeof id !== 'string' || typeof seq !== 'number') return undefined
  return stored as Operation
}

/** Whether the server cannot have it, so that it may still be said differently. */
export const isEditable = (operation: Operation): boolean =>
  operation.state === 'attention' || (operation.state === 'pending' && operation.attempts === 0)

/** Order of saying, never of clocks. */
export const bySequence = (a: Operation, b: Operation): number => a.seq - b.seq

/** No wait is believed that is longer than this: the clock jumped, or a server asked too much. */
const MAX_WAIT_MS = 10 * 60_000

/** Milliseconds until the operation may be sent; 0 when it may. */
export const remainingDelay = (operation: Operation, now: number): number => {
  const wait = operation.not_before - now
  return wait > 0 && wait <= MAX_WAIT_MS ? wait : 0
}

/** The ids of `id` and of all that depends on it, however far. */
export function withDependents(operations: readonly Operation[], id: string): Set<string> {
  const found = new Set([id])
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

/** Operations of the queue that create what a new one mentions, and are not acknowledged yet. */
export function findDependencies(
  operation: Pick<Operation, 'endpoint' | 'input' | 'user_id' | 'organisation_id'>,
  queued: readonly Operation[],
  calls: ApiCalls,
): string[] {
  const references = new Set(
    calls[operation.endpoint]?.offlinePolicy?.references?.(operation.input),
  )
  references.delete(undefined)
  return queued
    .filter(
      (other) =>
        other.state !== 'acknowledged' &&
        other.user_id === operation.user_id &&
        other.organisation_id === operation.organisation_id &&
        references.has(calls[other.endpoint]?.offlinePolicy?.creates?.(other.input)),
    )
    .map((other) => other.id)
}

/**
 * What may be sent now: of each lane the first operation that is still to be sent, unless it has to
 * wait. One that needs attention holds back what depends on it; the rest of its lane goes on.
 */
export function sendableOperations(operations: readonly Operation[], now: number): Operation[] {
  const open = new Map(
    operations.filter((one) => one.state !== 'acknowledged').map((one) => [one.id, one]),
  )
  const blocked = new Set<string>()
  for (const one of open.values())
    if (one.state === 'attention')
      for (const id of withDependents(operations, one.id)) blocked.add(id)
  const usedLanes = new Set<string>()
  const ready: Operation[] = []
  for (const one of operations.toSorted(bySequence)) {
    const lane = JSON.stringify([one.user_id, one.organisation_id, one.lane])
    if (one.state !== 'pending' || blocked.has(one.id) || usedLanes.has(lane)) continue
    usedLanes.add(lane)
    if (remainingDelay(one, now) === 0 && !one.depends_on.some((id) => open.has(id)))
      ready.push(one)
  }
  return ready
}

/** The offline policy of a call. Throws for a call that cannot be queued, or that this build does not know. */
export function policyOf(calls: ApiCalls, endpoint: string): OfflinePolicy {
  const policy = calls[endpoint]?.offlinePolicy
  if (!policy) throw new Error(`${endpoint} cannot be queued.`)
  return policy
}

/** Keys of counters; operations' keys are their ids. */
export const OPERATION_SEQUENCE = '!seq'
export const ACK_SEQUENCE = '!tick'

export const isSequence = (value: unknown): value is number => typeof value === 'number'

/** Counts one up, in that transaction. */
export async function nextValue(tx: Transaction, sequence: string): Promise<number> {
  const last = await tx.get('operations', sequence)
  const value = (isSequence(last) ? last : 0) + 1
  tx.put('operations', sequence, value)
  return value
}
