// Finds or creates the user of a social sign-in.
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../database/connection.ts'
import { isVerified, markVerified } from './verified-email.ts'
import type { Identity } from './google.ts'

/**
 * Returns the id of the user with this subject, else of the user who verified the address, else of a new
 * user. Undefined when the address belongs to a user who never verified it: that person may have registered
 * with a foreign address in order to share the account later.
 */
export async function findOrCreateSocialUser(
  tx: Tx,
  identity: Identity,
  now: string,
): Promise<string | undefined> {
  const { subject, email, name, avatar_url } = identity
  const linked = await tx
    .selectFrom('social_sign_ins')
    .select('user_id')
    .where('provider', '=', 'google')
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (linked) return linked.user_id
  const holder = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', '=', email)
    .executeTakeFirst()
  if (holder && !(await isVerified(tx, holder))) return undefined
  const id = holder?.id ?? uuidv7()
  if (!holder) {
    const times = { created_at: now, updated_at: now }
    await tx
      .insertInto('users')
      .values({ id, name, email, avatar_url, password_hash: null, timezone: 'UTC', ...times })
      .execute()
    await markVerified(tx, id, email)
  }
  await tx
    .insertInto('social_sign_ins')
    .values({ provider: 'google', subject, user_id: id })
    .execute()
  return id
}
