// The counters in the table of operations: what was said in which order, and what was answered when.
import type { Transaction } from './ports.ts'

/** Keys of counters; operations' keys are their ids. */
export const SEQ = '!seq'
export const TICK = '!tick'

export const isCounter = (value: unknown): value is number => typeof value === 'number'

/** Counts one up, in that transaction. */
export async function next(tx: Transaction, counter: string): Promise<number> {
  const last = await tx.get('operations', counter)
  const value = (isCounter(last) ? last : 0) + 1
  tx.put('operations', counter, value)
  return value
}
