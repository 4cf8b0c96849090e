// Everything that handlers work with.
import type { Vital } from '../../contract/schemas/vitals.ts'
import type { Config } from '../../contract/schemas/config.ts'
import type { Database } from '../database/database.ts'
import type { IdempotencyGate } from './idempotency.ts'
import type { BotCheck } from '../integrations/bot-check.ts'
import type { VerifyIdToken } from '../auth/google.ts'
import type { OidcProvider } from '../auth/oidc.ts'
import type { Passkeys } from '../auth/passkeys.ts'
import type { MailQueue } from '../jobs/mail-queue.ts'
import type { PushQueue } from '../jobs/push-queue.ts'
import type { StripeClient } from '../integrations/stripe.ts'
import type { EventStreams } from './sync/event-streams.ts'
import type { PageStreams } from './sync/page-streams.ts'
import type { KeptLists } from './list-query.ts'
import type { SharedPages } from './sync/shared-pages.ts'
import type { RateLimit } from './rate-limit.ts'
import type { KnownTokens } from './access/known-tokens.ts'
import type { DeviceTokens } from '../auth/device-token.ts'
import type { TokenService } from '../auth/tokens.ts'

/** What the operations of a batch have in common, where they are of members. */
export type SharedInBatch = Pick<Services, 'tokens' | 'database'>

/** One object per running server. Undefined services are not configured. */
export interface Services {
  database: Database
  /** The only clock of dates and times, so that tests can move it. */
  now: () => Date
  tokens: TokenService
  deviceTokens: DeviceTokens
  /** Milliseconds of a clock that is never set back, for rate limits. */
  monotonicMs: () => number
  /** Requests of users, by id. */
  userLimit: RateLimit
  /** Requests without a user, by network. */
  networkLimit: RateLimit
  /** Look-ups of unknown tokens, by network. */
  unknownLimit: RateLimit
  /** Bytes of answers that are stored for idempotency keys, by user. */
  storedLimit: RateLimit
  /** Reports of how fast the app is, by network. */
  vitalsLimit: RateLimit
  /** Adds a measurement of a device to the metrics. */
  countVital: (vital: Vital) => void
  knownTokens: KnownTokens
  /** The open event streams. */
  streams: EventStreams
  /** Pages of changes, which are the same for all members. */
  pages: SharedPages
  /** Answers of lists, which are the same for all members. */
  lists: KeptLists
  /** Pages of changes that are sent in one answer. */
  pageStreams: PageStreams
  idempotency: IdempotencyGate
  /** Answers a queueable call as an operation of a batch; `env` is that of the batch's request. */
  answerQueued: (
    request: Request,
    env: object,
    shared: SharedInBatch,
  ) => Response | Promise<Response>
  config: Config
  mail: MailQueue
  /** Verifies ID tokens of Google. */
  google: VerifyIdToken | undefined
  /** Another OpenID Connect issuer. */
  oidc: OidcProvider | undefined
  passkeys: Passkeys
  /** Checks public forms for bots. */
  botCheck: BotCheck | undefined
  /** Sends notifications to browsers. */
  push: PushQueue | undefined
  /** The payment provider. */
  stripe: StripeClient | undefined
  /** Origin of the app, without a trailing slash, for links in mails. Never taken from the Host header. */
  publicUrl: () => string
  /** Whether to trust X-Forwarded-For and X-Forwarded-Proto. */
  trustProxy: boolean
}
