// What must be done from time to time: forgetting what is over, compacting what was written.
import type { Database } from './database.ts'
import { errorFields, log } from './log.ts'
import { sendDigests } from './outside/digest.ts'
import type { MailQueue } from './outside/mail-queue.ts'
import { tellOfActions } from './outside/push-mornings.ts'
import type { PushQueue } from './outside/push-queue.ts'
import type { Billing } from './outside/stripe.ts'
import { mendStandings } from './standing.ts'
import { endSubscriptions } from './subscriptions.ts'
import { TOKEN_LIFETIMES } from './tokens.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const KEY_DAYS = 30
const ATTEMPT_HOURS = 1
/** What happened so long ago is in no digest any more. */
const TOLD_DAYS = 30
/** Their signatures hold for five minutes, and Stripe tries for three days. */
const EVENT_DAYS = 30

/** Deletes idempotency keys after 30 days, and sessions, links and subscriptions that are over. */
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
    await tx.deleteFrom('password_resets').where('expires_at', '<', ago(0)).execute()
    await tx
      .deleteFrom('stripe_events')
      .where('at', '<', ago(EVENT_DAYS * DAY))
      .execute()
    await tx
      .deleteFrom('digests')
      .where('at', '<', ago(TOLD_DAYS * DAY))
      .execute()
    await tx
      .deleteFrom('pushes_told')
      .where('at', '<', ago(TOLD_DAYS * DAY))
      .execute()
    await tx
      .deleteFrom('assignments')
      .where('assigned_at', '<', ago(TOLD_DAYS * DAY))
      .execute()
    await endSubscriptions(tx, ago(0))
  })
}

export interface Upkept {
  database: Database
  now: () => Date
  mail: MailQueue
  push: PushQueue | undefined
  stripe: Billing | undefined
  publicUrl: () => string
}

/**
 * Sends mail and notifications that wait every minute and digests every five, checkpoints every ten minutes, forgets and
 * vacuums every hour. Returns how to end it.
 */
export function startUpkeep(work: Upkept): () => void {
  const { database, now, mail, push, stripe } = work
  const every = (milliseconds: number, work: () => Promise<void>) =>
    setInterval(() => {
      work().catch((error: unknown) => log('error', 'upkeep failed', errorFields(error)))
    }, milliseconds).unref()
  const timers = [
    every(HOUR / 60, () => mail.deliver()),
    every(HOUR / 12, () => sendDigests(work)),
    ...(push
      ? [
          every(HOUR / 60, () => push.deliver()),
          every(HOUR / 12, () => tellOfActions({ database, now, push })),
        ]
      : []),
    every(HOUR / 6, () => database.checkpoint()),
    every(HOUR, async () => {
      if (stripe) await mendStandings({ database, now, stripe })
      await forgetWhatIsOver(database, now())
      await database.vacuum()
    }),
  ]
  return () => timers.forEach((timer) => clearInterval(timer))
}
