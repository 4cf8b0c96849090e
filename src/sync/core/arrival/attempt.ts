// An attempt at a server that does not recognise a repeat by its key, as it is noted before it begins.
import { upcast, type Operation } from '../operation.ts'
import type { Transaction } from '../ports.ts'

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
