// Finds or creates the user of a social sign-in.
import { v7 as uuidv7 } from 'uuid'
import type { RegistrationMode } from '../../contract/schemas/config.ts'
import type { Tx } from '../database/connection.ts'
import { sha256 } from '../hash.ts'
import { isAddressTaken } from './email-change.ts'
import type { Identity } from './google.ts'
import { isVerified, markVerified } from './verified-email.ts'
import { lockUser } from './ways-in.ts'

/** Records that an ID token or a code was used. False when it was before: each one is good for one sign-in. */
export async function useIdToken(tx: Tx, token: string, expires_at: string): Promise<boolean> {
  const used = await tx
    .insertInto('used_id_tokens')
    .values({ token_hash: sha256(token), expires_at })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst()
  return used !== undefined
}

/**
 * Returns the user with this subject, else the user who verified the address, else a new one. `taken`: the
 * address belongs to a user who never verified it, and may have registered with a foreign address in order to
 * share the account later. `closed`: `registration` allows no new user with this address.
 */
export async function findOrCreateSocialUser(
  tx: Tx,
  identity: Identity,
  now: Date,
  registration: RegistrationMode,
): Promise<{ user_id: string } | 'taken' | 'closed'> {
  const { provider, subject, email, name, avatar_url } = identity
  const findLinked = () =>
    tx
      .selectFrom('social_sign_ins')
      .select('user_id')
      .where('provider', '=', provider)
      .where('subject', '=', subject)
      .executeTakeFirst()
  const found = await findLinked()
  if (found) await lockUser(tx, found.user_id)
  // It may have been removed before the lock was taken.
  const linked = found && (await findLinked())
  if (linked) return linked
  // Read first: a concurrent sign-in may create this very user meanwhile, who then counts as known.
  const isTaken = await isAddressTaken(tx, email, now)
  const holder = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', '=', email)
    // As `lockUser`.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (holder ? !(await isVerified(tx, holder)) : isTaken) return 'taken'
  const id = holder?.id ?? uuidv7()
  const at = now.toISOString()
  if (!holder) {
    if (!(await mayRegister(tx, email, at, registration))) return 'closed'
    const times = { created_at: at, updated_at: at }
    await tx
      .insertInto('users')
      .values({ id, name, email, avatar_url, password_hash: null, timezone: 'UTC', ...times })
      .execute()
    await markVerified(tx, id, email)
  }
  await tx
    .insertInto('social_sign_ins')
    .values({ provider, subject, user_id: id, email, created_at: at })
    .execute()
  return { user_id: id }
}

/** Whether a new user with this proven address is allowed. */
async function mayRegister(tx: Tx, email: string, now: string, registration: RegistrationMode) {
  if (registration !== 'invited') return registration === 'open'
  const invited = await tx
    .selectFrom('organisation_invites')
    .select('id')
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return invited !== undefined
}
