// The counters in the table of operations: what was said in which order, and what was answered when.
import type { Transaction } from './ports.ts'

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
