// Invitations: found by the token from the mail, and accepted by the invited user.
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../database/connection.ts'
import { requireCapacity } from './plan-limits.ts'
import { HttpError, forbidden } from '../errors/http-error.ts'
import { lockOrganisation, nextVersion } from './organisation.ts'
import { sha256 } from '../hash.ts'
import { proveAddress, type DroppedAccess } from '../auth/verified-email.ts'

/** 404. The same for an unknown, used, expired or withdrawn link, so that tokens cannot be probed. */
export const invalidLink = () => new HttpError(404, { message: 'This link is no longer valid.' })

/** Throws a 403 HttpError unless the invitation is for this address. */
export function requireInvitee(invite: { email: string }, email: string): void {
  if (invite.email !== email) throw forbidden('This invitation is for another address.')
}

/**
 * The open invitation of a token; undefined when it is unknown, used or expired, or when its author may no longer
 * invite.
 */
export const findInvite = (tx: Tx, token: string, now: string) =>
  tx
    .selectFrom('organisation_invites')
    .innerJoin('organisations', 'organisations.id', 'organisation_invites.organisation_id')
    .innerJoin('users as author', 'author.id', 'organisation_invites.invited_by')
    .innerJoin('organisation_users as authorship', (join) =>
      join
        .onRef('authorship.organisation_id', '=', 'organisation_invites.organisation_id')
        .onRef('authorship.user_id', '=', 'organisation_invites.invited_by'),
    )
    .where((row) =>
      row.or([
        row('authorship.role', '=', 'admin'),
        row('organisations.user_id', '=', row.ref('organisation_invites.invited_by')),
        row('author.superadmin', '=', true),
      ]),
    )
    .selectAll('organisation_invites')
    .select(['organisations.name', 'organisations.plan'])
    .where('token_hash', '=', sha256(token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** An accepted invitation, and the other ways into the account that it ended (see proveAddress). */
interface AcceptedInvite {
  organisation_id: string
  dropped: DroppedAccess | undefined
}

/**
 * Makes the user a member by an invitation. Throws an HttpError: 404 when the link is no longer valid, 403 when
 * it is for another address or the plan allows no more members.
 */
export async function acceptInvite(
  tx: Tx,
  token: string,
  user: { id: string; email: string; family_id?: string },
  now: string,
): Promise<AcceptedInvite> {
  const found = await findInvite(tx, token, now)
  if (!found) throw invalidLink()
  const { organisation_id } = found
  await lockOrganisation(tx, organisation_id)
  // Read again, now that others can neither accept it nor delete the organisation.
  const invite = await findInvite(tx, token, now)
  if (!invite) throw invalidLink()
  requireInvitee(invite, user.email)
  await tx
    .updateTable('organisation_invites')
    .set({ accepted_at: now })
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', invite.id)
    .execute()
  // The link was mailed to that address only.
  const dropped = await proveAddress(tx, user, { now, family_id: user.family_id })
  const member = await tx
    .selectFrom('organisation_users')
    .select('id')
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  if (member) return { organisation_id, dropped }
  await requireCapacity(tx, { id: organisation_id, plan: invite.plan }, 'members')
  const version = await nextVersion(tx, organisation_id)
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
  return { organisation_id, dropped }
}

/** Ends the open invitations of a member who may no longer invite. */
export async function withdrawInvites(
  tx: Tx,
  organisation_id: string,
  invited_by: string,
): Promise<void> {
  await tx
    .deleteFrom('organisation_invites')
    .where('organisation_id', '=', organisation_id)
    .where('invited_by', '=', invited_by)
    .where('accepted_at', 'is', null)
    .execute()
}
