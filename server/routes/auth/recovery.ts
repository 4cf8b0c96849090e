// Links from mails, and resetting a password with one.
import { endpoints } from '../../../contract/endpoints.ts'
import { mailLink } from '../../../contract/links.ts'
import { PASSWORD_IS_EMAIL, isPasswordEmail } from '../../../contract/schemas/people.ts'
import type { Tx } from '../../database/connection.ts'
import { findInvite, invalidLink } from '../../domain/invites.ts'
import { isSetupLink } from '../../domain/setup-link.ts'
import { errorFields, log } from '../../log.ts'
import { hashPassword } from '../../auth/passwords/passwords.ts'
import { invalid } from '../../errors/http-error.ts'
import { publicRoute } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { requireBudget, useBudget } from '../../auth/budgets.ts'
import { deleteLinksSince } from '../../auth/email-change.ts'
import { rejectCommonPassword } from '../../auth/passwords/common-passwords.ts'
import { recordLink } from '../../auth/login-throttle.ts'
import { replacePassword } from '../../auth/passwords/replace-password.ts'
import { newToken } from '../../auth/tokens.ts'
import { sha256 } from '../../hash.ts'
import { isVerified, markVerified } from '../../auth/verified-email.ts'
import { lockUser } from '../../auth/ways-in.ts'
import { mailDroppedAccess, mailPasswordReset } from './security-mails.ts'
import { noteUnpublished, publishUser } from '../../domain/publish-user.ts'

const RESET_LINK_MINUTES = 60
const HOUR_MS = 3_600_000
const WINDOW_MS = 15 * 60_000
/** Requests for a link: in all, and for one address. */
const MAX_PER_NETWORK = 60
const MAX_PER_NETWORK_AND_ADDRESS = 5
/** Mails to one address, from all networks together. */
const MAX_MAILS_PER_HOUR = 5

/** The user of a reset token; undefined when the token is unknown, used or expired. */
const findReset = (tx: Tx, token: string, now: string) =>
  tx
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select((row) => [
      'users.id',
      // The address that the link was mailed to.
      row.fn.coalesce('password_resets.restored_email', 'users.email').as('email'),
    ])
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()

/**
 * `POST /api/v1/verify-token`: whether a token is an invitation or a password reset, and for whom. The link
 * that makes a superadmin is an invitation for any address, into no organisation. 404 for a link that is no longer
 * valid.
 */
export const verifyToken = publicRoute(endpoints.verifyToken, async ({ services, body }) => {
  const now = services.now().toISOString()
  return services.database.auth(async (tx) => {
    const invite = await findInvite(tx, body.token, now)
    if (invite) {
      const { email, organisation_id: id, name } = invite
      return { data: { type: 'invite', email, organisation: { id, name } } }
    }
    if (await isSetupLink(tx, body.token, now))
      return { data: { type: 'invite', email: '', organisation: null } }
    const reset = await findReset(tx, body.token, now)
    if (!reset) throw invalidLink()
    return { data: { type: 'password', email: reset.email, organisation: null } }
  })
})

/**
 * `POST /api/v1/forgot-password`: 202, and a mail with a link when there is such a user. 422 when the bot check
 * fails, 429 for too many from one network. Beyond five mails in an hour to one address no further one is sent:
 * the links that were mailed stay valid, so that no one can lock the owner out by asking for more.
 */
export const forgotPassword = publicRoute(
  endpoints.forgotPassword,
  async ({ services, body: { email, captcha_token }, network, request_id }) => {
    await services.botCheck?.(captcha_token, 'forgot_password')
    const { database, now } = services
    await database.authInTurn({ lock: `forgot ${network}`, caller: email }, async (tx) => {
      const limits = [
        { subject: `forgot ${network}`, max: MAX_PER_NETWORK },
        { subject: `forgot ${network} ${email}`, max: MAX_PER_NETWORK_AND_ADDRESS },
      ]
      const message = 'Too many requests. Please wait.'
      for (const limit of limits)
        await requireBudget(tx, { ...limit, windowMs: WINDOW_MS }, now(), message)
    })
    // Not awaited, so that the response time does not reveal whether the user exists.
    sendResetMail(services, email, request_id).catch((error: unknown) =>
      log('error', 'mail not enqueued', { request_id, ...errorFields(error) }),
    )
  },
)

