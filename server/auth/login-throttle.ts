// Limits sign-in attempts: five for an account from one network, or twenty wrong passwords from one network,
// within 15 minutes. The same for accounts that do not exist, so that the limit does not
// reveal them. A device that was signed in to the account before, and a network in which a link mailed to its
// address was followed, have attempts of their own, which others cannot use up.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../database/connection.ts'
import type { Turn } from '../database/database.ts'
import { retryAfter } from '../errors/http-error.ts'
import { lockKey, sha256 } from '../hash.ts'
import { latestInstant, recordDone, wasDone } from './budgets.ts'

const WINDOW_MS = 15 * 60_000
const MAX_PER_SOURCE = 5
/** From all networks together: by devices that were never signed in to the account, and as many by all that were. */
const MAX_PER_ACCOUNT = 50
const MAX_FAILED_PER_NETWORK = 20

/** Who tries: a network, and the device where it was signed in to this account before. */
export interface Attempt {
  username: string
  network: string
  /** See device-token.ts and `linkDevice`. */
  device?: string | undefined
  now: Date
}

const LINK_WINDOW_MS = 3_600_000
const linkSubject = (user_id: string, network: string) => `link followed ${user_id} ${network}`

/** Records that a link mailed to the user was followed in this network. */
export const recordLink = (tx: Tx, user_id: string, network: string, now: Date): Promise<void> =>
  recordDone(tx, linkSubject(user_id, network), now)

/** The device of an attempt from a network in which a link mailed to the user was followed within the hour. */
export async function linkDevice(
  tx: Tx,
  user_id: string | undefined,
  network: string,
  now: Date,
): Promise<string | undefined> {
  const isFollowed = await wasDone(tx, linkSubject(user_id ?? '', network), LINK_WINDOW_MS, now)
  return isFollowed ? `of a link in ${network}` : undefined
}

const sourceOf = ({ network, device }: Attempt) =>
  device === undefined ? network : `device ${device}`

const tooMany = (oldest: string, now: Date) =>
  retryAfter(
    429,
    'Too many sign-in attempts. Please wait.',
    Math.min(WINDOW_MS, Date.parse(oldest) + WINDOW_MS - now.getTime()) / 1_000,
  )

const recentAttempts = (tx: Tx, now: Date) =>
  tx
    .selectFrom('sign_in_attempts')
    .select('attempted_at')
    .where('attempted_at', '>', new Date(now.getTime() - WINDOW_MS).toISOString())
    .where('attempted_at', '<=', latestInstant(now).toISOString())
    .orderBy('attempted_at', 'desc')
    .limit(1)

/** The turn of a transaction that records an attempt. */
export const attemptTurn = (username: string, network: string): Turn => ({
  lock: `attempt ${username}`,
  caller: network,
})

/**
 * Records an attempt, before its password is checked, and returns its id. Throws a 429 HttpError when there
 * were too many.
 */
export async function recordAttempt(tx: Tx, attempt: Attempt): Promise<string> {
  const { username, device, now } = attempt
  const account_hash = sha256(username)
  // Serialises concurrent attempts: otherwise none would count the others.
  await sql`select pg_advisory_xact_lock(1, ${lockKey(username)})`.execute(tx)
  const ofAccount = recentAttempts(tx, now).where('account_hash', '=', account_hash)
  // The attempt that has to leave the window before another one is allowed.
  const blocking =
    (await ofAccount
      .where('address', '=', sourceOf(attempt))
      .offset(MAX_PER_SOURCE - 1)
      .executeTakeFirst()) ??
    (await ofAccount
      .where('address', device === undefined ? 'not like' : 'like', 'device %')
      .offset(MAX_PER_ACCOUNT - 1)
      .executeTakeFirst())
  if (blocking) throw tooMany(blocking.attempted_at, now)
  await requireNetwork(tx, attempt)
  const id = uuidv7()
  await tx
    .insertInto('sign_in_attempts')
    .values({
      id,
      account_hash,
      address: sourceOf(attempt),
      attempted_at: now.toISOString(),
      failed: false,
    })
    .execute()
  return id
}

/**
 * Throws a 429 HttpError when the network has sent too many wrong passwords. Only those count, so that many
 * users of one network can sign in at once. Checked again right before the password, because others of the
 * network may have failed while it waited.
 */
export async function requireNetwork(tx: Tx, { network, device, now }: Attempt): Promise<void> {
  if (device !== undefined) return
  const blocking = await recentAttempts(tx, now)
    .where('address', '=', network)
    .where('failed', '=', true)
    .offset(MAX_FAILED_PER_NETWORK - 1)
    .executeTakeFirst()
  if (blocking) throw tooMany(blocking.attempted_at, now)
}

/** Counts the attempt for its network as well: its password was wrong. */
export async function failAttempt(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('sign_in_attempts').set({ failed: true }).where('id', '=', id).execute()
}

/** Deletes an attempt whose password was never checked. */
export async function withdrawAttempt(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('sign_in_attempts').where('id', '=', id).execute()
}

/** Deletes the attempts of an account, after the right password or a reset. With `attempt` only its own. */
export async function clearAttempts(tx: Tx, username: string, attempt?: Attempt): Promise<void> {
  await tx
    .deleteFrom('sign_in_attempts')
    .where('account_hash', '=', sha256(username))
    .$if(attempt !== undefined, (rows) =>
      attempt ? rows.where('address', '=', sourceOf(attempt)) : rows,
    )
    .execute()
}
