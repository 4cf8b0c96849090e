// Invitations: found by the token from the mail, and accepted by the invited user.
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../database/connection.ts'
import { requireCapacity } from './plan-limits.ts'
import { HttpError, forbidden } from '../errors/http-error.ts'
import { nextVersion } from './organisation.ts'
import { sha256 } from '../hash.ts'
import { markVerified } from '../auth/verified-email.ts'

/** 404. The same for an unknown, used, expired or withdrawn link, so that tokens cannot be probed. */
export const invalidLink = () => new HttpError(404, { message: 'This link is no longer valid.' })

/** The open invitation of a token; undefined when it is unknown, used or expired. */
export const findInvite = (tx: Tx, token: string, now: string) =>
  tx
    .selectFrom('organisation_invites')
    .innerJoin('organisations', 'organisations.id', 'organisation_invites.organisation_id')
    .selectAll('organisation_invites')
    .select(['organisations.name', 'organisations.plan'])
    .where('token_hash', '=', sha256(token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/**
 * Makes the user a member by an invitation and returns the organisation's id. Throws an HttpError: 404 when
 * the link is no longer valid, 403 when it is for another address or the plan allows no more members.
 */
export async function acceptInvite(
  tx: Tx,
  token: string,
  user: { id: string; email: string },
  now: string,
): Promise<string> {
  const found = await findInvite(tx, token, now)
  if (!found) throw invalidLink()
  const { organisation_id } = found
  const version = await nextVersion(tx, organisation_id)
  // Read again, now that the lock of `nextVersion` keeps others from accepting it.
  const invite = await findInvite(tx, token, now)
  if (!invite) throw invalidLink()
  if (invite.email !== user.email) throw forbidden('This invitation is for another address.')
  await tx
    .updateTable('organisation_invites')
    .set({ accepted_at: now })
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', invite.id)
    .execute()
  // The link was mailed to that address only.
  await markVerified(tx, user.id, invite.email)
  const member = await tx
    .selectFrom('organisation_users')
    .select('id')
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  if (member) return organisation_id
  await requireCapacity(tx, { id: organisation_id, plan: invite.plan }, 'members')
  await tx
    .insertInto('organisation_users')
    .values({
      organisation_id,
      id: uuidv7(),
      user_id: user.id,
      role: invite.role,
      version,
      created_at: now,
    })
    .execute()
  return organisation_id
}
