// Verified e-mail addresses: the user followed a link in a mail to the address, or a provider confirmed it.
// Registering with an address verifies nothing.
import type { Tx } from '../database/connection.ts'
import { endSessions } from './end-sessions.ts'

/** Marks the address as verified. It counts only while it is the user's current address. */
export async function markVerified(tx: Tx, user_id: string, email: string): Promise<void> {
  await tx
    .insertInto('verified_addresses')
    .values({ user_id, email })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ email }))
    .execute()
}

/** Whether the user has verified this address. */
export async function isVerified(
  tx: Tx,
  { id, email }: { id: string; email: string },
): Promise<boolean> {
  const found = await tx
    .selectFrom('verified_addresses')
    .select('user_id')
    .where('user_id', '=', id)
    .where('email', '=', email)
    .executeTakeFirst()
  return found !== undefined
}

/** What else gave access to an account when its address was proven, or its password set by a mailed link. */
export interface DroppedAccess {
  /** Such as `google`. */
  providers: string[]
  passkeys: number
  sessions: number
  notifications: number
}

/**
 * Marks the address as proven by this user. Where it was not before, someone else may have set up the account:
 * every other way in ends, and a pending change of the address. Returns what ended; undefined when the address was
 * proven before.
 */
export async function proveAddress(
  tx: Tx,
  user: { id: string; email: string },
  { now, family_id }: { now: string; family_id?: string | undefined },
): Promise<DroppedAccess | undefined> {
  if (await isVerified(tx, user)) return undefined
  await markVerified(tx, user.id, user.email)
  await tx.deleteFrom('email_changes').where('user_id', '=', user.id).execute()
  return await dropOtherAccess(tx, user.id, now, family_id)
}

/**
 * Ends every way into an account but the password: providers, passkeys, sessions except `family_id`, notifications
 * and links that set a password. Returns what ended.
 */
export async function dropOtherAccess(
  tx: Tx,
  user_id: string,
  now: string,
  family_id?: string,
): Promise<DroppedAccess> {
  await deleteResetLinks(tx, user_id)
  const linked = await tx
    .deleteFrom('social_sign_ins')
    .where('user_id', '=', user_id)
    .returning('provider')
    .execute()
  const passkeys = await tx.deleteFrom('passkeys').where('user_id', '=', user_id).executeTakeFirst()
  return {
    providers: linked.map(({ provider }) => provider),
    passkeys: Number(passkeys.numDeletedRows),
    ...(await endSessions(tx, user_id, now, family_id)),
  }
}

/**
 * Deletes the links that set a new password. Those that restore a former address stay: they protect its owner
 * from the person who changed it.
 */
export async function deleteResetLinks(tx: Tx, user_id: string): Promise<void> {
  await tx
    .deleteFrom('password_resets')
    .where('user_id', '=', user_id)
    .where('restored_email', 'is', null)
    .execute()
}
