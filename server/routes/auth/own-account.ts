// A user's own data as a file, and the end of the account.
import { endpoints } from '../../../contract/endpoints.ts'
import { requireFreshSignIn } from '../../auth/reauthentication.ts'
import { deleteUser, findMemberships } from '../../domain/account-deletion.ts'
import { loadConsents } from '../../domain/notification-consents.ts'
import { forbidden } from '../../errors/http-error.ts'
import { userRouteNoTx } from '../../http/route-no-tx.ts'
import { mailAccountDeleted } from './security-mails.ts'
import { presentUser } from './userinfo.ts'

/**
 * `GET /api/v1/own-data`: the profile, ways in, settings, memberships and saved views of the user, and what
 * they have posted.
 */
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
      saved_views: await database.tenant(id, (tx) =>
        tx
          .selectFrom('saved_views')
          .select(['id', 'name', 'search'])
          .where('organisation_id', '=', id)
          .where('user_id', '=', user.id)
          .orderBy('id')
          .execute(),
      ),
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

/** Throws a 403 HttpError that names the organisations of the user. */
function rejectOwner(owned: readonly { name: string }[]): never {
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
  async ({ services, user, now, request_id, requireSession }) => {
    requireFreshSignIn(user, now)
    await deleteUser(services.database, user.id, {
      now,
      rejectOwner,
      async beforeErasing(tx) {
        const current = await requireSession(tx)
        if (current.email_verified)
          await mailAccountDeleted({ services, tx, now, request_id }, current)
      },
    })
    void services.mail.deliver()
  },
)
