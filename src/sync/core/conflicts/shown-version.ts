// Which version of a record an edit is based on that was made with pending operations in view.
import type { Operation } from '../operation.ts'
import { canonical } from './canonical.ts'

/**
 * The version that a user sees in `shown`, which is `stored` with the `operations` on it. Where a pending one covers a
 * value that others have set since, it is the version that this one is based on: an edit that is made now has not
 * seen theirs, and has to be asked about, also if the covering one is confirmed by a stored answer.
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
