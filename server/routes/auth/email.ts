// Proving an e-mail address.
import { endpoints } from '../../../contract/endpoints.ts'
import { createEmailLink, findPendingEmail, followEmailLink } from '../../auth/email-change.ts'
import { invalidLink } from '../../domain/invites.ts'
import { userRoute } from '../../http/route.ts'
import { mailEmailLink, mailEmailProven } from './security-mails.ts'
import { noteUnpublished, publishUser } from '../../domain/publish-user.ts'
import { presentUser } from './userinfo.ts'

/**
 * `POST /api/v1/email-link`: 202, and the link once more to the new address, or to the present one where it is
 * not proven. 429 for too many.
 */
export const sendEmailLink = userRoute(
  endpoints.sendEmailLink,
  async ({ services, tx, user, request_id, afterCommit }) => {
    const now = services.now()
    const pending = await findPendingEmail(tx, user, now)
    if (pending === null && user.email_verified) return
    const email = pending ?? user.email
    const link = await createEmailLink(tx, user.id, email, now)
    await mailEmailLink({ services, tx, now, request_id }, user.id, { email, ...link })
    afterCommit(async () => void services.mail.deliver())
  },
)

/**
 * `POST /api/v1/confirm-email`: the address of the link becomes that of the caller, who must be the one who asked
 * for it. 404 for a link that is no longer valid.
 */
export const confirmEmail = userRoute(
  endpoints.confirmEmail,
  async ({ services, tx, user, body, request_id, afterCommit }) => {
    const now = services.now()
    const proven = await followEmailLink(tx, user, body.token, now)
    if (!proven) throw invalidLink()
    await mailEmailProven({ services, tx, now, request_id }, proven)
    await noteUnpublished(tx, user.id)
    afterCommit(async () => void services.mail.deliver())
    afterCommit(() => publishUser(services.database, user.id))
    return { data: await presentUser(tx, { ...user, email: proven.email }, now) }
  },
)
