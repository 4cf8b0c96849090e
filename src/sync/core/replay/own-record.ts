// A create that is not confirmed, at a server that takes the ids of devices: it has arrived when its record is
// there. Some servers answer a repeat as a violation of the unique id, though they announce keys.
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import type { ReadCalls } from '../arrival/lookup.ts'
import { policyOf, type Operation } from '../operation.ts'
import type { ApiCalls } from '../ports.ts'
import { readList } from '../pull/list-pull.ts'
import type { ReplicaRecord } from '../replica.ts'
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
      ? outcome.notUnderstood
      : outcome.kind === 'answered' && !isConfirmation(calls, { endpoint, input }, outcome)
  const isViolation = attempts > 1 && 'error' in outcome && VIOLATIONS.has(outcome.error.status)
  return created && (isOdd || isViolation) ? creates?.(input) : undefined
}

/** The record with that id by its single read, else from its list. */
export async function readOwn(
  http: Http,
  { collectionOf, lists, partOf, parts, records }: ReadCalls['sources'],
  operation: Operation,
  id: string,
): Promise<ReplicaRecord | undefined> {
  const name = collectionOf(operation) ?? ''
  const part = partOf(operation)
  const single = part ? undefined : records[name]
  if (single) {
    const outcome = await http.call(single.call, single.input(id), { caller: operation })
    return outcome.kind === 'answered' ? (outcome.value as ReplicaRecord) : undefined
  }
  const call = part ? parts[name]?.call : lists[name]
  if (!call) return undefined
  let found: ReplicaRecord | undefined
  const ofPart = part ? (parts[name]?.input(part.partition) ?? {}) : {}
  await readList(http, operation, call, ofPart, async (page) => {
    found = page.records.find((record) => record.id === id)
    return found === undefined
  })
  return found
}
