import {
  findQuestions,
  recordKey,
  waitsForAnswer,
  withDependents,
  type Operation,
} from '../../src/sync/core/operation.ts'
import type { ApiCalls } from '../../src/sync/core/ports.ts'

/**
 * Ids of the operations that only their author can move on: those that need attention, what depends on
 * them, and edits that wait for the answer to a question about their record.
 */
export function idsAwaitingAuthor(
  operations: readonly Operation[],
  calls: ApiCalls,
): ReadonlySet<string> {
  const asked = findQuestions(operations)
  const awaiting = operations.filter(
    (one) => one.state === 'attention' || waitsForAnswer(one, asked.get(recordKey(one)), calls),
  )
  return new Set(awaiting.flatMap(({ id }) => [...withDependents(operations, id)]))
}
