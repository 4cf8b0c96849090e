// The end of the account.
import { endpoints } from '../../../contract/endpoints.ts'
import { requireFreshSignIn } from '../../auth/reauthentication.ts'
import { deleteUser } from '../../domain/account-deletion.ts'
import { forbidden } from '../../errors/http-error.ts'
import { userRouteNoTx } from '../../http/route-no-tx.ts'
import { mailAccountDeleted } from './security-mails.ts'

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
  async ({ services, user, now, request_id, requireSession, writeInSession }) => {
    requireFreshSignIn(user, now)
    await deleteUser(services.database, user.id, {
      now,
      rejectOwner,
      write: writeInSession,
      async beforeErasing(tx) {
        const current = await requireSession(tx)
        if (current.email_verified)
          await mailAccountDeleted({ services, tx, now, request_id }, current)
      },
    })
    void services.mail.deliver()
  },
)
