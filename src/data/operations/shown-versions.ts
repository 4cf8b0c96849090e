// Separate from the overlay, which the first screen loads: this comes with the engine.
import { shownVersion } from '../../sync/core/conflicts/shown-version.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { recordIdOf } from './operation-call.ts'

/** `shown` (`stored` with `operations` applied), each record with its `shownVersion`. */
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
