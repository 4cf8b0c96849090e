// The version on which an edit is based when its author saw the record with pending operations applied.
import type { Operation } from '../operation.ts'
import { canonical } from './canonical.ts'

/**
 * The version that a user sees in `shown`, which is `stored` with the `operations` applied. A pending operation may
 * hide a value that others have set since. Then this is the version that the operation is based on: the author of an
 * edit made now has not seen their value and has to be asked, even if a stored answer confirms the operation.
 */
export function shownVersion(
  stored: object,
  shown: { version: number },
  operations: readonly Operation[],
): number {
  const pending = operations.filter(({ state }) => state === 'pending')
  const known = pending.flatMap(({ base, input }) => [base?.fields, input.body])
  const isCovered = (name: string) => {
    const value = canonical((stored as Record<string, unknown>)[name])
    return known.every((one) => {
      const fields = (one ?? {}) as Record<string, unknown>
      return !(name in fields) || canonical(fields[name]) !== value
    })
  }
  const older = pending.flatMap(({ base }) => (base && base.version < shown.version ? [base] : []))
  const covering = older.filter(({ fields }) => Object.keys(fields).some(isCovered))
  return Math.min(shown.version, ...covering.map(({ version }) => version))
}
