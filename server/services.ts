// What the handlers work with; one object for each running server.
import type { Config } from '../contract/config.ts'
import type { Database } from './database.ts'
import type { IdempotencyGate } from './idempotency.ts'
import type { RateLimit } from './rate-limit.ts'
import type { TokenService } from './tokens.ts'

export interface Services {
  database: Database
  /** The only clock: tests move it. */
  now: () => Date
  tokens: TokenService
  rates: RateLimit
  gate: IdempotencyGate
  config: Config
  /** Whether a proxy before this server sets X-Forwarded-For and X-Forwarded-Proto. */
  trustProxy: boolean
}
