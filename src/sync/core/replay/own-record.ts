// A create that is not confirmed, at a server that takes the ids of devices: it has arrived when its record is
// there. Some servers answer a repeat as a violation of the unique id, though they announce keys.
import type { Outcome } from '../api/outcome.ts'
import { policyOf, type Operation } from '../operation.ts'
import type { ApiCalls } from '../ports.ts'
import { isConfirmation } from './keyed.ts'

/** How servers answer a violation of a unique id. */
const VIOLATIONS = new Set([400, 409, 422, 500])

/** The id of the record that the operation creates and its answer does not confirm; undefined for other answers. */
export function unconfirmedId(
  calls: ApiCalls,
  { attempts, endpoint, input }: Operation,
  outcome: Outcome,
): string | undefined {
  const { creates, created } = policyOf(calls, endpoint)
  const isOdd =
    outcome.kind === 'unreachable'
      ? outcome.isTaken
      : outcome.kind === 'answered' && !isConfirmation(calls, { endpoint, input }, outcome)
  const isViolation = attempts > 1 && 'error' in outcome && VIOLATIONS.has(outcome.error.status)
  return created && (isOdd || isViolation) ? creates?.(input) : undefined
}
