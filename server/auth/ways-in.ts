// The ways into an account: a password, providers, passkeys. The last one cannot be removed.
import type { Tx } from '../database/connection.ts'
import { forbidden } from '../errors/http-error.ts'

/**
 * Locks the user, so that two requests do not remove the last two. Throws a 403 HttpError when the user has only one
 * way in.
 */
export async function requireSecondWayIn(tx: Tx, user_id: string): Promise<void> {
  const { password_hash } = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', user_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const providers = await tx
    .selectFrom('social_sign_ins')
    .select('id')
    .where('user_id', '=', user_id)
    .execute()
  const passkeys = await tx
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', user_id)
    .execute()
  if (providers.length + passkeys.length + (password_hash === null ? 0 : 1) < 2)
    throw forbidden('This is the only way into your account. Set a password first.')
}
