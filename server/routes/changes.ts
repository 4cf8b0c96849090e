// The changes of an organisation since a version, in version order.
import type { Context } from 'hono'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type * as v from 'valibot'
import { endpoints } from '../../contract/endpoints.ts'
import type { recordSchemas } from '../../contract/resource-schemas.ts'
import { resourceNames, type ResourceName } from '../../contract/resources.ts'
import type { Tx } from '../database/connection.ts'
import { HttpError } from '../errors/http-error.ts'
import { notAMember, type OrganisationScope } from '../domain/organisation.ts'
import { lastingAccess } from '../http/access/lasting-access.ts'
import { enterAsMember, identify } from '../http/access/sender.ts'
import { outgoingOf } from '../http/access/unsent-answers.ts'
import { readOrganisationId } from '../http/authenticate.ts'
import { readInput, type Result, type RouteHandler } from '../http/route.ts'
import type { Services } from '../http/services.ts'
import { acceptsGzip, answerPage } from '../http/sync/shared-pages.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tables } from '../database/tables.ts'
import { presentAccount, selectAccounts } from './accounts.ts'
import { presentMember, selectMembers } from './organisation-users.ts'

const PAGE_SIZE = 1_000
/** Of the rows of a page as JSON, unless one row alone has more. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024
/** How many pages after the next one a page announces: over a slow line each would wait for the one before. */
const ANNOUNCED_PAGES = 2

const EVENT_STREAM = 'text/event-stream'
const STREAM_HEADERS = {
  'Content-Type': EVENT_STREAM,
  'Content-Encoding': 'gzip',
  Vary: 'Accept, Accept-Encoding',
  // Keeps nginx and others from buffering the stream.
  'X-Accel-Buffering': 'no',
}

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
type Changes = Records & { deleted: Pick<Selectable<Tables['tombstones']>, 'type' | 'id'>[] }

const NO_RECORDS = Object.fromEntries(resourceNames.map((name) => [name, []])) as Records

/** The changes in some tables. */
async function readAll(changed: Changed, tables: readonly VersionedTable[]): Promise<Changes> {
  const records: Partial<Record<ResourceName, object[]>> = {}
  for (const name of resourceNames)
    if (tables.includes(name))
      records[name] = await (readers[name]?.(changed) ?? readRows(changed, name))
  const tombstones = tables.includes('tombstones') ? await rowsOf(changed, 'tombstones') : []
  const deleted = tombstones.map(({ type, id }) => ({ type, id }))
  // What the readers present has the fields of each schema, as its columns do.
  return { ...(records as Records), deleted }
}

/** An interval of versions: above `since`, up to `until`. */
interface Interval {
  since: number
  until: number
}

/**
 * In which tables the first `limit` changes of the interval are, the version of the last of them, whether it has
 * more, and after which versions up to `announced` further pages begin.
 */
async function findChanges(
  tx: Tx,
  organisation_id: string,
  { since, until }: Interval,
  limit: number,
  announced = 0,
) {
  const versions = VERSIONED_TABLES.map(
    (table) => sql`select ${sql.lit(table)}::text as name, version from ${sql.table(table)}
      where organisation_id = ${organisation_id} and version > ${since} and version <= ${until}`,
  )
  const { rows } = await sql<{
    names: VersionedTable[] | null
    last: number | null
    more: boolean
    next: number[] | null
  }>`
    with changed as (
      select name, version, row_number() over (order by version) as place
      from (${sql.join(versions, sql` union all `)}) as versions
      order by version limit ${limit * (1 + announced) + 1}
    )
    select
      (select array_agg(distinct name) from changed where place <= ${limit}) as names,
      (select version from changed where place = ${limit}) as last,
      (select count(*) > ${limit} from changed) as more,
      (select json_agg(version order by version) from changed
        where place > ${limit} and place % ${sql.lit(limit)} = 0
          and place < (select count(*) from changed)) as next`.execute(tx)
  const { names, last, more, next } = rows[0] ?? {
    names: null,
    last: null,
    more: false,
    next: null,
  }
  return {
    tables: names ?? [],
    last: more && last !== null ? last : until,
    more,
    next: next ?? [],
  }
}

/**
 * The version with which a page of the interval has to end, where its rows in those tables have more than
 * MAX_PAGE_BYTES; undefined otherwise.
 */
