// A new password that ends everything started with the old one.
import type { Tx } from '../database/connection.ts'
import { withdrawEmailChange } from './email-change.ts'
import { clearAttempts } from './login-throttle.ts'
import { deleteResetLinks, endSessions } from './verified-email.ts'

/**
 * Sets the password and the address of a user, and ends all sessions, notifications, links that set a password
 * and a pending change of the address. Wrong passwords so far no longer count. `at`: ISO 8601.
 */
export async function replacePassword(
  tx: Tx,
  user: { id: string; email: string },
  { password_hash, at }: { password_hash: string; at: string },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash, email: user.email, updated_at: at })
    .where('id', '=', user.id)
    .execute()
  await endSessions(tx, user.id, at)
  await deleteResetLinks(tx, user.id)
  await withdrawEmailChange(tx, user.id)
  await tx.deleteFrom('push_subscriptions').where('user_id', '=', user.id).execute()
  await clearAttempts(tx, user.email)
}
