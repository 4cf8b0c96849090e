// New versions for a database that is older than what devices have seen of it, so that they notice.
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { markChanged } from '../../database/change-bus.ts'
import type { Tx } from '../../database/connection.ts'
import { NoRoomError, lackOfRoom, tableBytes } from './room.ts'

/**
 * Versions are raised by a random multiple of this: a device may have seen versions after the backup, or after
 * another restore of it, and must not take new ones for those. Versions stay exact in a double over 8,000 restores.
 */
const VERSION_STEP = 1_000_000
const MAX_VERSION_STEPS = 1_000_000

/** Tables of organisations whose rows have versions. */
async function versionedTables(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and (
      select count(*) = 2 from pg_attribute
      where attrelid = pg_class.oid and not attisdropped
        and attname in ('organisation_id', 'version')
    )
    order by relname`.execute(tx)
  return rows.map(({ name }) => name)
}

/**
 * Gives the rows of each organisation new versions above all that devices know, in the same order and without gaps,
 * and returns the number of organisations. `first_version` is below all of them: devices with an earlier one download
 * everything once. Versions in `field_changes` stay, since a write that names one below `first_version` is stale.
 * Throws NoRoomError when the disk of the database has no room: until it is vacuumed each row is there twice.
 */
export async function raiseVersions(
  tx: Tx,
  freeBytes: () => number = () => Infinity,
): Promise<number> {
  const about = { bytes: await tableBytes(tx), freeBytes: freeBytes() }
  const lack = lackOfRoom('on the disk of the database', about)
  if (lack !== undefined)
    throw new NoRoomError(`There is no room for new versions of all records: that ${lack}`)
  // Until the transaction ends no one else takes a version.
  await tx.selectFrom('organisations').select('id').orderBy('id').forNoKeyUpdate().execute()
  const raise = randomInt(1, MAX_VERSION_STEPS) * VERSION_STEP
  const tables = await versionedTables(tx)
  const versions = tables.map(
    (table) => sql`select ${sql.lit(table)}::text as name, ctid as row, organisation_id, version
      from ${sql.table(table)}`,
  )
  const updates = tables.map(
    (table) => sql`${sql.ref(`raised_${table}`)} as (
      update ${sql.table(table)} as entry
      set version = organisations.version + ${raise}::bigint + numbered.place
      from numbered join organisations on organisations.id = numbered.organisation_id
      where numbered.name = ${sql.lit(table)} and entry.ctid = numbered.row
    )`,
  )
  const { rows } = await sql<{ id: string; version: number }>`
    with numbered as materialized (
      select name, row, organisation_id,
        row_number() over (partition by organisation_id order by version) as place
      from (${sql.join(versions, sql` union all `)}) as versions
    ),
    counted as (select organisation_id, count(*) as rows from numbered group by organisation_id),
    ${sql.join(updates)}
    update organisations
    set first_version = organisations.version + ${raise}::bigint,
      version = organisations.version + ${raise}::bigint + coalesce(counted.rows, 0)
    from organisations as those left join counted on counted.organisation_id = those.id
    where those.id = organisations.id
    returning organisations.id, organisations.version`.execute(tx)
  for (const { id, version } of rows) markChanged(tx, id, version)
  return rows.length
}
