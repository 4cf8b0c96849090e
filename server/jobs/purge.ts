// Deletes rows that are no longer needed.
import { TOKEN_LIFETIMES } from '../auth/tokens.ts'
import type { Database } from '../database/database.ts'
import { expireSubscriptions } from '../domain/subscriptions.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const IDEMPOTENCY_KEY_DAYS = 30
const ATTEMPT_HOURS = 1
/** What happened so long ago is in no digest any more. */
const SENT_NEWS_DAYS = 30
/** Their signatures hold for five minutes, and Stripe tries for three days. */
const EVENT_DAYS = 30

/** Deletes idempotency keys after 30 days, and sessions, links and subscriptions that are over. */
export async function purgeExpired(database: Database, now: Date): Promise<void> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()
  await database.system(async (tx) => {
    await tx
      .deleteFrom('idempotency_keys')
      .where('created_at', '<', ago(IDEMPOTENCY_KEY_DAYS * DAY_MS))
      .execute()
    await tx.deleteFrom('access_tokens').where('expires_at', '<', ago(0)).execute()
    await tx
      .deleteFrom('token_families')
      .where((family) =>
        family.or([
          family('created_at', '<', ago(TOKEN_LIFETIMES.totalDays * DAY_MS)),
          family('last_used_at', '<', ago(TOKEN_LIFETIMES.idleDays * DAY_MS)),
        ]),
      )
      .execute()
    await tx
      .deleteFrom('sign_in_attempts')
      .where('at', '<', ago(ATTEMPT_HOURS * HOUR_MS))
      .execute()
    await tx.deleteFrom('password_resets').where('expires_at', '<', ago(0)).execute()
    await tx
      .deleteFrom('stripe_events')
      .where('at', '<', ago(EVENT_DAYS * DAY_MS))
      .execute()
    await tx
      .deleteFrom('digests')
      .where('at', '<', ago(SENT_NEWS_DAYS * DAY_MS))
      .execute()
    await tx
      .deleteFrom('pushes_told')
      .where('at', '<', ago(SENT_NEWS_DAYS * DAY_MS))
      .execute()
    await tx
      .deleteFrom('assignments')
      .where('assigned_at', '<', ago(SENT_NEWS_DAYS * DAY_MS))
      .execute()
    await expireSubscriptions(tx, ago(0))
  })
}
