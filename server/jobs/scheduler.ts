// What must be done from time to time: forgetting what is over, compacting what was written.
import type { Database } from '../database/database.ts'
import { errorFields, log } from '../log.ts'
import { sendDigests } from './digest.ts'
import type { MailQueue } from './mail-queue.ts'
import { sendDueReminders } from './due-reminders.ts'
import { purgeExpired } from './purge.ts'
import type { PushQueue } from './push-queue.ts'
import type { StripeClient } from '../integrations/stripe.ts'
import { reconcileBilling } from '../domain/billing-state.ts'

const HOUR_MS = 3_600_000

export interface JobContext {
  database: Database
  now: () => Date
  mail: MailQueue
  push: PushQueue | undefined
  stripe: StripeClient | undefined
  publicUrl: () => string
}

/**
 * Sends mail and notifications that wait every minute and digests every five, checkpoints every ten minutes, forgets and
 * vacuums every hour. Returns how to end it.
 */
export function startScheduler(work: JobContext): () => void {
  const { database, now, mail, push, stripe } = work
  const every = (milliseconds: number, work: () => Promise<void>) =>
    setInterval(() => {
      work().catch((error: unknown) => log('error', 'upkeep failed', errorFields(error)))
    }, milliseconds).unref()
  const timers = [
    every(HOUR_MS / 60, () => mail.deliver()),
    every(HOUR_MS / 12, () => sendDigests(work)),
    ...(push
      ? [
          every(HOUR_MS / 60, () => push.deliver()),
          every(HOUR_MS / 12, () => sendDueReminders({ database, now, push })),
        ]
      : []),
    every(HOUR_MS / 6, () => database.checkpoint()),
    every(HOUR_MS, async () => {
      if (stripe) await reconcileBilling({ database, now, stripe })
      await purgeExpired(database, now())
      await database.vacuum()
    }),
  ]
  return () => timers.forEach((timer) => clearInterval(timer))
}
