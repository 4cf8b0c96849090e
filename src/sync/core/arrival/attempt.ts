// Attempts, as they are counted before they begin; at a server that does not recognise a repeat by its key
// also what was known by then.
import { remainingDelay, upcast, type Operation } from '../operation.ts'
import type { NetworkRequest, Transaction } from '../ports.ts'

/** A repeat takes a while to arrive. */
const KEY_MARGIN_MS = 60_000

/**
 * After it was noted or claimed an attempt leaves within this time, or not at all: its context may have been frozen,
 * and have lost the lock. Without a key, another context looks for its record for two minutes before it repeats it;
 * with one, the server may have forgotten the key of another attempt meanwhile, see KEY_MARGIN_MS.
 */
const DEPARTURE_MS = 60_000

/** Whether a request may leave; asked right before it does. `now`: device clock, epoch milliseconds. */
export const mayLeave = (
  now: number,
  { notedAt = now }: Pick<NetworkRequest, 'notedAt'>,
): boolean => Math.abs(now - notedAt) < DEPARTURE_MS

/** What an operation has that the server never got. */
export const UNATTEMPTED = {
  attempts: 0,
  closed_attempts: undefined,
  attempt: undefined,
  known_before: undefined,
} as const

/** What an operation gets when it is to be sent after all. */
export const PENDING = {
  state: 'pending',
  conflict: undefined,
  not_before: 0,
  last_error: null,
  failures: undefined,
  denials: undefined,
} as const

type Attempts = Pick<Operation, 'attempts' | 'closed_attempts'>

/** Whether one of the attempts may have arrived. */
export const mayHaveArrived = ({ attempts, closed_attempts = 0 }: Attempts): boolean =>
  attempts > closed_attempts

/** To be stored when the attempt that was just made had no effect. */
export const withClosed = ({ closed_attempts = 0 }: Attempts) => ({
  closed_attempts: closed_attempts + 1,
})

/** See `Outbox.release`. */
export const released = (operation: Operation): Operation => {
  const { attempts, closed_attempts = 0 } = operation
  return {
    ...operation,
    attempts: attempts - 1,
    ...(closed_attempts >= attempts && { closed_attempts: attempts - 1 }),
  }
}

/** See `Outbox.retry`: whatever became of earlier attempts, the next one needs no look. */
export const retried = (operation: Operation): Operation => {
  const { attempt, attempts } = operation
  return {
    ...operation,
    ...PENDING,
    closed_attempts: attempts,
    attempt: attempt && { ...attempt, repeat: true },
  }
}

/** See `Outbox.claim`. Undefined for one that cannot be sent. `now`: epoch milliseconds. */
export async function countAttempt(
  tx: Transaction,
  id: string,
  keyLifetimeMs: number,
  now: number,
): Promise<Operation | undefined> {
  const operation = upcast(await tx.get('operations', id))
  if (operation?.state !== 'pending' || remainingDelay(operation, now) > 0) return undefined
  const { attempt, attempts } = operation
  if (keyLifetimeMs === 0 || attempt) return operation
  const keyed_at = attempts > 0 ? (operation.keyed_at ?? now) : now
  const isForgotten =
    mayHaveArrived(operation) && Math.abs(now - keyed_at) > keyLifetimeMs - KEY_MARGIN_MS
  const counted: Operation = isForgotten
    ? { ...operation, attempt: { at: now } }
    : { ...operation, attempts: attempts + 1, keyed_at, claimed_at: now }
  tx.put('operations', id, counted)
  return counted
}

/** See `Outbox.beginAttempt`. `now`: epoch milliseconds. */
export async function noteAttempt(
  tx: Transaction,
  { id, attempts }: Pick<Operation, 'id' | 'attempts'>,
  known: readonly string[] | undefined,
  now: number,
): Promise<Operation | undefined> {
  const operation = upcast(await tx.get('operations', id))
  // Another context that has taken the lock meanwhile may be sending it.
  if (operation?.state !== 'pending' || operation.attempts !== attempts) return undefined
  const before = operation.attempt ? operation.attempt.known : known
  const begun: Operation = {
    ...operation,
    attempts: operation.attempts + 1,
    attempt: { at: now, known: before },
  }
  tx.put('operations', id, begun)
  return begun
}
