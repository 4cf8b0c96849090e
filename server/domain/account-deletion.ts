// The end of a user's account: what is stored about the user goes, what the user wrote stays.
import { deleteResetLinks, isVerified } from '../auth/verified-email.ts'
import { userTurn } from '../auth/ways-in.ts'
import { markSessionsChanged } from '../database/change-bus.ts'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { endMembership, forgetName } from './membership.ts'
import { findOrganisation } from './organisation.ts'

/** The memberships of a user, with the organisations and their owners. */
export const findMemberships = (tx: Tx, user_id: string) =>
  tx
    .selectFrom('organisation_users')
    .innerJoin('organisations', 'organisations.id', 'organisation_users.organisation_id')
    .select([
      'organisations.id',
      'organisations.name',
      'organisations.user_id',
      'organisation_users.role',
      'organisation_users.created_at',
    ])
    .where('organisation_users.user_id', '=', user_id)
    .orderBy('organisations.id')
    .execute()

/**
 * Ends all memberships and sessions and deletes what is stored about the user. The row of the user stays without
 * name and address, because records refer to it. `rejectOwner` throws for the organisations that the user owns,
 * which would be left without an owner; `beforeErasing` runs in the last transaction.
 */
export async function deleteUser(
  database: Database,
  user_id: string,
  options: {
    now: Date
    rejectOwner: (owned: readonly { id: string; name: string }[]) => never
    beforeErasing?: (tx: Tx) => Promise<void>
  },
): Promise<void> {
  const { rejectOwner, beforeErasing } = options
  const now = options.now.toISOString()
  const requireNoneOwned = (
    memberships: readonly { id: string; name: string; user_id: string }[],
  ) => {
    const owned = memberships.filter((membership) => membership.user_id === user_id)
    if (owned.length > 0) rejectOwner(owned)
  }
  const memberships = await database.auth((tx) => findMemberships(tx, user_id))
  requireNoneOwned(memberships)
  for (const { id } of memberships) await leave(database, user_id, id, now)
  const left = await database.auth((tx) => findLeftOrganisations(tx, user_id))
  for (const id of left) await database.tenant(id, (tx) => forgetName(tx, id, user_id))
  await database.authInTurn(userTurn(user_id, ''), async (tx) => {
    // Against an organisation that is made at the same time.
    await tx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute()
    requireNoneOwned(await findMemberships(tx, user_id))
    await beforeErasing?.(tx)
    await eraseUser(tx, user_id, now)
  })
}

/** The organisations that keep the name of a former member. */
const findLeftOrganisations = async (tx: Tx, user_id: string): Promise<string[]> => {
  const kept = await tx
    .selectFrom('former_members')
    .select('organisation_id')
    .distinct()
    .where('user_id', '=', user_id)
    .execute()
  return kept.map(({ organisation_id }) => organisation_id)
}

/** Ends one membership as leaving does. Nothing when it has ended meanwhile. */
const leave = (database: Database, user_id: string, organisation_id: string, now: string) =>
  database.tenant(
    organisation_id,
    async (tx) => {
      const organisation = await findOrganisation(tx, user_id, organisation_id)
      if (!organisation) return
      const member = await tx
        .selectFrom('organisation_users')
        .select(['id', 'user_id'])
        .where('organisation_id', '=', organisation_id)
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow()
      await endMembership(tx, organisation, member, { heir_id: undefined, by: user_id, now })
    },
    undefined,
    'write',
  )

const OWN_TABLES = [
  'token_families',
  'social_sign_ins',
  'passkeys',
  'verified_addresses',
  'push_subscriptions',
  'email_changes',
  'password_resets',
  'notification_consents',
  'onboardings',
  'digests',
  'idempotency_keys',
] as const

/** Deletes what is stored about a user. The row stays, without a name, since records refer to it. */
async function eraseUser(tx: Tx, id: string, now: string): Promise<void> {
  markSessionsChanged(tx, id)
  await deleteResetLinks(tx, id)
  const { email } = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // An address that was not proven may be another person's, who was invited.
  if (await isVerified(tx, { id, email }))
    await tx.deleteFrom('organisation_invites').where('email', '=', email).execute()
  for (const table of OWN_TABLES)
    await tx
      .deleteFrom(table as 'digests')
      .where('user_id', '=', id)
      .execute()
  await tx
    .updateTable('users')
    .set({
      name: 'Deleted user',
      email: `deleted-${id}@invalid`,
      password_hash: null,
      job_title: null,
      phone: null,
      avatar_url: null,
      timezone: 'UTC',
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}
