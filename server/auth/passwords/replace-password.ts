// A new password that ends everything started with the old one.
import type { Tx } from '../../database/connection.ts'
import { withdrawEmailChange } from '../email-change.ts'
import { clearAttempts } from '../login-throttle.ts'
import { dropOtherAccess, type DroppedAccess } from '../verified-email.ts'

/**
 * Sets the password and the address of a user, and ends every other way into the account, and a pending change
 * of the address: who knew the password may have more than that. Wrong passwords so far no longer count. `at`:
 * ISO 8601. Returns what ended.
 */
export async function replacePassword(
  tx: Tx,
  user: { id: string; email: string },
  { password_hash, at }: { password_hash: string; at: string },
): Promise<DroppedAccess> {
  await tx
    .updateTable('users')
    .set({ password_hash, email: user.email, updated_at: at })
    .where('id', '=', user.id)
    .execute()
  await withdrawEmailChange(tx, user.id)
  await clearAttempts(tx, user.email)
  return await dropOtherAccess(tx, user.id, at)
}
