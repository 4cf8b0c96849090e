// The providers that open a user's account.
import { endpoints } from '../../../contract/endpoints.ts'
import { requireFreshSignIn } from '../../auth/reauthentication.ts'
import type { Tx } from '../../database/connection.ts'
import { forbidden, notFound } from '../../errors/http-error.ts'
import { findPage } from '../../http/list-query.ts'
import { userRoute } from '../../http/route.ts'
import { mailSignInRemoved } from './security-mails.ts'

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
    // One at a time, so that two requests do not remove the last two.
    await tx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
    const links = await tx
      .selectFrom('social_sign_ins')
      .select(['id', 'provider'])
      .where('user_id', '=', user.id)
      .execute()
    const removed = links.find(({ id }) => id === path.id)
    if (!removed) throw notFound()
    if (links.length === 1 && !(await hasPassword(tx, user.id)))
      throw forbidden('This is the only way into your account. Set a password first.')
    await tx.deleteFrom('social_sign_ins').where('id', '=', removed.id).execute()
    if (!user.email_verified) return
    await mailSignInRemoved({ services, tx, now, request_id }, user, removed.provider)
    afterCommit(async () => void services.mail.deliver())
  },
)

async function hasPassword(tx: Tx, user_id: string): Promise<boolean> {
  const { password_hash } = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  return password_hash !== null
}
