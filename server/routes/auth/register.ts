// Registration. The app signs in afterwards.
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Tx } from '../../database/connection.ts'
import { acceptInvite } from '../../domain/invites.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { HttpError, invalid } from '../../errors/http-error.ts'
import { publicRoute } from '../../http/route.ts'
import { presentUser } from './userinfo.ts'

/**
 * `POST /api/v1/register`: 201 with the new user. 403 for an invitation to another address or at its
 * plan's limit, 422 for an address that is taken, a failed bot check and an invalid invitation.
 */
export const register = publicRoute(endpoints.register, async ({ services, body }) => {
  const { name, email, password } = body
  const now = services.now().toISOString()
  await services.botCheck?.(body.captcha_token, 'register')
  const password_hash = await hashPassword(password)
  return services.database.auth(async (tx) => {
    const user = await tx
      .insertInto('users')
      .values({
        id: uuidv7(),
        name,
        email,
        password_hash,
        timezone: 'UTC',
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!user) throw invalid({ email: ['This email address is taken.'] })
    if (body.invite_token !== undefined) await acceptInviteToken(tx, body.invite_token, user, now)
    return { data: presentUser(user) }
  })
})

/** Accepts the invitation. A link that is no longer valid becomes a 422 HttpError on `invite_token`. */
async function acceptInviteToken(
  tx: Tx,
  token: string,
  user: { id: string; email: string },
  now: string,
) {
  try {
    await acceptInvite(tx, token, user, now)
  } catch (error) {
    if (error instanceof HttpError && error.status === 404)
      throw invalid({ invite_token: [error.message] })
    throw error
  }
}
