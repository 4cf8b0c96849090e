// Runs the recurring jobs of a process.
import type { Database } from '../database/database.ts'
import { errorFields, log } from '../log.ts'
import { sendDigests } from './digest.ts'
import type { MailQueue } from './mail-queue.ts'
import { sendDueReminders } from './due-reminders.ts'
import { purgeExpired } from './purge.ts'
import type { PushQueue } from './push-queue.ts'
import type { StripeClient } from '../integrations/stripe.ts'
import { publishUsers } from '../domain/publish-user.ts'
import { reconcileBilling } from '../domain/billing-state.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What the jobs work with. Undefined services are not configured. */
export interface JobContext {
  database: Database
  now: () => Date
  mail: MailQueue
  push: PushQueue | undefined
  stripe: StripeClient | undefined
  publicUrl: () => string
}

/**
 * Starts the timers: queues every minute, digests, reminders and unpublished users every five minutes, a checkpoint
 * every ten, billing, purge and vacuum every hour. Returns the function that stops them.
 */
export function startScheduler(context: JobContext): () => void {
  const { database, now, mail, push, stripe } = context
  const every = (milliseconds: number, work: () => Promise<void>) =>
    setInterval(() => {
      work().catch((error: unknown) => log('error', 'scheduled job failed', errorFields(error)))
    }, milliseconds).unref()
  const timers = [
    every(MINUTE_MS, () => mail.deliver()),
    every(5 * MINUTE_MS, () => sendDigests(context)),
    every(5 * MINUTE_MS, () => publishUsers(database)),
    ...(push
      ? [
          every(MINUTE_MS, () => push.deliver()),
          every(5 * MINUTE_MS, () => sendDueReminders({ database, now, push })),
        ]
      : []),
    every(10 * MINUTE_MS, () => database.checkpoint()),
    every(HOUR_MS, async () => {
      if (stripe) await reconcileBilling({ database, now, stripe })
      await purgeExpired(database, now(), { usesStripe: stripe !== undefined })
      await database.vacuum()
    }),
  ]
  return () => timers.forEach((timer) => clearInterval(timer))
}
