// The end of a user's account: what is stored about the user goes, what the user wrote stays.
import { deleteResetLinks, isVerified } from '../auth/verified-email.ts'
import { userTurn } from '../auth/ways-in.ts'
import { markSessionsChanged } from '../database/change-bus.ts'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { unavailable } from '../errors/http-error.ts'
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

/** How often an account may join an organisation while it is being deleted. */
const MAX_ROUNDS = 5

type Write = <T>(organisation_id: string, work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Ends all memberships and sessions and deletes what is stored about the user. The row of the user stays without
 * name and address, because records refer to it. `rejectOwner` throws for the organisations that the user owns,
 * which would be left without an owner; `write` runs a transaction in one of the organisations; `beforeErasing` runs
 * in the last transaction. Throws a 503 HttpError where the user joins organisations again and again.
 */
export async function deleteUser(
  database: Database,
  user_id: string,
  options: {
    now: Date
    rejectOwner: (owned: readonly { id: string; name: string }[]) => never
    write?: Write
    beforeErasing?: (tx: Tx) => Promise<void>
  },
): Promise<void> {
  const { rejectOwner, beforeErasing } = options
  const { write = (id, work) => database.tenant(id, work, undefined, 'write') } = options
  const now = options.now.toISOString()
  const requireNoneOwned = async (tx: Tx) => {
    const memberships = await findMemberships(tx, user_id)
    const owned = memberships.filter((membership) => membership.user_id === user_id)
    if (owned.length > 0) rejectOwner(owned)
    return memberships
  }
  const leaveAll = async () => {
    for (const { id } of await database.auth(requireNoneOwned))
      await write(id, (tx) => leave(tx, user_id, id, now))
    for (const id of await database.auth((tx) => findLeftOrganisations(tx, user_id)))
      await write(id, (tx) => forgetName(tx, id, user_id))
  }
  const erase = async (tx: Tx) => {
    // Against an organisation that is made or joined at the same time.
    await tx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute()
    if ((await requireNoneOwned(tx)).length > 0) return false
    await beforeErasing?.(tx)
    await eraseUser(tx, user_id, now)
    return true
  }
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    await leaveAll()
    if (await database.authInTurn(userTurn(user_id, ''), erase)) return
  }
  throw unavailable('The account joined another organisation meanwhile. Please try again.')
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
async function leave(tx: Tx, user_id: string, organisation_id: string, now: string): Promise<void> {
  const organisation = await findOrganisation(tx, user_id, organisation_id)
  if (!organisation) return
  const member = await tx
    .selectFrom('organisation_users')
    .select(['id', 'user_id'])
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  await endMembership(tx, organisation, member, { heir_id: undefined, by: user_id, now })
}

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
