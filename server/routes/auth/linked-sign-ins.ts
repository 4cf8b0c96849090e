// The providers that open a user's account.
import { endpoints } from '../../../contract/endpoints.ts'
import { requireFreshSignIn } from '../../auth/reauthentication.ts'
import { requireSecondWayIn } from '../../auth/ways-in.ts'
import { notFound } from '../../errors/http-error.ts'
import { findPage } from '../../http/list-query.ts'
import { userRoute } from '../../http/route.ts'
import { mailSignInRemoved, providerName } from './security-mails.ts'

/** `GET /api/v1/linked-sign-ins`: a page of the user's linked providers, the latest first. */
export const listLinkedSignIns = userRoute(
  endpoints.listLinkedSignIns,
  async ({ tx, user, query }) =>
    findPage(
      tx
        .selectFrom('social_sign_ins')
        .select(['id', 'provider', 'email', 'created_at'])
        .where('user_id', '=', user.id),
      { query, sort: query.sort ?? '-created_at', present: (row) => row },
    ),
)

/**
 * `DELETE /api/v1/linked-sign-ins/{id}`: 204, and a mail to the user. 403 for the last way into the account, 403
 * with code `reauthentication_required` without a fresh sign-in, 404.
 */
export const deleteLinkedSignIn = userRoute(
  endpoints.deleteLinkedSignIn,
  async ({ services, tx, user, path, request_id, afterCommit }) => {
    const now = services.now()
    requireFreshSignIn(user, now)
    const removed = await tx
      .selectFrom('social_sign_ins')
      .select('provider')
      .where('id', '=', path.id)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    if (!removed) throw notFound()
    await requireSecondWayIn(tx, user)
    await tx.deleteFrom('social_sign_ins').where('id', '=', path.id).execute()
    if (!user.email_verified) return
    const post = { services, tx, now, request_id }
    await mailSignInRemoved(post, user, providerName(post, removed.provider))
    afterCommit(async () => void services.mail.deliver())
  },
)
