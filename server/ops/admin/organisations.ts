// What an operator does with organisations.
import { sql } from 'kysely'
import { resourceNames } from '../../../contract/resources.ts'
import { isUuid } from '../../../contract/schemas/fields.ts'
import type { Tx } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { removeOrganisation } from '../../domain/organisation.ts'
import { raiseVersions } from '../backups/raise-versions.ts'
import { AdminError, type AdminAnswer } from './request.ts'

const ROWS_PER_PAGE = 500

/** All organisations, by name. */
export async function listOrganisations(database: Database): Promise<AdminAnswer> {
  const rows = await database.system((tx) =>
    tx
      .selectFrom('organisations')
      .innerJoin('users', 'users.id', 'organisations.user_id')
      .select((row) => [
        'organisations.id',
        'organisations.name',
        'users.email as owner',
        'organisations.plan',
        'organisations.created_at',
        row
          .selectFrom('organisation_users')
          .whereRef('organisation_users.organisation_id', '=', 'organisations.id')
          .select((members) => members.fn.countAll<number>().as('count'))
          .as('members'),
      ])
      .orderBy('organisations.name')
      .orderBy('organisations.id')
      .execute(),
  )
  return {
    rows: rows.map(({ members, ...organisation }) => ({
      ...organisation,
      members: members ?? 0,
    })),
  }
}

/** The organisation with this id or, where only one has it, this name. Throws AdminError. */
async function requireOrganisation(tx: Tx, text: string) {
  const found = await tx
    .selectFrom('organisations')
    .selectAll()
    .where((is) => is.or([is('name', '=', text), ...(isUuid(text) ? [is('id', '=', text)] : [])]))
    .orderBy('id')
    .execute()
  const [organisation] = found
  if (!organisation)
    throw new AdminError(`There is no organisation ${text}. “organisation list” names them all.`)
  if (found.length > 1)
    throw new AdminError(
      `${found.length} organisations are called ${text}. Name one by its id: ${found.map(({ id }) => id).join(', ')}.`,
    )
  return organisation
}

/**
 * After a restore of which the server does not know: devices notice it, and download everything once. Throws
 * NoRoomError.
 */
export async function raiseAllVersions(database: Database): Promise<AdminAnswer> {
  const organisations = await database.system(
    (tx) => raiseVersions(tx, database.freeBytes),
    'every record',
  )
  const message = `The versions of ${organisations} ${organisations === 1 ? 'organisation' : 'organisations'} were raised. Every device downloads everything once.`
  return { message, details: { organisations } }
}

/** Deletes an organisation with all its records. Says what it would do unless `confirmed`. Throws AdminError. */
export async function deleteOrganisation(
  database: Database,
  { organisation: text, confirmed }: { organisation: string; confirmed: boolean },
): Promise<AdminAnswer> {
  return database.system(async (tx) => {
    const { id, name } = await requireOrganisation(tx, text)
    const { count } = await tx
      .selectFrom('success_plans')
      .where('organisation_id', '=', id)
      .select((rows) => rows.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const what = `“${name}” (${id}) with ${count} ${count === 1 ? 'plan' : 'plans'}`
    if (!confirmed)
      throw new AdminError(
        `${what} would be deleted for good, with all its records; its members keep their accounts. Nothing was done: repeat it with --yes.`,
      )
    await removeOrganisation(tx, id)
    return { message: `${what} was deleted.`, details: { id, name, plans: count } }
  })
}

/**
 * Writes an organisation as one JSON document: `organisation`, `people` (members, and who else wrote in it) and
 * `records`, each kind of record with all its rows as they are stored. Throws AdminError.
 */
export async function exportOrganisation(
  database: Database,
  text: string,
  write: (part: string) => Promise<void>,
): Promise<void> {
  await database.snapshot(async (tx) => {
    const {
      version: _version,
      first_version: _first,
      ...organisation
    } = await requireOrganisation(tx, text)
    const { id } = organisation
    const people = await tx
      .selectFrom('users')
      .leftJoin('organisation_users', (join) =>
        join
          .onRef('organisation_users.user_id', '=', 'users.id')
          .on('organisation_users.organisation_id', '=', id),
      )
      .select(['users.id', 'users.name', 'users.email', 'organisation_users.role'])
      .where((is) =>
        is.or([
          is('organisation_users.id', 'is not', null),
          is.exists(
            is
              .selectFrom('success_plan_updates')
              .select('success_plan_updates.id')
              .where('success_plan_updates.organisation_id', '=', id)
              .whereRef('success_plan_updates.user_id', '=', 'users.id'),
          ),
        ]),
      )
      .orderBy('users.id')
      .execute()
    await write(`{"organisation":${JSON.stringify(organisation)},\n`)
    await write(`"people":${JSON.stringify(people)},\n"records":{`)
    let separator = ''
    for (const table of resourceNames.filter((name) => name !== 'organisation_users')) {
      await write(`${separator}\n"${table}":[`)
      await writeRows(tx, table, id, write)
      await write(']')
      separator = ','
    }
    await write('}}\n')
  })
}

async function writeRows(
  tx: Tx,
  table: string,
  organisation_id: string,
  write: (part: string) => Promise<void>,
): Promise<void> {
  let separator = ''
  for (let after: string | undefined; ;) {
    const rest = after === undefined ? sql`true` : sql`id > ${after}`
    const page = sql<{ id: string; line: string }>`
      select id, (to_jsonb(entry) - 'organisation_id')::text as line
      from ${sql.table(table)} as entry
      where organisation_id = ${organisation_id} and ${rest}
      order by id limit ${sql.lit(ROWS_PER_PAGE)}`
    const { rows } = await page.execute(tx)
    for (const { line } of rows) {
      await write(`${separator}\n${line}`)
      separator = ','
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
