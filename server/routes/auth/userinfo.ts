// The signed-in user.
import type { Selectable } from 'kysely'
import { endpoints } from '../../../contract/endpoints.ts'
import { createEmailLink, findPendingEmail, isAddressTaken } from '../../auth/email-change.ts'
import { requireFreshSignIn } from '../../auth/reauthentication.ts'
import { isVerified } from '../../auth/verified-email.ts'
import type { Tx } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { invalid } from '../../errors/http-error.ts'
import { userRoute } from '../../http/route.ts'
import { findOrganisation, nextVersion } from '../../domain/organisation.ts'
import { errorFields, log } from '../../log.ts'
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

/**
 * `PUT /api/v1/userinfo`: changes the named fields. A new address becomes `pending_email`, and that of the user
 * when the link sent to it was followed. 422 for an address that is taken, 403 with code
 * `reauthentication_required` for one without a fresh sign-in, 429 for too many links.
 */
export const updateUserinfo = userRoute(
  endpoints.updateUserinfo,
  async ({ services, tx, user, body: { email, ...fields }, now, request_id, afterCommit }) => {
    const at = services.now()
    const isNew = email !== undefined && email !== user.email
    if (isNew && (await isAddressTaken(tx, email, at, user.id)))
      throw invalid({ email: ['This email address is taken.'] })
    if (isNew && email !== (await findPendingEmail(tx, user, at))) {
      requireFreshSignIn(user, at)
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
    if (changed.name !== user.name || changed.avatar_url !== user.avatar_url)
      afterCommit(() => publishUser(services.database, user.id))
    return { data: await presentUser(tx, changed, at) }
  },
)

/**
 * Publishes a change of the user that is committed to other members, as one of each membership. By itself, and in the
 * turn of each organisation: the change must not wait for all of them, with the user locked.
 */
export async function publishUser(database: Database, user_id: string): Promise<void> {
  const memberships = await database.auth((tx) =>
    tx
      .selectFrom('organisation_users')
      .select('organisation_id as id')
      .where('user_id', '=', user_id)
      .execute(),
  )
  for (const { id } of memberships) {
    const publish = database.tenant(id, (tx) => renewMembership(tx, id, user_id), user_id, 'write')
    await publish.catch((error: unknown) =>
      log('error', 'change of a user not published', { user_id, ...errorFields(error) }),
    )
  }
}

async function renewMembership(tx: Tx, organisation_id: string, user_id: string): Promise<void> {
  // Nothing when it has ended meanwhile.
  if (!(await findOrganisation(tx, user_id, organisation_id))) return
  await tx
    .updateTable('organisation_users')
    .set({ version: await nextVersion(tx, organisation_id) })
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .execute()
}
