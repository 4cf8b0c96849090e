// The end of a membership: what somebody leaves behind goes to others, and nothing is lost with them.
import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { deleteWithTombstones } from './records.ts'
import { nextVersion } from './organisation.ts'

const MEMBER_COLUMNS = [
  // A plan always has an owner: the organisation's takes over.
  { table: 'success_plans', column: 'owner_id', reassign: true },
  { table: 'accounts', column: 'owner_id', reassign: false },
  { table: 'initiatives', column: 'owner_id', reassign: false },
  { table: 'actions', column: 'assignee_id', reassign: false },
] as const

/** Hands over what is the member's and ends the membership; devices hear of each record. */
export async function endMembership(
  tx: Tx,
  organisation: { id: string; user_id: string },
  member: { id: string; user_id: string },
  now: string,
): Promise<void> {
  for (const { table, column, reassign } of MEMBER_COLUMNS) {
    const { count } = await tx
      .selectFrom(table as 'accounts')
      .where('organisation_id', '=', organisation.id)
      .where(column as 'owner_id', '=', member.user_id)
      .select((rows) => rows.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count === 0) continue
    const before = (await nextVersion(tx, organisation.id, count)) - count
    await sql`
      update ${sql.table(table)} as record
      set ${sql.ref(column)} = ${reassign ? organisation.user_id : null},
        version = ${before} + theirs.place, updated_at = ${now}
      from (
        select id, row_number() over (order by id) as place from ${sql.table(table)}
        where organisation_id = ${organisation.id} and ${sql.ref(column)} = ${member.user_id}
      ) as theirs
      where record.organisation_id = ${organisation.id} and record.id = theirs.id`.execute(tx)
  }
  await deleteWithTombstones(tx, organisation.id, 'organisation_users', [member.id])
}
