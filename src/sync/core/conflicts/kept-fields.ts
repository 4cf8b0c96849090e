import { editOf, type Operation } from '../operation.ts'
import type { ApiCalls } from '../ports.ts'

type Fields = Record<string, unknown>

/**
 * What was set elsewhere in the record of an edit and the edit leaves as it is, by field, with what an earlier
 * merge has kept; for the log. `names`: the fields that were set elsewhere, `theirs`: the record with them.
 */
export function keptFields(
  operation: Operation,
  theirs: Fields,
  names: readonly string[],
  calls: ApiCalls,
): Pick<Operation, 'kept'> {
  const own = editOf(operation, calls)?.fields ?? {}
  const kept = { ...operation.kept }
  for (const name of names) if (own[name] === undefined && name in theirs) kept[name] = theirs[name]
  return Object.keys(kept).length > 0 ? { kept } : {}
}
