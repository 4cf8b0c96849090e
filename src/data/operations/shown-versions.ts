// Apart from the overlay, as it comes with the engine.
import { shownVersion } from '../../sync/core/conflicts/shown-version.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { recordIdOf } from './operation-call.ts'

/** The records as `shown`, which are `stored` with `operations` on them, each with the version that a user sees. */
export function withShownVersions<Rec extends { id: string; version: number }>(
  stored: readonly Rec[],
  shown: readonly Rec[],
  operations: readonly Operation[],
): readonly Rec[] {
  const byRecord = Map.groupBy(operations, recordIdOf)
  const changed = new Map(stored.filter(({ id }) => byRecord.has(id)).map((one) => [one.id, one]))
  return shown.map((record) => {
    const known = changed.get(record.id)
    const version = known
      ? shownVersion(known, record, byRecord.get(record.id) ?? [])
      : record.version
    return version < record.version ? { ...record, version } : record
  })
}
