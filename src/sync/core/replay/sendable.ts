// Which operations may be sent now. Pure.
import {
  bySequence,
  editOf,
  findQuestions,
  recordKey,
  remainingDelay,
  waitsForAnswer,
  withDependents,
  type Operation,
} from '../operation.ts'
import type { ApiCalls } from '../ports.ts'

/** The first operation of a lane that can be sent now, and those that can be sent right after it. */
export type Sendable = readonly [Operation, ...Operation[]]

/**
 * The operations that can be sent now: the first pending one of each lane, unless it is delayed or
 * depends on an unacknowledged one. An operation that needs attention blocks its dependents and the edits
 * that wait for its answer, not its lane. A deletion follows all that its author did before it: the server
 * would reject what belongs to a deleted record.
 */
export const sendableOperations = (
  operations: readonly Operation[],
  now: number,
  calls: ApiCalls,
): Operation[] => sendableLanes(operations, now, calls).map(([first]) => first)

/**
 * The same, each with those behind it that could be sent once it has arrived, in order: each of them
 * depends on nothing that is open in another lane.
 */
export function sendableLanes(
  operations: readonly Operation[],
  now: number,
  calls: ApiCalls,
): Sendable[] {
  const asked = findQuestions(operations)
  const open = new Set(operations.filter((one) => one.state !== 'acknowledged').map(({ id }) => id))
  const blocked = new Set<string>()
  for (const one of operations)
    if (one.state === 'attention')
      for (const id of withDependents(operations, one.id)) blocked.add(id)
  const lanes = new Map<string, [Operation, ...Operation[]]>()
  /** Lanes in which nothing further can be sent. */
  const ended = new Set<string>()
  const authors = new Set<string>()
  for (const one of operations.toSorted(bySequence)) {
    const lane = JSON.stringify([one.user_id, one.organisation_id, one.lane])
    if (one.state !== 'pending' || blocked.has(one.id) || ended.has(lane)) continue
    const fields = asked.get(recordKey(one))
    if (fields && waitsForAnswer(one, fields, calls)) {
      // The server may have it, so it cannot give up what a later edit sets: that one stays behind it.
      if (one.attempts > 0) for (const name in editOf(one, calls)?.fields) fields.add(name)
      continue
    }
    const before = lanes.get(lane)
    const author = JSON.stringify([one.user_id, one.organisation_id])
    const waits = authors.has(author) && calls[one.endpoint]?.offlinePolicy?.deletes !== undefined
    authors.add(author)
    const dependsOn = (id: string) => open.has(id) && !before?.some((earlier) => earlier.id === id)
    if (waits || remainingDelay(one, now) > 0 || one.depends_on.some(dependsOn)) ended.add(lane)
    else if (before) before.push(one)
    else lanes.set(lane, [one])
  }
  return [...lanes.values()]
}
