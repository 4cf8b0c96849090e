// The signed-in user.
import type { Selectable } from 'kysely'
import { endpoints } from '../../../contract/endpoints.ts'
import { requireBudget } from '../../auth/budgets.ts'
import { createEmailLink, findPendingEmail, isAddressTaken } from '../../auth/email-change.ts'
import { requireFreshSignIn } from '../../auth/reauthentication.ts'
import { isVerified } from '../../auth/verified-email.ts'
import { userTurn } from '../../auth/ways-in.ts'
import type { Tx } from '../../database/connection.ts'
import { invalid } from '../../errors/http-error.ts'
import { userRoute } from '../../http/route.ts'
import { noteUnpublished, publishUser } from '../../domain/publish-user.ts'
import type { Tables } from '../../database/tables.ts'
import { mailChangeRequested, mailEmailLink } from './security-mails.ts'

/** A row as the contract's `User`, with its address as far as it is proven. */
export async function presentUser(tx: Tx, row: Selectable<Tables['users']>, now: Date) {
  const { id, name, email, job_title, phone, timezone, avatar_url, superadmin } = row
  const { created_at, updated_at } = row
  const profile = { id, name, email, job_title, phone, timezone, avatar_url, superadmin }
  const pending_email = await findPendingEmail(tx, row, now)
  const email_verified = await isVerified(tx, row)
  return { ...profile, pending_email, email_verified, created_at, updated_at }
}

/** `GET /api/v1/userinfo`: the signed-in user. */
export const getUserinfo = userRoute(endpoints.getUserinfo, async ({ tx, user, services }) => ({
  data: await presentUser(tx, user, services.now()),
}))

const DAY_MS = 86_400_000
/** Addresses of one user in a day, more than links are mailed: the answer tells whether another account has it. */
const MAX_ADDRESSES = 30

/**
 * `PUT /api/v1/userinfo`: changes the named fields. A new address becomes `pending_email`, and that of the user
 * when the link sent to it was followed. 403 with code `reauthentication_required` for an address without a fresh
 * sign-in, 422 for one that is taken, 429 for too many addresses or links.
 */
export const updateUserinfo = userRoute(
  endpoints.updateUserinfo,
  async ({ services, tx, user, body: { email, ...fields }, now, request_id, afterCommit }) => {
    const at = services.now()
    const isNew = email !== undefined && email !== user.email
    const isAsked = isNew && email !== (await findPendingEmail(tx, user, at))
    if (isAsked) requireFreshSignIn(user, at)
    if (isNew && (await isAddressTaken(tx, email, at, user.id)))
      throw invalid({ email: ['This email address is taken.'] })
    if (isAsked) {
      const post = { services, tx, now: at, request_id }
      const link = await createEmailLink(tx, user.id, email, at)
      await mailEmailLink(post, user.id, { email, ...link })
      if (user.email_verified) await mailChangeRequested(post, user, email)
      // Not awaited: the mail server may be slow or unreachable.
      afterCommit(async () => void services.mail.deliver())
    }
    const changed = await tx
      .updateTable('users')
      .set({ ...fields, updated_at: now })
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (changed.name !== user.name || changed.avatar_url !== user.avatar_url) {
      await noteUnpublished(tx, user.id)
      afterCommit(() => publishUser(services.database, user.id))
    }
    return { data: await presentUser(tx, changed, at) }
  },
  // A denial would undo the count.
  async ({ services: { database, now }, user: { id, family_id }, body, requireSession }) => {
    const { email } = body
    if (email === undefined) return
    await database.authInTurn(userTurn(id, family_id), async (tx) => {
      const [user, at] = [await requireSession(tx), now()]
      if ([user.email, await findPendingEmail(tx, user, at)].includes(email)) return
      requireFreshSignIn(user, at)
      const budget = { subject: `address tried by ${id}`, max: MAX_ADDRESSES, windowMs: DAY_MS }
      const message = 'Too many email addresses were tried. Please wait.'
      await requireBudget(tx, budget, at, message, 'email')
    })
  },
)
