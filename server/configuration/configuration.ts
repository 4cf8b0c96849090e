// The server's configuration, from the environment. Every key is in docs/configuration.md.
import { resolve } from 'node:path'
import * as v from 'valibot'
import type { Config } from '../../contract/schemas/config.ts'
import {
  readAuthorizationUrl,
  readIntegrations,
  readScriptUrl,
  type IntegrationsConfiguration,
} from './integrations.ts'
import { RedirectRules } from './redirect-rules.ts'
import { StartError } from '../errors/start-error.ts'

export interface PostgresUrls {
  /** For all that is answered: a role that is no superuser and cannot bypass row level security. */
  url: string
  /** For the schema: the owner of the tables. The same where there is only one role. */
  ownerUrl: string
}

export interface Configuration {
  port: number
  host: string
  dataDir: string
  /** A PostgreSQL in place of the embedded database. */
  postgres: PostgresUrls | undefined
  /** 32 bytes that every process on one database shares; undefined for those of the data folder. */
  tokenKey: Buffer | undefined
  /** A built app to serve as it is; undefined for building it from these sources. */
  dist: string | undefined
  demoData: boolean
  trustProxy: boolean
  /** Where the app is for its users, for links in mails. */
  publicUrl: string | undefined
  accessTokenSeconds: number | undefined
  /** Mail, sign-in by others, payment, the bot check; holds secrets. */
  integrations: IntegrationsConfiguration
  metricsToken: string | undefined
  /** What the app is told; never a server secret. */
  app: Config
}

type Environment = Record<string, string | undefined>

function readInteger(env: Environment, name: string, max: number): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > max)
    throw new StartError(`${name} must be a whole number from 0 to ${max}, not "${text}".`)
  return value
}

function parseTokenKey(env: Environment): Buffer | undefined {
  const text = env.TOKEN_KEY || undefined
  if (text === undefined && env.DATABASE_URL)
    throw new StartError(
      'TOKEN_KEY is missing: with DATABASE_URL all processes share one (openssl rand -hex 32).',
    )
  if (text !== undefined && !/^[0-9a-f]{64}$/i.test(text))
    throw new StartError('TOKEN_KEY must be 64 hexadecimal digits (openssl rand -hex 32).')
  return text === undefined ? undefined : Buffer.from(text, 'hex')
}

function readPublicUrl(env: Environment): string | undefined {
  const text = env.PUBLIC_URL || undefined
  if (text !== undefined && !/^https?:\/\/[^/?#\s]+$/.test(text.replace(/\/$/, '')))
    throw new StartError(`PUBLIC_URL must be like https://cairn.example.com, not "${text}".`)
  return text?.replace(/\/$/, '')
}

/** Reads the environment. Throws StartError for a value that makes no sense. */
export function readConfiguration(env: Environment): Configuration {
  const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } = env
  return {
    port: readInteger(env, 'PORT', 65_535) ?? 8080,
    host: env.HOST || '127.0.0.1',
    dataDir: resolve(env.DATA_DIR || 'data'),
    postgres: url ? { url, ownerUrl: ownerUrl || url } : undefined,
    tokenKey: parseTokenKey(env),
    dist: env.DIST ? resolve(env.DIST) : undefined,
    // Its passwords are known to everybody: into a database of one's own only when asked for.
    demoData: (env.DEMO_DATA || (url ? '0' : '1')) !== '0',
    trustProxy: env.TRUST_PROXY === '1',
    publicUrl: readPublicUrl(env),
    accessTokenSeconds: readInteger(env, 'ACCESS_TOKEN_SECONDS', 86_400),
    integrations: readIntegrations(env),
    metricsToken: env.METRICS_TOKEN || undefined,
    app: appConfig(env),
  }
}

function readRedirects(env: Environment): Config['redirects'] {
  const invalidRules = (why: string) =>
    new StartError(`REDIRECTS must be a JSON list of {from, to, external?}: ${why}`)
  let rules: unknown
  try {
    rules = JSON.parse(env.REDIRECTS || '[]')
  } catch {
    throw invalidRules('this is not JSON.')
  }
  const read = v.safeParse(RedirectRules, rules)
  if (read.success) return read.output
  throw invalidRules(`${v.getDotPath(read.issues[0]) ?? ''} ${read.issues[0].message}`.trim())
}

/** What `/config.json` answers: what is not configured is null. */
export function appConfig(env: Environment): Config {
  return {
    apiBaseUrl: '',
    clientId: env.CLIENT_ID || 'cairn-app',
    clientSecret: env.CLIENT_SECRET || 'cairn-app-is-public',
    environment: env.ENVIRONMENT || 'production',
    posthogPublicKey: env.POSTHOG_PUBLIC_KEY || null,
    posthogHost: env.POSTHOG_HOST || null,
    recaptchaKey: env.RECAPTCHA_KEY || null,
    recaptchaScriptUrl: env.RECAPTCHA_KEY ? readScriptUrl(env) : null,
    sentryDsn: env.SENTRY_DSN || null,
    sentryOrg: env.SENTRY_ORG || null,
    sentryProjectId: env.SENTRY_PROJECT_ID || null,
    googleClientId: env.GOOGLE_CLIENT_ID || null,
    googleAuthorizationUrl: env.GOOGLE_CLIENT_ID ? readAuthorizationUrl(env) : null,
    vapidPublicKey: env.VAPID_PUBLIC_KEY || null,
    redirects: readRedirects(env),
  }
}
