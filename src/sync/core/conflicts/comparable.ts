// Which record an operation changes, and whether it can be compared with that record as it is now.
import { editOf, type Operation } from '../operation.ts'
import type { ApiCalls } from '../ports.ts'
import type { SentEntry } from '../sent-log.ts'

/** The id of the record that an operation edits or deletes; undefined when it does neither. */
export const changedId = ({ endpoint, input }: Operation, calls: ApiCalls): string | undefined =>
  editOf({ endpoint, input }, calls)?.id ?? calls[endpoint]?.offlinePolicy?.deletes?.(input)

/** Whether it can be compared with `theirs`: it has a base, and the record is newer than that. */
export function isComparable(
  operation: Operation,
  theirs: Record<string, unknown>,
  calls: ApiCalls,
): boolean {
  const { base } = operation
  // With an unchanged record the rejection has another reason.
  const isChanged =
    typeof theirs.version === 'number' &&
    // A server without versions rejects none: its record was read and compared.
    (theirs.version === 0 || theirs.version !== base?.version)
  return base !== undefined && theirs.id === changedId(operation, calls) && isChanged
}

/** The lane of an operation, also of one in the log: it names the record that is edited. */
export const laneOf = (
  { endpoint, input }: Operation | SentEntry,
  calls: ApiCalls,
): string | undefined => calls[endpoint]?.offlinePolicy?.lane(input)

/** Whether an edit was based on what its author saw at the base of another one or later, and has not arrived. */
export const isShownLately = (
  { base, state }: Operation,
  other: Pick<Operation, 'base'>,
): boolean => state !== 'acknowledged' && (base?.version ?? 0) >= (other.base?.version ?? 0)
