// Registration. The app signs in afterwards.
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Tx } from '../../database/connection.ts'
import { requireBudget } from '../../auth/budgets.ts'
import { rejectCommonPassword } from '../../auth/passwords/common-passwords.ts'
import { createEmailLink, isAddressTaken } from '../../auth/email-change.ts'
import { acceptInvite, findInvite, invalidLink, requireInvitee } from '../../domain/invites.ts'
import { isSetupLink, useSetupLink } from '../../domain/setup-link.ts'
import { hashPassword } from '../../auth/passwords/passwords.ts'
import { HttpError, forbidden, invalid } from '../../errors/http-error.ts'
import { publicRoute } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { mailFirstEmailLink } from './security-mails.ts'
import { presentUser } from './userinfo.ts'

const HOUR_MS = 3_600_000
/** Without an invitation, which proves an address. */
const MAX_PER_NETWORK_AND_HOUR = 100

/** The answer to someone who may not register here. */
export const REGISTRATION_CLOSED = 'New accounts are by invitation only.'

const linkExpired = () => invalid({ invite_token: [invalidLink().message] })
const addressTaken = () => invalid({ email: ['This email address is taken.'] })

/**
 * `POST /api/v1/register`: 201 with the new user, and a mail with a link that proves the address. 403 without an
 * invitation where one is needed, for one to another address, and if its organisation’s plan is full; 422 for an
 * address that is taken, a common password, a failed bot check and an invalid invitation; 429 for too many from one
 * network, 503 when too many passwords wait to be hashed.
 */
export const register = publicRoute(
  endpoints.register,
  async ({ services, body, network, request_id }) => {
    const { name, email, password, invite_token } = body
    const now = services.now()
    const created_at = now.toISOString()
    await rejectCommonPassword(password)
    await services.botCheck?.(body.captcha_token, 'register')
    // Before the password is hashed, which is expensive.
    const { isSetup, organisation_id } = await requireAdmission(services, { ...body, network })
    const password_hash = await hashPassword(password, { purpose: 'registration', network })
    const turn = { lock: `register ${email}`, caller: network, organisation_id }
    const answer = await services.database.authInTurn(turn, async (tx) => {
      const user = await tx
        .insertInto('users')
        .values({
          id: uuidv7(),
          name,
          email,
          password_hash,
          timezone: 'UTC',
          superadmin: isSetup,
          created_at,
          updated_at: created_at,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returningAll()
        .executeTakeFirst()
      if (!user) throw addressTaken()
      if (isSetup && !(await useSetupLink(tx, invite_token ?? '', created_at))) throw linkExpired()
      if (invite_token !== undefined && !isSetup)
        await acceptInviteToken(tx, invite_token, user, created_at)
      else {
        const link = await createEmailLink(tx, user.id, email, now)
        await mailFirstEmailLink({ services, tx, now, request_id }, user.id, { email, ...link })
      }
      return { data: await presentUser(tx, user, now) }
    })
    if (invite_token === undefined || isSetup) void services.mail.deliver()
    return answer
  },
)

interface Admission {
  /** Whether the token is that of the link which makes a superadmin, in any mode of registration. */
  isSetup: boolean
  /** The organisation of the invitation. */
  organisation_id?: string | undefined
}

/** Throws the HttpError of a registration that is rejected before its password is looked at. */
async function requireAdmission(
  { database, now, config }: Services,
  form: { email: string; invite_token?: string | undefined; network: string },
): Promise<Admission> {
  const { email, invite_token, network } = form
  const at = now().toISOString()
  const isSetup =
    invite_token !== undefined && (await database.auth((tx) => isSetupLink(tx, invite_token, at)))
  if (isSetup) {
    if (await database.auth((tx) => isAddressTaken(tx, email, now()))) throw addressTaken()
    return { isSetup }
  }
  if (config.registration === 'closed') throw forbidden('New accounts cannot be made here.')
  if (invite_token === undefined) {
    if (config.registration === 'invited') throw forbidden(REGISTRATION_CLOSED)
    // Its own transaction: attempts that are rejected count as well.
    const max = MAX_PER_NETWORK_AND_HOUR
    const budget = { subject: `register ${network}`, max, windowMs: HOUR_MS }
    await database.authInTurn({ lock: budget.subject, caller: email }, (tx) =>
      requireBudget(tx, budget, now(), 'Too many new accounts. Please wait.'),
    )
  }
  return database.auth(async (tx) => {
    const invite = invite_token === undefined ? undefined : await findInvite(tx, invite_token, at)
    if (invite) requireInvitee(invite, email)
    else if (invite_token !== undefined) throw linkExpired()
    if (await isAddressTaken(tx, email, now())) throw addressTaken()
    return { isSetup, organisation_id: invite?.organisation_id }
  })
}

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
    if (error instanceof HttpError && error.status === 404) throw linkExpired()
    throw error
  }
}
