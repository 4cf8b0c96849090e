// If-Match (RFC 9110, 13.1.1) on a record's version: a write that is based on an older version is rejected.
// Versions that only derived values have moved, such as counts, do not make a write stale.
import { sql } from 'kysely'
import type { ResourceName } from '../../contract/resources.ts'
import type { Tx } from '../database/connection.ts'
import { badRequest, staleVersion } from '../errors/http-error.ts'

const HEADER = /^(?:\*|(?:W\/)?"\d{1,16}"(?:\s*,\s*(?:W\/)?"\d{1,16}")*)$/

/** The strong ETag of a version. */
export const etagOf = (version: number): string => `"${version}"`

/** 400: the header is not understood. */
export const malformedIfMatch = () => badRequest('If-Match must be the ETag of the record.')

/** By field, or `*` for all: the version in which it was last set, and by whom. */
type FieldChanges = Record<string, [version: number, user_id: string | null]>

/** What counts as changed beside the fields of a record: by name, who wrote it after that version. */
type OthersSince = (seen: number) => Promise<Record<string, string | null>>

/**
 * Throws an HttpError: 400 when the header is malformed; 412 with the record when a field was set after the version
 * that it names. `changed_by` then has these fields and who set them, where that is known, and the result of
 * `othersSince`, which is called only for a newer version. Weak tags match as well, because compression weakens the
 * ETag of a response.
 */
export async function requireMatch(
  tx: Tx,
  ifMatch: string | null,
  resource: ResourceName,
  record: { id: string; version?: number },
  othersSince: OthersSince = async () => ({}),
): Promise<void> {
  if (ifMatch === null || ifMatch === '*') return
  if (!HEADER.test(ifMatch)) throw malformedIfMatch()
  const version = record.version ?? 0
  // A version above the record's comes from another database.
  const named = [...ifMatch.matchAll(/\d+/g)].map(Number).filter((one) => one <= version)
  if (named.includes(version)) return
  const { field_changes: changes, first_version } = await fieldChanges(tx, resource, record.id)
  // A version below the first one is from before a restore: nothing says what it had in each field.
  const known = named.filter((one) => one >= first_version)
  const seen = Math.max(...known)
  const newer = Object.entries(changes).filter(([, [changed]]) => changed > seen)
  const isComparable = known.length > 0 && newer.every(([field]) => field !== '*')
  const changed_by = {
    ...Object.fromEntries(newer.map(([field, [, user_id]]) => [field, user_id])),
    ...(isComparable && (await othersSince(seen))),
  }
  if (isComparable && Object.keys(changed_by).length === 0) return
  throw staleVersion(record, isComparable ? changed_by : undefined)
}

/** Row level security limits it to the organisation of the request. */
async function fieldChanges(tx: Tx, resource: ResourceName, id: string) {
  const { rows } = await sql<{ field_changes: FieldChanges; first_version: number }>`
    select field_changes, first_version
    from ${sql.table(resource)} as entry
      join organisations on organisations.id = entry.organisation_id
    where entry.id = ${id}`.execute(tx)
  return rows[0] ?? { field_changes: {}, first_version: 0 }
}