async function findEnd(
  tx: Tx,
  organisation_id: string,
  { since, until }: Interval,
  tables: readonly VersionedTable[],
): Promise<number | undefined> {
  if (tables.length === 0) return undefined
  const sizes = tables.map(
    (table) => sql`select version, octet_length(row_to_json(entry)::text) as bytes
      from ${sql.table(table)} as entry
      where organisation_id = ${organisation_id} and version > ${since} and version <= ${until}`,
  )
  const fits = sql`total <= ${sql.lit(MAX_PAGE_BYTES)}`
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(version) filter (where ${fits}), min(version)) as last
    from (
      select version, sum(bytes) over (order by version) as total
      from (${sql.join(sizes, sql` union all `)}) as sizes
    ) as totals
    having not bool_and(${fits}) and min(version) < max(version)`.execute(tx)
  return rows[0]?.last
}

const changedIn = (tx: Tx, organisation_id: string, { since, until }: Interval): Changed => ({
  tx,
  organisation_id,
  in: (table) =>
    sql`${sql.ref(`${table}.version`)} > ${since} and ${sql.ref(`${table}.version`)} <= ${until}`,
})

/** The organisation's versions; undefined when it is deleted. */
const readVersions = (tx: Tx, organisation_id: string) =>
  tx
    .selectFrom('organisations')
    .select(['version', 'first_version'])
    .where('id', '=', organisation_id)
    .executeTakeFirst()

/** The page of changes after `since`, in a snapshot: a record that is written meanwhile would be missing. */
async function readPage(tx: Tx, organisation_id: string, since: number) {
  const versions = await readVersions(tx, organisation_id)
  if (!versions) throw notAMember()
  const interval = { since, until: versions.version }
  const { tables, ...whole } = await findChanges(
    tx,
    organisation_id,
    interval,
    PAGE_SIZE,
    ANNOUNCED_PAGES,
  )
  const end = await findEnd(tx, organisation_id, { since, until: whole.last }, tables)
  const { last, more, next } = end === undefined ? whole : { last: end, more: true, next: [] }
  const data = await readAll(changedIn(tx, organisation_id, { since, until: last }), tables)
  return {
    data: { ...NO_RECORDS, ...data },
    version: last,
    more,
    latest: versions.version,
    ...(next.length > 0 && { next }),
  } satisfies Result<typeof endpoints.getChanges>
}

/** An event has at most so many records. */
const MAX_EVENT_RECORDS = 16

/**
 * The organisation's version, undefined if it is deleted, and the changes of `interval`, if it has them and few. None
 * across a raise of its versions: a device must notice that, and delete what is not there any more.
 */
export async function readEvent(tx: Tx, organisation_id: string, interval?: Interval) {
  const versions = await readVersions(tx, organisation_id)
  if (!versions) return undefined
  const { version, first_version } = versions
  if (!interval || interval.until > version || interval.since < first_version) return { version }
  const { tables, more } = await findChanges(tx, organisation_id, interval, MAX_EVENT_RECORDS)
  const changed = changedIn(tx, organisation_id, interval)
  return more ? { version } : { version, changes: await readAll(changed, tables) }
}

/** The page after `since`, which all members share. Throws a 410 HttpError for a version of another database. */
async function findPage(services: Services, organisation: OrganisationScope, since: number) {
  const { id, first_version, version } = organisation
  // Versions begin at a random height in each database: what is not between is another one's.
  if (since !== 0 && (since < first_version || since > version))
    throw new HttpError(410, { message: 'This version is not known here. Start again at 0.' })
  return services.pages.find(id, version, since, () =>
    services.database.tenantSnapshot(id, (tx) => readPage(tx, id, since)),
  )
}

/** Whether a device takes all pages in one answer. HEAD asks for none. */
const takesStream = ({ req }: Context): boolean =>
  req.method === 'GET' &&
  (req.header('Accept') ?? '').includes(EVENT_STREAM) &&
  acceptsGzip(req.header('Accept-Encoding'))

/**
 * `GET /api/v1/changes?since=N`: records changed and deleted after version N, at most 1,000 and about 2 MB in a
 * page, with `version` for the next request, `more`, and where further pages begin. 410 when N does not belong to this
 * database. All members see the same: after a write all devices ask for the same page, which is read and
 * serialised once. With `Accept: text/event-stream` all pages after N, each as an event `page` (see `PageStreams`), or
 * one page as JSON where the user has too many streams.
 */
export const getChanges: RouteHandler = {
  row: endpoints.getChanges,
  async respond(services, context) {
    const { pageStreams } = services
    const sender = await identify(services, context)
    /** After the access, so that only members learn what is not valid. */
    const readSince = () =>
      readInput<typeof endpoints.getChanges>(endpoints.getChanges, context, undefined).query.since
    const place = takesStream(context) ? pageStreams.reserve(sender.user_id) : undefined
    if (!place) {
      const { organisation } = await enterAsMember(sender, readOrganisationId(context.req.raw))
      const page = await findPage(services, organisation, readSince())
      return answerPage(page, context.req.header('Accept-Encoding'))
    }
    let end = place
    try {
      const access = lastingAccess(services, context, sender)
      end = () => {
        access.stop()
        place()
      }
      const organisation = await access.enter()
      const since = readSince()
      // What is wrong is answered with its status.
      await findPage(services, organisation, since)
      const body = pageStreams.open(since, {
        read: async (at) => findPage(services, await access.enter(), at),
        count: context.get('count_unsent'),
        end,
        disconnect: () => outgoingOf(context)?.destroy(),
      })
      return new Response(body, { headers: STREAM_HEADERS })
    } catch (error) {
      end()
      throw error
    }
  },
}
