// What changed in an organisation since a version, in version order, in pages.
import { sql } from 'kysely'
import { endpoints } from '../../contract/endpoints.ts'
import type { Tx } from '../database.ts'
import { Refusal } from '../refusal.ts'
import { forMembers } from '../route.ts'
import { presentAccount, selectAccounts } from './accounts.ts'
import { presentMember, selectMembers } from './organisation-users.ts'
import { presentUpdate } from './success-plan-updates.ts'
import { presentPlan } from './success-plans.ts'

const PAGE = 1_000

/** The version of the last record of the page, and whether there is more after it. */
async function pageEnd(tx: Tx, organisation_id: string, since: number, newest: number) {
  const { rows } = await sql<{ version: number }>`
    select version from success_plans
      where organisation_id = ${organisation_id} and version > ${since} and version <= ${newest}
    union all select version from success_plan_updates
      where organisation_id = ${organisation_id} and version > ${since} and version <= ${newest}
    union all select version from accounts
      where organisation_id = ${organisation_id} and version > ${since} and version <= ${newest}
    union all select version from organisation_users
      where organisation_id = ${organisation_id} and version > ${since} and version <= ${newest}
    union all select version from tombstones
      where organisation_id = ${organisation_id} and version > ${since} and version <= ${newest}
    order by version offset ${PAGE - 1} limit 2`.execute(tx)
  const [last, after] = rows
  return after && last ? { version: last.version, more: true } : { version: newest, more: false }
}

export const getChanges = forMembers(
  endpoints.getChanges,
  async ({ tx, organisation, query: { since } }) => {
    const { id, first_version, version: newest } = organisation
    // Versions begin at a random height in each database: what is not between is another one's.
    if (since !== 0 && (since < first_version || since > newest))
      throw new Refusal(410, { message: 'This version is not known here. Start again at 0.' })
    const { version, more } = await pageEnd(tx, id, since, newest)
    const changed = <T extends 'success_plans' | 'success_plan_updates' | 'tombstones'>(table: T) =>
      sql<boolean>`${sql.ref(`${table}.version`)} > ${since} and ${sql.ref(`${table}.version`)} <= ${version}`
    const plans = await tx
      .selectFrom('success_plans')
      .selectAll()
      .where('organisation_id', '=', id)
      .where(changed('success_plans'))
      .orderBy('version')
      .execute()
    const updates = await tx
      .selectFrom('success_plan_updates')
      .selectAll()
      .where('organisation_id', '=', id)
      .where(changed('success_plan_updates'))
      .orderBy('version')
      .execute()
    const accounts = await selectAccounts(tx, id)
      .where('accounts.version', '>', since)
      .where('accounts.version', '<=', version)
      .orderBy('accounts.version')
      .execute()
    const members = await selectMembers(tx, id)
      .where('organisation_users.version', '>', since)
      .where('organisation_users.version', '<=', version)
      .orderBy('organisation_users.version')
      .execute()
    const deleted = await tx
      .selectFrom('tombstones')
      .select(['type', 'id'])
      .where('organisation_id', '=', id)
      .where(changed('tombstones'))
      .orderBy('version')
      .execute()
    return {
      data: {
        success_plans: plans.map(presentPlan),
        success_plan_updates: updates.map(presentUpdate),
        accounts: accounts.map(presentAccount),
        organisation_users: members.map(presentMember),
        deleted,
      },
      version,
      more,
    }
  },
)
