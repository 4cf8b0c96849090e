// Limits sign-in attempts: five for an account or twenty from a network address within 15 minutes (contract,
// Tokens). The same for accounts that do not exist, so that the limit does not reveal them.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../database/connection.ts'
import { retryAfter } from '../errors/http-error.ts'
import { sha256 } from '../hash.ts'

const WINDOW_MS = 15 * 60_000
const MAX_PER_ACCOUNT = 5
const MAX_PER_ADDRESS = 20

/** Records an attempt, before its password is checked. Throws a 429 HttpError when there were too many. */
export async function recordAttempt(
  tx: Tx,
  attempt: { username: string; address: string; now: Date },
): Promise<void> {
  const account_hash = sha256(attempt.username)
  // Serialises concurrent attempts: otherwise each would count only those before all of them.
  await sql`select pg_advisory_xact_lock(1, hashtext(${attempt.username})),
    pg_advisory_xact_lock(2, hashtext(${attempt.address}))`.execute(tx)
  const since = new Date(attempt.now.getTime() - WINDOW_MS).toISOString()
  const recent = tx
    .selectFrom('sign_in_attempts')
    .select('attempted_at')
    .where('attempted_at', '>', since)
    .orderBy('attempted_at', 'desc')
  // The attempt that has to leave the window before another one is allowed.
  const blocking =
    (await recent
      .where('account_hash', '=', account_hash)
      .offset(MAX_PER_ACCOUNT - 1)
      .limit(1)
      .executeTakeFirst()) ??
    (await recent
      .where('address', '=', attempt.address)
      .offset(MAX_PER_ADDRESS - 1)
      .limit(1)
      .executeTakeFirst())
  if (blocking) {
    const seconds = (Date.parse(blocking.attempted_at) + WINDOW_MS - attempt.now.getTime()) / 1000
    throw retryAfter(429, 'Too many sign-in attempts. Please wait.', seconds)
  }
  await tx
    .insertInto('sign_in_attempts')
    .values({
      id: uuidv7(),
      account_hash,
      address: attempt.address,
      attempted_at: attempt.now.toISOString(),
    })
    .execute()
}

/** Deletes the attempts of an account, after the right password or a reset. */
export async function clearAttempts(tx: Tx, username: string): Promise<void> {
  await tx.deleteFrom('sign_in_attempts').where('account_hash', '=', sha256(username)).execute()
}
