// Confirming and changing the password of a signed-in user.
import { endpoints } from '../../../contract/endpoints.ts'
import { PASSWORD_IS_EMAIL, isPasswordEmail } from '../../../contract/schemas/people.ts'
import { rejectCommonPassword } from '../../auth/passwords/common-passwords.ts'
import {
  attemptTurn,
  clearAttempts,
  failAttempt,
  recordAttempt,
  withdrawAttempt,
} from '../../auth/login-throttle.ts'
import { hashPassword, verifyPassword } from '../../auth/passwords/passwords.ts'
import { markReauthenticated, requireFreshSignIn } from '../../auth/reauthentication.ts'
import type { SignedIn } from '../../auth/tokens.ts'
import { endSessions } from '../../auth/end-sessions.ts'
import { deleteResetLinks } from '../../auth/verified-email.ts'
import { invalid } from '../../errors/http-error.ts'
import { userRouteNoTx } from '../../http/route-no-tx.ts'
import type { Services } from '../../http/services.ts'
import { mailPasswordChanged } from './security-mails.ts'

const wrongPassword = () => invalid({ current_password: ['This is not your password.'] })

/**
 * Checks the present password. Throws an HttpError: 422 on `current_password` when it is wrong, 429 after five
 * wrong ones: a stolen session must not be good for guessing.
 */
async function requirePassword(
  services: Services,
  user: SignedIn,
  password: string,
  network: string,
): Promise<void> {
  const { database } = services
  // The session counts as a device of its own, so that its guesses lock out no other device.
  const username = `session ${user.id}`
  const attempt = { username, network, device: user.family_id, now: services.now() }
  const turn = attemptTurn(username, network)
  const id = await database.authInTurn(turn, (tx) => recordAttempt(tx, attempt))
  let isRight: boolean
  try {
    const request = { purpose: 'sign-in', network } as const
    isRight = await verifyPassword(password, user.password_hash ?? undefined, request)
  } catch (error) {
    await database.auth((tx) => withdrawAttempt(tx, id))
    throw error
  }
  await database.auth((tx) =>
    isRight ? clearAttempts(tx, username, attempt) : failAttempt(tx, id),
  )
  if (!isRight) throw wrongPassword()
}

/** Throws a 422 HttpError where the new password is the user's address. */
function rejectEmail(password: string, { email }: SignedIn): void {
  if (isPasswordEmail(password, email)) throw invalid({ password: [PASSWORD_IS_EMAIL] })
}

/** Throws a 422 HttpError where the password is another one than the one that was checked. */
function requireSamePassword(user: SignedIn, checked: SignedIn): void {
  if (user.password_hash !== checked.password_hash) throw wrongPassword()
}

/**
 * `POST /api/v1/reauthenticate`: 204; for ten minutes the session counts as freshly signed in. 422 for a wrong
 * password, 429 after five.
 */
export const reauthenticate = userRouteNoTx(
  endpoints.reauthenticate,
  async ({ services, user, body, network, now, requireSession }) => {
    await requirePassword(services, user, body.current_password, network)
    await services.database.auth(async (tx) => {
      requireSamePassword(await requireSession(tx), user)
      await markReauthenticated(tx, user.family_id, now)
    })
  },
)

/**
 * `PUT /api/v1/password`: 204, sets the password and ends all other sessions, their notifications, and links. 422
 * without the present password or for a rejected new one; 403 with code `reauthentication_required` where the account
 * has no password and the sign-in is not fresh; 429 after five wrong ones.
 */
export const changePassword = userRouteNoTx(
  endpoints.changePassword,
  async ({ services, user, body, network, now, request_id, requireSession }) => {
    rejectEmail(body.password, user)
    await rejectCommonPassword(body.password)
    if (user.password_hash === null) requireFreshSignIn(user, now)
    else if (body.current_password === undefined)
      throw invalid({ current_password: ['Enter your present password.'] })
    else await requirePassword(services, user, body.current_password, network)
    const password_hash = await hashPassword(body.password, { purpose: 'sign-in', network })
    const at = now.toISOString()
    await services.database.auth(async (tx) => {
      // The address may have been changed, or proven, while the password was hashed.
      const current = await requireSession(tx)
      requireSamePassword(current, user)
      rejectEmail(body.password, current)
      await tx
        .updateTable('users')
        .set({ password_hash, updated_at: at })
        .where('id', '=', user.id)
        .execute()
      await endSessions(tx, user.id, at, user.family_id)
      await deleteResetLinks(tx, user.id)
      await markReauthenticated(tx, user.family_id, now)
      if (current.email_verified)
        await mailPasswordChanged({ services, tx, now, request_id }, current)
    })
    void services.mail.deliver()
  },
)
