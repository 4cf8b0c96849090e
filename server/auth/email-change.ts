// Changing an e-mail address: the new one counts once the user who asked for it has followed the link that was mailed
// to it. The former address gets a link that restores it, unless the user changes back to an address that has such a
// link already.
import type { Tx } from '../database/connection.ts'
import { sha256 } from '../hash.ts'
import { newToken } from './tokens.ts'
import { deleteResetLinks, isVerified, proveAddress, type DroppedAccess } from './verified-email.ts'

const HOUR_MS = 3_600_000
/** How long the link to a new address is valid. */
export const CONFIRM_HOURS = 24
/** How long the former address can be restored. */
export const RESTORE_HOURS = 72

const inHours = (hours: number, now: Date) =>
  new Date(now.getTime() + hours * HOUR_MS).toISOString()

/**
 * Whether an account has this address, or had it so recently that its owner may restore it. `except`: the user
 * who asks.
 */
export async function isAddressTaken(
  tx: Tx,
  email: string,
  now: Date,
  except?: string,
): Promise<boolean> {
  const holder = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (holder) return holder.id !== except
  const former = await tx
    .selectFrom('password_resets')
    .select('user_id')
    .where('restored_email', '=', email)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return former !== undefined && former.user_id !== except
}

/** The address that the user has asked for and not yet proven; null without one. */
export async function findPendingEmail(
  tx: Tx,
  user: { id: string; email: string },
  now: Date,
): Promise<string | null> {
  const change = await tx
    .selectFrom('email_changes')
    .select('email')
    .where('user_id', '=', user.id)
    .where('email', '!=', user.email)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return change?.email ?? null
}

/** Stores a link that proves the address for this user, in place of an earlier one. Returns its token. */
export async function createEmailLink(
  tx: Tx,
  user_id: string,
  email: string,
  now: Date,
): Promise<{ token: string; expires_at: string }> {
  const token = newToken()
  const expires_at = inHours(CONFIRM_HOURS, now)
  const columns = { email, token_hash: sha256(token), expires_at }
  await tx
    .insertInto('email_changes')
    .values({ user_id, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
  return { token, expires_at }
}

/** Ends a change that was asked for. */
export async function withdrawEmailChange(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('email_changes').where('user_id', '=', user_id).execute()
}

/** Deletes the links of the user that are valid at `expires_at`: those to earlier addresses stay. */
export async function deleteLinksSince(tx: Tx, user_id: string, expires_at: string): Promise<void> {
  await tx
    .deleteFrom('password_resets')
    .where('user_id', '=', user_id)
    .where('expires_at', '>=', expires_at)
    .execute()
}

/**
 * Does what the link that restores this address would do to the others: those to later addresses end with it, which
 * may be an intruder's. False where no such link is valid.
 */
async function endWayBack(tx: Tx, user_id: string, email: string, at: string): Promise<boolean> {
  const link = await tx
    .selectFrom('password_resets')
    .select('expires_at')
    .where('user_id', '=', user_id)
    .where('restored_email', '=', email)
    .where('expires_at', '>', at)
    .orderBy('expires_at')
    .executeTakeFirst()
  if (link) await deleteLinksSince(tx, user_id, link.expires_at)
  return link !== undefined
}

/** What a followed link has changed. */
export interface ProvenEmail {
  email: string
  dropped: DroppedAccess | undefined
  /** The former address and the token that restores it; undefined where it was not proven, or it was a change back. */
  former: { email: string; token: string; expires_at: string } | undefined
}

/**
 * Follows the link: its address becomes the user's. Undefined when it is unknown, expired, or another user's,
 * so that opening a mail cannot give a user's account the address of another person.
 */
export async function followEmailLink(
  tx: Tx,
  user: { id: string; email: string; family_id: string },
  token: string,
  now: Date,
): Promise<ProvenEmail | undefined> {
  const at = now.toISOString()
  const change = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', user.id)
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', at)
    .returning('email')
    .executeTakeFirst()
  if (!change || (await isAddressTaken(tx, change.email, now, user.id))) return undefined
  const isChanged = change.email !== user.email
  const wasProven = isChanged && (await isVerified(tx, user))
  if (isChanged) {
    // These links were mailed to the former address, and must not open the account any more.
    await deleteResetLinks(tx, user.id)
    await tx
      .updateTable('users')
      .set({ email: change.email, updated_at: at })
      .where('id', '=', user.id)
      .execute()
  }
  const proven = { id: user.id, email: change.email }
  const dropped = await proveAddress(tx, proven, { now: at, family_id: user.family_id })
  const isBack = isChanged && (await endWayBack(tx, user.id, change.email, at))
  if (!wasProven || isBack) return { email: change.email, dropped, former: undefined }
  const restoring = { token: newToken(), expires_at: inHours(RESTORE_HOURS, now) }
  await tx
    .insertInto('password_resets')
    .values({
      token_hash: sha256(restoring.token),
      user_id: user.id,
      expires_at: restoring.expires_at,
      restored_email: user.email,
    })
    .execute()
  return { email: change.email, dropped, former: { email: user.email, ...restoring } }
}
