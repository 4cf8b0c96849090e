// What must be done from time to time: forgetting what is over, compacting what was written.
import type { Database } from './database.ts'
import { TOKEN_LIFETIMES } from './tokens.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const KEY_DAYS = 30
const ATTEMPT_HOURS = 1

/** Deletes idempotency keys after 30 days, and sessions and sign-in attempts that are over. */
export async function forgetWhatIsOver(database: Database, now: Date): Promise<void> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()
  await database.system(async (tx) => {
    await tx
      .deleteFrom('idempotency_keys')
      .where('created_at', '<', ago(KEY_DAYS * DAY))
      .execute()
    await tx.deleteFrom('access_tokens').where('expires_at', '<', ago(0)).execute()
    await tx
      .deleteFrom('token_families')
      .where((family) =>
        family.or([
          family('created_at', '<', ago(TOKEN_LIFETIMES.totalDays * DAY)),
          family('last_used_at', '<', ago(TOKEN_LIFETIMES.idleDays * DAY)),
        ]),
      )
      .execute()
    await tx
      .deleteFrom('sign_in_attempts')
      .where('at', '<', ago(ATTEMPT_HOURS * HOUR))
      .execute()
  })
}

/** Checkpoints every ten minutes, forgets and vacuums every hour. Returns how to end it. */
export function startUpkeep(database: Database, now: () => Date): () => void {
  const every = (milliseconds: number, work: () => Promise<void>) =>
    setInterval(() => {
      work().catch((error: unknown) => console.error('Upkeep failed:', error))
    }, milliseconds).unref()
  const timers = [
    every(HOUR / 6, () => database.checkpoint()),
    every(HOUR, async () => {
      await forgetWhatIsOver(database, now())
      await database.vacuum()
    }),
  ]
  return () => timers.forEach((timer) => clearInterval(timer))
}
