// Links from mails, and resetting a password with one.
import { endpoints } from '../../../contract/endpoints.ts'
import { mailLink } from '../../../contract/links.ts'
import { PASSWORD_IS_EMAIL, isPasswordEmail } from '../../../contract/schemas/people.ts'
import type { Tx } from '../../database/connection.ts'
import { findInvite, invalidLink } from '../../domain/invites.ts'
import { errorFields, log } from '../../log.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { invalid } from '../../errors/http-error.ts'
import { publicRoute } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { recordAttempt, clearAttempts } from '../../auth/login-throttle.ts'
import { newToken } from '../../auth/tokens.ts'
import { sha256 } from '../../hash.ts'
import { markVerified } from '../../auth/verified-email.ts'

const RESET_LINK_MINUTES = 60

/** The user of a reset token; undefined when the token is unknown, used or expired. */
const findReset = (tx: Tx, token: string, now: string) =>
  tx
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.email'])
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()

/**
 * `POST /api/v1/verify-token`: whether a token is an invitation or a password reset, and for whom. 404 for
 * a link that is no longer valid.
 */
export const verifyToken = publicRoute(endpoints.verifyToken, async ({ services, body }) => {
  const now = services.now().toISOString()
  return services.database.auth(async (tx) => {
    const invite = await findInvite(tx, body.token, now)
    if (invite) {
      const { email, organisation_id: id, name } = invite
      return { data: { type: 'invite', email, organisation: { id, name } } }
    }
    const reset = await findReset(tx, body.token, now)
    if (!reset) throw invalidLink()
    return { data: { type: 'password', email: reset.email, organisation: null } }
  })
})

/**
 * `POST /api/v1/forgot-password`: 202, and a mail with a link when there is such a user. 422 when the bot
 * check fails, 429 for too many attempts.
 */
export const forgotPassword = publicRoute(
  endpoints.forgotPassword,
  async ({ services, body: { email, captcha_token }, address, request_id }) => {
    await services.botCheck?.(captcha_token, 'forgot_password')
    const { database, now } = services
    await database.auth((tx) =>
      recordAttempt(tx, { username: `forgotten ${email}`, address, now: now() }),
    )
    // Not awaited, so that the response time does not reveal whether the user exists.
    sendResetMail(services, email, request_id).catch((error: unknown) =>
      log('error', 'mail not enqueued', { request_id, ...errorFields(error) }),
    )
  },
)

async function sendResetMail(services: Services, email: string, request_id: string | null) {
  const { database, mail, now, publicUrl } = services
  const token = newToken()
  const expires_at = new Date(now().getTime() + RESET_LINK_MINUTES * 60_000).toISOString()
  await database.auth(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'name'])
      .where('email', '=', email)
      .executeTakeFirst()
    if (!user) return
    await tx
      .insertInto('password_resets')
      .values({ token_hash: sha256(token), user_id: user.id, expires_at })
      .execute()
    const reset = {
      to: email,
      subject: 'Set a new password',
      text: `Hello ${user.name},\n\nSet a new password within the hour:\n${mailLink(publicUrl(), 'password', token)}\n\nIf you did not ask for this, ignore it: your password stays the same.`,
    }
    await mail.enqueue(tx, reset, { expiresAt: expires_at, request_id })
  })
  await mail.deliver()
}

/**
 * `POST /api/v1/reset-password`: 204, sets the password and ends all sessions. 404 for a link that is no
 * longer valid, 422 when the password is the e-mail address.
 */
export const resetPassword = publicRoute(endpoints.resetPassword, async ({ services, body }) => {
  const { database } = services
  const now = services.now().toISOString()
  const holder = await database.auth((tx) => findReset(tx, body.token, now))
  if (!holder) throw invalidLink()
  if (isPasswordEmail(body.password, holder.email)) throw invalid({ password: [PASSWORD_IS_EMAIL] })
  const password_hash = await hashPassword(body.password)
  await database.auth(async (tx) => {
    // Of two concurrent requests the second one finds no row.
    const consumed = await tx
      .deleteFrom('password_resets')
      .where('token_hash', '=', sha256(body.token))
      .returning('user_id')
      .executeTakeFirst()
    if (!consumed) throw invalidLink()
    await tx.deleteFrom('password_resets').where('user_id', '=', consumed.user_id).execute()
    await tx
      .updateTable('users')
      .set({ password_hash, updated_at: now })
      .where('id', '=', consumed.user_id)
      .execute()
    // The link was mailed to this address: a change of address deletes all links.
    const { email } = await tx
      .selectFrom('users')
      .select('email')
      .where('id', '=', consumed.user_id)
      .executeTakeFirstOrThrow()
    await markVerified(tx, consumed.user_id, email)
    await tx.deleteFrom('push_subscriptions').where('user_id', '=', consumed.user_id).execute()
    // Ends all sessions that were started with the old password.
    await tx
      .updateTable('token_families')
      .set({ revoked_at: now })
      .where('user_id', '=', consumed.user_id)
      .where('revoked_at', 'is', null)
      .execute()
    await clearAttempts(tx, holder.email)
  })
})
