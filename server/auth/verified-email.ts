// Verified e-mail addresses: the user followed a link in a mail to the address, or a provider confirmed it.
// Registering with an address verifies nothing.
import type { Tx } from '../database/connection.ts'

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
