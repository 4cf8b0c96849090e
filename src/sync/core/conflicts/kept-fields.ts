import { editOf, type Operation } from '../operation.ts'
import type { ApiCalls } from '../ports.ts'

type Fields = Record<string, unknown>

/**
 * What others have set in the record of an edit and the edit leaves as it is, by field, with what an earlier
 * merge has kept; for the log. Empty where the server does not tell who set a field.
 */
export function keptFields(
  operation: Operation,
  theirs: Fields,
  changed_by: Fields | undefined,
  calls: ApiCalls,
): Pick<Operation, 'kept'> {
  const own = editOf(operation, calls)?.fields ?? {}
  const names = Object.entries(changed_by ?? {})
    .filter(([name, by]) => by !== operation.user_id && own[name] === undefined && name in theirs)
    .map(([name]) => name)
  const kept = {
    ...operation.kept,
    ...Object.fromEntries(names.map((name) => [name, theirs[name]])),
  }
  return Object.keys(kept).length > 0 ? { kept } : {}
}
