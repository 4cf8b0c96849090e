// Ends memberships: hands over the records of the member, and keeps the name for the history.
import { sql } from 'kysely'
import { resourceNames, resourceOf } from '../../contract/resources.ts'
import { ACTION_STATUSES } from '../../contract/schemas/actions.ts'
import { markMembersChanged } from '../database/change-bus.ts'
import type { Tx } from '../database/connection.ts'
import { invalid } from '../errors/http-error.ts'
import { recordAssignments } from './assignments.ts'
import { withdrawInvites } from './invites.ts'
import { deleteWithTombstones, requireMember, updateAll } from './records.ts'
import { nextVersion } from './organisation.ts'

/** Columns that name a member. `required`: the owner of the organisation takes over where no one else does. */
const ownedResources = resourceNames.flatMap((table) => {
  const { owner: column, ownerRequired: required = false } = resourceOf(table)
  return column === undefined ? [] : [{ table, column, required }]
})

/** Actions that are done or cancelled are not handed over. */
const OPEN = sql.join(
  ACTION_STATUSES.filter((status) => status !== 'done' && status !== 'cancelled'),
)

interface Leaving {
  /** Who takes over plans, accounts, initiatives and open actions. */
  heir_id: string | undefined
  /** Who ends the membership. */
  by: string
  now: string
}

/**
 * Hands over or unassigns the member's records, each with a new version, ends the member's invitations, deletes
 * the membership and keeps the name. Throws a 422 HttpError for an heir who is no other member.
 */
export async function endMembership(
  tx: Tx,
  organisation: { id: string; user_id: string },
  member: { id: string; user_id: string },
  { heir_id, by, now }: Leaving,
): Promise<void> {
  await requireMember(tx, organisation.id, 'heir_id', heir_id)
  if (heir_id === member.user_id) throw invalid({ heir_id: ['Choose another member.'] })
  for (const { table, column, required } of ownedResources) {
    const heir = heir_id ?? (required ? organisation.user_id : null)
    const to =
      table === 'actions' ? sql`case when status in (${OPEN}) then ${heir}::uuid end` : sql`${heir}`
    const ids = await updateAll(tx, organisation.id, {
      table,
      where: { column, value: member.user_id },
      set: sql`${sql.ref(column)} = ${to}`,
      now,
    })
    if (table === 'success_plans' && heir_id !== undefined)
      await recordAssignments(
        tx,
        organisation.id,
        { user_id: by, now },
        ids.map((id) => ({ id, user_id: heir_id })),
      )
  }
  await withdrawInvites(tx, organisation.id, member.user_id)
  await keepName(tx, organisation.id, member, now)
  await deleteWithTombstones(tx, organisation.id, 'organisation_users', [member.id])
  markMembersChanged(tx, organisation.id)
}

/** Keeps the name of a member who leaves: what this person wrote stays, and shows who wrote it. */
async function keepName(
  tx: Tx,
  organisation_id: string,
  { id, user_id }: { id: string; user_id: string },
  now: string,
): Promise<void> {
  const { name } = await tx
    .selectFrom('users')
    .select('name')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  const version = await nextVersion(tx, organisation_id)
  await tx
    .insertInto('former_members')
    .values({ organisation_id, id, user_id, name, left_at: now, version })
    .execute()
}

/** Deletes the name that an organisation has kept of a former member. */
export async function forgetName(tx: Tx, organisation_id: string, user_id: string): Promise<void> {
  const kept = await tx
    .selectFrom('former_members')
    .select('id')
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .execute()
  await deleteWithTombstones(
    tx,
    organisation_id,
    'former_members',
    kept.map(({ id }) => id),
  )
}
