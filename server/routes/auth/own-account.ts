// A user's own data as a file, and the end of the account.
import { endpoints } from '../../../contract/endpoints.ts'
import { requireFreshSignIn } from '../../auth/reauthentication.ts'
import { deleteResetLinks } from '../../auth/verified-email.ts'
import type { Tx } from '../../database/connection.ts'
import { loadConsents } from '../../domain/notification-consents.ts'
import { endMembership } from '../../domain/membership.ts'
import { findOrganisation } from '../../domain/organisation.ts'
import { forbidden } from '../../errors/http-error.ts'
import { userRouteNoTx } from '../../http/route-no-tx.ts'
import type { Services } from '../../http/services.ts'
import { mailAccountDeleted } from './security-mails.ts'
import { presentUser } from './userinfo.ts'

const findMemberships = (tx: Tx, user_id: string) =>
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

/** `GET /api/v1/own-data`: the profile, ways in, settings and memberships of the user, and what they have posted. */
export const getOwnData = userRouteNoTx(endpoints.getOwnData, async ({ services, user, now }) => {
  const { database } = services
  const { memberships, ...own } = await database.auth(async (tx) => ({
    user: await presentUser(tx, user, now),
    notification_consents: await loadConsents(tx, user.id),
    linked_sign_ins: await tx
      .selectFrom('social_sign_ins')
      .select(['provider', 'email', 'created_at'])
      .where('user_id', '=', user.id)
      .execute(),
    passkeys: await tx
      .selectFrom('passkeys')
      .select(['id', 'name', 'created_at', 'last_used_at'])
      .where('user_id', '=', user.id)
      .execute(),
    sign_ins: await tx
      .selectFrom('token_families')
      .select(['user_agent', 'network', 'created_at', 'last_used_at', 'revoked_at'])
      .where('user_id', '=', user.id)
      .orderBy('created_at')
      .execute(),
    memberships: await findMemberships(tx, user.id),
  }))
  const organisations = []
  for (const { id, name, role, created_at } of memberships)
    organisations.push({
      id,
      name,
      role,
      created_at,
      updates: await database.tenant(id, (tx) =>
        tx
          .selectFrom('success_plan_updates')
          .innerJoin('success_plans', (join) =>
            join
              .onRef('success_plans.organisation_id', '=', 'success_plan_updates.organisation_id')
              .onRef('success_plans.id', '=', 'success_plan_updates.success_plan_id'),
          )
          .select([
            'success_plan_updates.id',
            'success_plans.title as plan',
            'success_plan_updates.body',
            'success_plan_updates.created_at',
          ])
          .where('success_plan_updates.organisation_id', '=', id)
          .where('success_plan_updates.user_id', '=', user.id)
          .orderBy('success_plan_updates.created_at')
          .execute(),
      ),
    })
  return { ...own, organisations }
})

/** Throws a 403 HttpError that names the organisations of the user, which would be left without an owner. */
function requireNoneOwned(owned: readonly { name: string }[]): void {
  if (owned.length === 0) return
  const names = owned.map(({ name }) => `“${name}”`).join(', ')
  throw forbidden(`You own ${names}. Delete what you own first, in its settings.`)
}

/**
 * `DELETE /api/v1/userinfo`: 204, ends all memberships and sessions and deletes what is stored about the user. What
 * they wrote stays with its organisation, without their name. 403 for the owner of an organisation, and with code
 * `reauthentication_required` without a fresh sign-in.
 */
export const deleteUserinfo = userRouteNoTx(
  endpoints.deleteUserinfo,
  async ({ services, user, now, request_id }) => {
    requireFreshSignIn(user, now)
    const { database } = services
    const memberships = await database.auth((tx) => findMemberships(tx, user.id))
    requireNoneOwned(memberships.filter(({ user_id }) => user_id === user.id))
    for (const { id } of memberships) await leave(services, user.id, id, now.toISOString())
    await database.auth(async (tx) => {
      // Against an organisation that is made at the same time.
      await tx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
      requireNoneOwned(await findMemberships(tx, user.id))
      if (user.email_verified) await mailAccountDeleted({ services, tx, now, request_id }, user)
      await eraseUser(tx, user.id, now.toISOString())
    })
    void services.mail.deliver()
  },
)

/** Ends one membership as leaving does. Nothing when it has ended meanwhile. */
const leave = ({ database }: Services, user_id: string, organisation_id: string, now: string) =>
  database.tenant(organisation_id, async (tx) => {
    const organisation = await findOrganisation(tx, user_id, organisation_id, true)
    if (!organisation) return
    const member = await tx
      .selectFrom('organisation_users')
      .select(['id', 'user_id'])
      .where('organisation_id', '=', organisation_id)
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    await endMembership(tx, organisation, member, now)
  })

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
  await deleteResetLinks(tx, id)
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
