// Changes with which a stolen session could take over the account need a fresh sign-in or the password.
import type { Tx } from '../database/connection.ts'
import { reauthenticationRequired } from '../errors/http-error.ts'
import { latestInstant } from './budgets.ts'
import type { SignedIn } from './tokens.ts'

const FRESH_MS = 10 * 60_000

/** Whether the user signed in, or entered the password, within the last ten minutes. */
function isFreshlySignedIn(user: SignedIn, now: Date): boolean {
  const at = Date.parse(user.authenticated_at)
  return now.getTime() - at <= FRESH_MS && at <= latestInstant(now).getTime()
}

/** Throws a 403 HttpError with code `reauthentication_required` unless `isFreshlySignedIn`. */
export function requireFreshSignIn(user: SignedIn, now: Date): void {
  if (!isFreshlySignedIn(user, now)) throw reauthenticationRequired()
}

/** Records that the user of this session has just entered the password. */
export async function markReauthenticated(tx: Tx, family_id: string, now: Date): Promise<void> {
  await tx
    .updateTable('token_families')
    .set({ authenticated_at: now.toISOString() })
    .where('id', '=', family_id)
    .execute()
}
