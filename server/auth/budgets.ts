// Limits on what costs the server or a recipient something, counted in the database: over all processes and
// restarts.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../database/connection.ts'
import { retryAfter } from '../errors/http-error.ts'
import { lockKey, sha256 } from '../hash.ts'

/** How often something may be done for one subject, such as a network or a recipient. */
export interface Budget {
  /** What is counted and for whom, such as `register 203.0.113.7`. Only its hash is stored. */
  subject: string
  max: number
  windowMs: number
}

/** A clock that was set back must not lock anyone out: hits of the future do not count. */
const CLOCK_TOLERANCE_MS = 60_000

/** What is later is of a clock that was set back since. */
export const latestInstant = (now: Date): Date => new Date(now.getTime() + CLOCK_TOLERANCE_MS)

/**
 * Counts one use. Returns 0, or the seconds until the next one is allowed; then nothing is counted.
 */
export async function useBudget(
  tx: Tx,
  { subject, max, windowMs }: Budget,
  now: Date,
): Promise<number> {
  const subject_hash = sha256(subject)
  // Serialises concurrent uses: otherwise none would count the others.
  await sql`select pg_advisory_xact_lock(3, ${lockKey(subject)})`.execute(tx)
  const blocking = await tx
    .selectFrom('rate_limit_hits')
    .select('hit_at')
    .where('subject_hash', '=', subject_hash)
    .where('hit_at', '>', new Date(now.getTime() - windowMs).toISOString())
    .where('hit_at', '<=', latestInstant(now).toISOString())
    .orderBy('hit_at', 'desc')
    .offset(max - 1)
    .limit(1)
    .executeTakeFirst()
  if (blocking) return (Date.parse(blocking.hit_at) + windowMs - now.getTime()) / 1_000
  await tx
    .insertInto('rate_limit_hits')
    .values({ id: uuidv7(), subject_hash, hit_at: now.toISOString() })
    .execute()
  return 0
}

/** Counts one use. Throws a 429 HttpError with `message`, of `field`, and `Retry-After` where none is left. */
export async function requireBudget(
  tx: Tx,
  budget: Budget,
  now: Date,
  message: string,
  field?: string,
): Promise<void> {
  const waitSeconds = await useBudget(tx, budget, now)
  if (waitSeconds > 0) throw retryAfter(429, message, waitSeconds, field)
}

/** Records that something was done for the subject, for `wasDone`. */
export async function recordDone(tx: Tx, subject: string, now: Date): Promise<void> {
  await tx
    .insertInto('rate_limit_hits')
    .values({ id: uuidv7(), subject_hash: sha256(subject), hit_at: now.toISOString() })
    .execute()
}

/** Whether it was done for the subject within the last `windowMs`. */
export async function wasDone(
  tx: Tx,
  subject: string,
  windowMs: number,
  now: Date,
): Promise<boolean> {
  const found = await tx
    .selectFrom('rate_limit_hits')
    .select('id')
    .where('subject_hash', '=', sha256(subject))
    .where('hit_at', '>', new Date(now.getTime() - windowMs).toISOString())
    .where('hit_at', '<=', latestInstant(now).toISOString())
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
