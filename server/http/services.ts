// What the handlers work with; one object for each running server.
import type { Config } from '../../contract/schemas/config.ts'
import type { Database } from '../database/database.ts'
import type { IdempotencyGate } from './idempotency.ts'
import type { BotCheck } from '../integrations/bot-check.ts'
import type { VerifyIdToken } from '../auth/google.ts'
import type { MailQueue } from '../jobs/mail-queue.ts'
import type { PushQueue } from '../jobs/push-queue.ts'
import type { StripeClient } from '../integrations/stripe.ts'
import type { RateLimit } from './rate-limit.ts'
import type { TokenService } from '../auth/tokens.ts'

export interface Services {
  database: Database
  /** The only clock: tests move it. */
  now: () => Date
  tokens: TokenService
  rateLimit: RateLimit
  idempotency: IdempotencyGate
  config: Config
  mail: MailQueue
  /** Who somebody is for Google; undefined where that is not offered. */
  google: VerifyIdToken | undefined
  /** Whether a person fills in a form; undefined where nobody looks. */
  botCheck: BotCheck | undefined
  /** Tells people on their devices; undefined where that is not offered. */
  push: PushQueue | undefined
  /** Who takes the money; undefined where none moves. */
  stripe: StripeClient | undefined
  /** Where the app is, without a slash at its end: for links in mails. Never what a request says of itself. */
  publicUrl: () => string
  /** How streams of events live: aborted when the server stops, a sign of life every so many milliseconds. */
  events: { closing: AbortSignal; heartbeatMs: number }
  /** Whether a proxy before this server sets X-Forwarded-For and X-Forwarded-Proto. */
  trustProxy: boolean
}
