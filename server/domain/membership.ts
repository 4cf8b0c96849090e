// Ends memberships and reassigns the records of the member.
import { sql } from 'kysely'
import { resourceNames, resourceOf } from '../../contract/resources.ts'
import { markMembersChanged } from '../database/change-bus.ts'
import type { Tx } from '../database/connection.ts'
import { withdrawInvites } from './invites.ts'
import { deleteWithTombstones } from './records.ts'
import { nextVersion } from './organisation.ts'

/**
 * Columns that name a member. `reassign`: the owner of the organisation takes over, because the column
 * is required.
 */
const ownedResources = resourceNames.flatMap((table) => {
  const { owner: column, ownerRequired = false } = resourceOf(table)
  return column === undefined ? [] : [{ table, column, reassign: ownerRequired }]
})

/**
 * Reassigns or unassigns the member's records, each with a new version, ends the member's invitations, and
 * deletes the membership.
 */
export async function endMembership(
  tx: Tx,
  organisation: { id: string; user_id: string },
  member: { id: string; user_id: string },
  now: string,
): Promise<void> {
  for (const { table, column, reassign } of ownedResources) {
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
        version = ${before} + own.position, updated_at = ${now}
      from (
        select id, row_number() over (order by id) as position from ${sql.table(table)}
        where organisation_id = ${organisation.id} and ${sql.ref(column)} = ${member.user_id}
      ) as own
      where record.organisation_id = ${organisation.id} and record.id = own.id`.execute(tx)
  }
  await withdrawInvites(tx, organisation.id, member.user_id)
  await deleteWithTombstones(tx, organisation.id, 'organisation_users', [member.id])
  markMembersChanged(tx, organisation.id)
}