/**
 * Does the same work for an unknown address, except for sending the mail: otherwise the next request would tell,
 * by the time that it waits for the database.
 */
async function sendResetMail(services: Services, email: string, request_id: string | null) {
  const { database, mail, now, publicUrl } = services
  const token = newToken()
  const expires_at = new Date(now().getTime() + RESET_LINK_MINUTES * 60_000).toISOString()
  await database.authInTurn({ lock: `reset mail ${email}`, caller: '' }, async (tx) => {
    const budget = { subject: `reset mail ${email}`, max: MAX_MAILS_PER_HOUR, windowMs: HOUR_MS }
    if ((await useBudget(tx, budget, now())) > 0) return
    const user = await tx
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      // The address may be changed at the same time, which ends the links that were mailed to it.
      .forNoKeyUpdate()
      .executeTakeFirst()
    await tx
      .insertInto('password_resets')
      .values({
        token_hash: sha256(token),
        user_id: user?.id ?? null,
        expires_at,
        restored_email: null,
      })
      .execute()
    const reset = {
      to: user ? email : null,
      subject: 'Set a new password',
      text: `Set a new password for your Cairn account within the hour:\n${mailLink(publicUrl(), 'password', token)}\n\nIf you did not ask for this, ignore it: your password stays the same.`,
    }
    await mail.enqueue(tx, reset, { expiresAt: expires_at, request_id })
  })
  void mail.deliver()
}

/**
 * `POST /api/v1/reset-password`: 204, sets the password and ends every other way into the account; a mail lists
 * these. A link that was sent to a former address also restores that address. 404 for a link that is no longer
 * valid, 422 when the password is the e-mail address or a common one.
 */
export const resetPassword = publicRoute(
  endpoints.resetPassword,
  async ({ services, body, network, request_id }) => {
    const { database } = services
    const now = services.now()
    const at = now.toISOString()
    const holder = await database.auth((tx) => findReset(tx, body.token, at))
    if (!holder) throw invalidLink()
    if (isPasswordEmail(body.password, holder.email))
      throw invalid({ password: [PASSWORD_IS_EMAIL] })
    await rejectCommonPassword(body.password)
    const password_hash = await hashPassword(body.password, { purpose: 'sign-in', network })
    const isRestored = await database.auth(async (tx) => {
      await lockUser(tx, holder.id)
      const user = await consumeReset(tx, body.token)
      const isProven = await isVerified(tx, user)
      await markVerified(tx, user.id, user.email)
      const dropped = await replacePassword(tx, user, { password_hash, at })
      const post = { services, tx, now, request_id }
      if (isProven) await mailPasswordReset(post, user.email, dropped)
      else await mailDroppedAccess(post, user.email, dropped)
      await recordLink(tx, user.id, network, now)
      if (user.isRestored) await noteUnpublished(tx, user.id)
      return user.isRestored
    })
    void services.mail.deliver()
    if (isRestored) await publishUser(database, holder.id)
  },
)

/** Uses the link up, and returns its user with the address that it was mailed to. Throws a 404 HttpError. */
async function consumeReset(tx: Tx, token: string) {
  // Of two concurrent requests the second one finds no row.
  const consumed = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', sha256(token))
    .returning(['user_id', 'restored_email', 'expires_at'])
    .executeTakeFirst()
  if (!consumed?.user_id) throw invalidLink()
  const { user_id: id, restored_email, expires_at } = consumed
  const { email } = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (restored_email === null) return { id, email, isRestored: false }
  // The address may have been changed once more since: links to later addresses end, earlier ones stay.
  await deleteLinksSince(tx, id, expires_at)
  return { id, email: restored_email, isRestored: true }
}
