// Attempts, as they are counted before they begin; at a server that does not recognise a repeat by its key
// also what was known by then.
import { remainingDelay, upcast, type Operation } from '../operation.ts'
import type { Transaction } from '../ports.ts'

/** See `Outbox.claim`. Undefined for one that cannot be sent. `now`: epoch milliseconds. */
export async function countAttempt(
  tx: Transaction,
  id: string,
  isCounted: boolean,
  now: number,
): Promise<Operation | undefined> {
  const operation = upcast(await tx.get('operations', id))
  if (operation?.state !== 'pending' || remainingDelay(operation, now) > 0) return undefined
  if (!isCounted || operation.attempt) return operation
  const counted = { ...operation, attempts: operation.attempts + 1 }
  tx.put('operations', id, counted)
  return counted
}

/** See `Outbox.beginAttempt`. `now`: epoch milliseconds. */
export async function noteAttempt(
  tx: Transaction,
  id: string,
  known: readonly string[] | undefined,
  now: number,
): Promise<Operation | undefined> {
  const operation = upcast(await tx.get('operations', id))
  if (operation?.state !== 'pending') return undefined
  const before = operation.attempt ? operation.attempt.known : known
  const begun: Operation = {
    ...operation,
    attempts: operation.attempts + 1,
    attempt: { at: now, known: before },
  }
  tx.put('operations', id, begun)
  return begun
}
