// Creating, deleting and referencing records, the same for every kind.
import { sql, type RawBuilder } from 'kysely'
import {
  resourceOf,
  resources,
  withArticle,
  type AuthoredResource,
  type ParentResource,
  type ResourceName,
} from '../../contract/resources.ts'
import type { Tx } from '../database/connection.ts'
import { invalid } from '../errors/http-error.ts'
import { nextVersion, type OrganisationScope } from './organisation.ts'

/** A record that a create names. */
interface Named {
  organisation: Pick<OrganisationScope, 'id'>
  user: { id: string }
  id: string
}

/** What is stored under that id: its author, null without a record, and whether the record was deleted. */
interface Stored {
  author: string | null
  is_deleted: boolean
}

/** A subquery of `Stored`, to be read with another record or alone. */
export const storedUnder = (
  kind: AuthoredResource,
  { organisation, id }: Pick<Named, 'organisation' | 'id'>,
) => sql<Stored>`json_build_object(
  'author', (
    select ${sql.ref(resources[kind].author)} from ${sql.table(kind)}
    where organisation_id = ${organisation.id} and id = ${id}
  ),
  'is_deleted', exists (
    select from tombstones
    where organisation_id = ${organisation.id} and type = ${kind} and id = ${id}
  )
)`

/**
 * Whether this author already created the record. Throws a 422 HttpError when the id belongs to another author's
 * record or to a deleted record.
 */
export function isOwn({ author, is_deleted }: Stored, user: Named['user']): boolean {
  if (is_deleted) throw invalid({ id: ['The record with this id was deleted.'] })
  if (author !== null && author !== user.id) throw invalid({ id: ['This id is taken.'] })
  return author !== null
}

/** As `isOwn`, for the record with this id. */
export async function wasCreated(tx: Tx, kind: AuthoredResource, about: Named): Promise<boolean> {
  const { stored } = await tx
    .selectNoFrom(storedUnder(kind, about).as('stored'))
    .executeTakeFirstOrThrow()
  return isOwn(stored, about.user)
}

/** PostgreSQL allows 65,535 parameters in a statement, and no row has more than 60 columns. */
const CHUNK_ROWS = 1_000

/** The rows in chunks of at most 1,000, so that one statement can write each. */
export function* chunked<T>(rows: readonly T[], size = CHUNK_ROWS): Generator<T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size)
}

interface Update {
  table: ResourceName
  /** The records that have `value` in this column; with `account_id`, only those of that account. */
  where: { column: string; value: string; account_id?: string }
  set: RawBuilder<unknown>
  now: string
}

/** Changes many records in one statement, each with a new version. Returns their ids. */
export async function updateAll(
  tx: Tx,
  organisation_id: string,
  { table, where: { column, value, account_id }, set, now }: Update,
): Promise<string[]> {
  const found = await tx
    .selectFrom(table as 'actions')
    .where('organisation_id', '=', organisation_id)
    .where(column as 'initiative_id', '=', value)
    .$if(account_id !== undefined, (rows) => rows.where('account_id', '=', account_id ?? null))
    .select('id')
    .execute()
  if (found.length === 0) return []
  const before = (await nextVersion(tx, organisation_id, found.length)) - found.length
  const isOfAccount = account_id === undefined ? sql`true` : sql`account_id = ${account_id}`
  await sql`
    update ${sql.table(table)} as record
    set ${set}, version = ${before} + own.position, updated_at = ${now}
    from (
      select id, row_number() over (order by id) as position from ${sql.table(table)}
      where organisation_id = ${organisation_id} and ${sql.ref(column)} = ${value}
        and ${isOfAccount}
    ) as own
    where record.organisation_id = ${organisation_id} and record.id = own.id`.execute(tx)
  return found.map(({ id }) => id)
}

/**
 * The account of work that moves from one plan to another: that of the new plan if it had that of the old one, as work
 * from a template has, else its own.
 */
export const accountAfterMove = (
  organisation_id: string,
  { from, to }: { from: string | null; to: string | null },
) => {
  const accountOf = (plan_id: string | null) =>
    sql`(select plan.account_id from success_plans as plan
      where plan.organisation_id = ${organisation_id} and plan.id = ${plan_id})`
  return sql<string | null>`case when ${to !== null} and account_id = ${accountOf(from)}
    then ${accountOf(to)} else account_id end`
}

/** Deletes records and inserts a tombstone for each, so that devices delete their copies. */
export async function deleteWithTombstones(
  tx: Tx,
  organisation_id: string,
  type: ResourceName,
  ids: readonly string[],
): Promise<void> {
  for (const chunk of chunked(ids)) {
    const newest = await nextVersion(tx, organisation_id, chunk.length)
    const tombstones = chunk.map((id, index) => ({
      organisation_id,
      type,
      id,
      version: newest - chunk.length + 1 + index,
    }))
    await tx.insertInto('tombstones').values(tombstones).execute()
    await tx
      .deleteFrom(type)
      .where('organisation_id', '=', organisation_id)
      .where('id', 'in', chunk)
      .execute()
  }
}

/** Throws a 422 HttpError on `field` when the user is not a member. Null and undefined pass. */
export async function requireMember(
  tx: Tx,
  organisation_id: string,
  field: string,
  user_id: string | null | undefined,
): Promise<void> {
  if (user_id === null || user_id === undefined) return
  const member = await tx
    .selectFrom('organisation_users')
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .select('id')
    .executeTakeFirst()
  if (!member) throw invalid({ [field]: ['Choose a member of the organisation.'] })
}

const missingMessage = (kind: ParentResource) => {
  const label = kind === 'success_plans' ? 'success plan' : resources[kind].label
  return `Choose ${withArticle(label)} of the organisation.`
}

/** Throws a 422 HttpError on `field` when the organisation has no such record. Null and undefined pass. */
export async function requireRecord(
  tx: Tx,
  organisation_id: string,
  kind: ParentResource,
  field: string,
  id: string | null | undefined,
): Promise<void> {
  if (id === null || id === undefined) return
  const record = await tx
    .selectFrom(kind)
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst()
  if (!record) throw invalid({ [field]: [missingMessage(kind)] })
}

/**
 * Throws a 422 HttpError on the first field of the resource that names a record or a member that the
 * organisation does not have. Fields that are absent or null are not checked, nor those that are as `stored`: that
 * record may be deleted by now.
 */
export async function requireReferences(
  tx: Tx,
  organisation_id: string,
  resource: ResourceName,
  fields: object,
  stored: object = {},
): Promise<void> {
  const { parents = {}, owner } = resourceOf(resource)
  const known = new Map(Object.entries(stored))
  const ids: Record<string, string | null | undefined> = Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => value !== known.get(field)),
  )
  for (const [field, parent] of Object.entries(parents))
    await requireRecord(tx, organisation_id, parent as ParentResource, field, ids[field])
  if (owner !== undefined) await requireMember(tx, organisation_id, owner, ids[owner])
}

/** The position after all others of the same parent. */
export async function nextPosition(
  tx: Tx,
  kind: 'initiatives' | 'actions',
  organisation_id: string,
  parent: { column: 'success_plan_id' | 'initiative_id'; id: string | null },
): Promise<number> {
  const last = await tx
    .selectFrom(kind)
    .where('organisation_id', '=', organisation_id)
    .where(parent.column as 'success_plan_id', parent.id === null ? 'is' : '=', parent.id)
    .orderBy('position', 'desc')
    .select('position')
    .limit(1)
    .executeTakeFirst()
  return Math.floor(last?.position ?? 0) + 1
}
