// The changes of an organisation since a version, in version order.
import { sql, type Selectable } from 'kysely'
import { endpoints } from '../../contract/endpoints.ts'
import type { Tx } from '../database/database.ts'
import { HttpError } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import type { Tables } from '../database/tables.ts'
import { presentAction } from './actions.ts'
import { presentAccount, selectAccounts } from './accounts.ts'
import { presentInitiative } from './initiatives.ts'
import { presentMember, selectMembers } from './organisation-users.ts'
import { presentUpdate } from './success-plan-updates.ts'
import { presentPlan } from './success-plans.ts'
import { presentTemplate } from './templates.ts'

const PAGE_SIZE = 1_000

/** Where the records of a collection stand, each with a version. */
const VERSIONED_TABLES = [
  'success_plans',
  'success_plan_updates',
  'accounts',
  'initiatives',
  'actions',
  'templates',
  'organisation_users',
  'tombstones',
] as const

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

/**
 * `GET /api/v1/changes?since=N`: records changed and deleted after version N, at most 1,000 in a page, with
 * `version` for the next request and `more`. 410 when N does not belong to this database.
 */
export const getChanges = memberRoute(
  endpoints.getChanges,
  async ({ tx, organisation, query: { since } }) => {
    const { id, first_version, version: newest } = organisation
    // Versions begin at a random height in each database: what is not between is another one's.
    if (since !== 0 && (since < first_version || since > newest))
      throw new HttpError(410, { message: 'This version is not known here. Start again at 0.' })
    const { version, more } = await pageEnd(tx, id, since, newest)
    const changed = (table: (typeof VERSIONED_TABLES)[number]) =>
      sql<boolean>`${sql.ref(`${table}.version`)} > ${since} and ${sql.ref(`${table}.version`)} <= ${version}`
    const rowsOf = <
      T extends
        | 'success_plans'
        | 'success_plan_updates'
        | 'initiatives'
        | 'actions'
        | 'templates'
        | 'tombstones',
    >(
      table: T,
    ) =>
      tx
        .selectFrom(table as 'success_plans')
        .selectAll()
        .where('organisation_id', '=', id)
        .where(changed(table))
        .orderBy('version')
        .execute() as unknown as Promise<Selectable<Tables[T]>[]>
    const accounts = await selectAccounts(tx, id)
      .where(changed('accounts'))
      .orderBy('accounts.version')
      .execute()
    const members = await selectMembers(tx, id)
      .where(changed('organisation_users'))
      .orderBy('organisation_users.version')
      .execute()
    const deleted = await rowsOf('tombstones')
    return {
      data: {
        success_plans: (await rowsOf('success_plans')).map(presentPlan),
        success_plan_updates: (await rowsOf('success_plan_updates')).map(presentUpdate),
        accounts: accounts.map(presentAccount),
        initiatives: (await rowsOf('initiatives')).map(presentInitiative),
        actions: (await rowsOf('actions')).map(presentAction),
        templates: (await rowsOf('templates')).map(presentTemplate),
        organisation_users: members.map(presentMember),
        deleted: deleted.map(({ type, id }) => ({ type, id })),
      },
      version,
      more,
      latest: newest,
    }
  },
)
