// Whether an address is known to be its user's: a link that was mailed there was followed, or somebody
// vouched for it. Whoever registers with an address has not shown anything yet.
import type { Tx } from '../database/database.ts'

/** Notes it, for as long as it is the user's address. */
export async function markVerified(tx: Tx, user_id: string, email: string): Promise<void> {
  await tx
    .insertInto('verified_addresses')
    .values({ user_id, email })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ email }))
    .execute()
}

/** Whether the user has shown that the address is theirs. */
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
