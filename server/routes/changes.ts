// The changes of an organisation since a version, in version order.
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type * as v from 'valibot'
import { endpoints } from '../../contract/endpoints.ts'
import type { recordSchemas } from '../../contract/resource-schemas.ts'
import { resourceNames, type ResourceName } from '../../contract/resources.ts'
import type { Tx } from '../database/connection.ts'
import { HttpError } from '../errors/http-error.ts'
import { authenticate, readOrganisationId } from '../http/authenticate.ts'
import { findOrganisation, notAMember } from '../domain/organisation.ts'
import { readInput, type Result, type RouteHandler } from '../http/route.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tables } from '../database/tables.ts'
import { presentAccount, selectAccounts } from './accounts.ts'
import { presentMember, selectMembers } from './organisation-users.ts'

const PAGE_SIZE = 1_000

const VERSIONED_TABLES = [...resourceNames, 'tombstones'] as const
type VersionedTable = (typeof VERSIONED_TABLES)[number]

/** Which records are read: those of one organisation that changed between two versions. */
interface Changed {
  tx: Tx
  organisation_id: string
  /** The condition on a table. */
  in: (table: VersionedTable) => RawBuilder<boolean>
}

const rowsOf = async <T extends VersionedTable>(
  { tx, organisation_id, in: changed }: Changed,
  table: T,
) =>
  // All of these tables have the columns that are used here.
  (await tx
    .selectFrom(table as 'success_plans')
    .selectAll()
    .where('organisation_id', '=', organisation_id)
    .where(changed(table))
    .orderBy('version')
    .execute()) as object[] as Selectable<Tables[T]>[]

type Reader = (changed: Changed) => Promise<object[]>

/** Resources whose records are more than the rows of one table. */
const readers: Partial<Record<ResourceName, Reader>> = {
  accounts: async (changed) => {
    const accounts = selectAccounts(changed.tx, changed.organisation_id)
      .where(changed.in('accounts'))
      .orderBy('accounts.version')
    return (await accounts.execute()).map(presentAccount)
  },
  organisation_users: async (changed) => {
    const members = selectMembers(changed.tx, changed.organisation_id)
      .where(changed.in('organisation_users'))
      .orderBy('organisation_users.version')
    return (await members.execute()).map(presentMember)
  },
}

const readRows = async (changed: Changed, name: ResourceName): Promise<object[]> =>
  (await rowsOf(changed, name)).map((row) => presentRecord<ResourceName, typeof row>(name, row))

type Records = { [R in ResourceName]?: v.InferInput<(typeof recordSchemas)[R]>[] }

async function readAll(changed: Changed): Promise<Records> {
  const records: Partial<Record<ResourceName, object[]>> = {}
  for (const name of resourceNames)
    records[name] = await (readers[name]?.(changed) ?? readRows(changed, name))
  // What the readers present has the fields of each schema, as its columns do.
  return records as Records
}

/** The version of the last record of the page, and whether there is more after it. */
async function pageEnd(tx: Tx, organisation_id: string, since: number, newest: number) {
  const versions = VERSIONED_TABLES.map(
    (table) => sql`select version from ${sql.table(table)}
      where organisation_id = ${organisation_id} and version > ${since} and version <= ${newest}`,
  )
  const { rows } = await sql<{ version: number }>`
    ${sql.join(versions, sql` union all `)}
    order by version offset ${PAGE_SIZE - 1} limit 2`.execute(tx)
  const [last, after] = rows
  return after && last ? { version: last.version, more: true } : { version: newest, more: false }
}

/** The page of changes after `since`, in a snapshot: a record that is written meanwhile would be missing. */
async function readPage(tx: Tx, organisation_id: string, since: number) {
  const { version: newest } = await tx
    .selectFrom('organisations')
    .select('version')
    .where('id', '=', organisation_id)
    .executeTakeFirstOrThrow()
  const { version, more } = await pageEnd(tx, organisation_id, since, newest)
  const changed: Changed = {
    tx,
    organisation_id,
    in: (table) =>
      sql`${sql.ref(`${table}.version`)} > ${since} and ${sql.ref(`${table}.version`)} <= ${version}`,
  }
  const records = await readAll(changed)
  const deleted = await rowsOf(changed, 'tombstones')
  return {
    data: { ...records, deleted: deleted.map(({ type, id }) => ({ type, id })) },
    version,
    more,
    latest: newest,
  } satisfies Result<typeof endpoints.getChanges>
}

/**
 * `GET /api/v1/changes?since=N`: records changed and deleted after version N, at most 1,000 in a page, with
 * `version` for the next request and `more`. 410 when N does not belong to this database. All members see the same:
 * after a write all devices ask for the same page, which is read and serialised once.
 */
export const getChanges: RouteHandler = {
  row: endpoints.getChanges,
  async respond(services, context) {
    const user = await authenticate(services, context)
    const organisation_id = readOrganisationId(context.req.raw)
    const { database, pages } = services
    const organisation = await database.tenant(
      organisation_id,
      (tx) => findOrganisation(tx, user.id, organisation_id),
      user.id,
    )
    if (!organisation) throw notAMember()
    const { since } = readInput<typeof endpoints.getChanges>(
      endpoints.getChanges,
      context,
      undefined,
    ).query
    const { first_version, version: newest } = organisation
    // Versions begin at a random height in each database: what is not between is another one's.
    if (since !== 0 && (since < first_version || since > newest))
      throw new HttpError(410, { message: 'This version is not known here. Start again at 0.' })
    return await pages.respond(
      organisation_id,
      newest,
      String(since),
      () => database.tenantSnapshot(organisation_id, (tx) => readPage(tx, organisation_id, since)),
      context.req.header('Accept-Encoding'),
    )
  },
}
