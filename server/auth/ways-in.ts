// The ways into an account: a password, providers, passkeys. The last one cannot be removed.
import type { Selectable } from 'kysely'
import type { Tx } from '../database/connection.ts'
import type { Turn } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { forbidden } from '../errors/http-error.ts'

/**
 * The row of a user, locked until the transaction ends; undefined when there is none. A transaction that signs a user
 * in, changes a way in or ends access takes this lock first, and reads only then what it relies on: so it sees all that
 * an earlier one has done. Transactions that only refer to the user do not wait.
 */
export const lockUser = (
  tx: Tx,
  user_id: string,
): Promise<Selectable<Tables['users']> | undefined> =>
  tx.selectFrom('users').selectAll().where('id', '=', user_id).forNoKeyUpdate().executeTakeFirst()

/** The turn of a transaction that takes it. `caller`: a session or a network. `organisation_id`: see Turn. */
export const userTurn = (user_id: string, caller: string, organisation_id?: string): Turn => ({
  lock: `user ${user_id}`,
  caller,
  organisation_id,
})

/**
 * Throws a 403 HttpError when the user, whom the transaction has locked, has only one way in: two requests do not
 * remove the last two.
 */
export async function requireSecondWayIn(
  tx: Tx,
  { id: user_id, password_hash }: { id: string; password_hash: string | null },
): Promise<void> {
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
