// Invitations: found by what came in the mail, and accepted by whom they were meant for.
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../database/database.ts'
import { requireCapacity } from './plan-limits.ts'
import { HttpError, forbidden } from '../errors/http-error.ts'
import { nextVersion } from './organisation.ts'
import { sha256 } from '../auth/tokens.ts'
import { markVerified } from '../auth/verified-email.ts'

/** Unknown, used, late or taken back: never tell which. */
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
 * Makes the user a member by an invitation. Returns the organisation's id. Throws a 404 Refusal when
 * the link is over, and a 403 one when it was meant for another address or there is no room.
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
  // Again, now that nobody else can use it at the same time.
  const invite = await findInvite(tx, token, now)
  if (!invite) throw invalidLink()
  if (invite.email !== user.email) throw forbidden('This invitation is for another address.')
  await tx
    .updateTable('organisation_invites')
    .set({ accepted_at: now })
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', invite.id)
    .execute()
  // The link was in a mail to that address alone.
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
