// The server's configuration, from the environment. Every key is in docs/configuration.md.
import { resolve } from 'node:path'
import * as v from 'valibot'
import { OWN_CAPABILITIES } from '../../contract/capabilities.ts'
import { REGISTRATION_MODES, type Config } from '../../contract/schemas/config.ts'
import {
  readAuthorizationUrl,
  readIntegrations,
  readScriptUrl,
  type IntegrationsConfiguration,
} from './integrations.ts'
import {
  readApiAddress,
  readCapabilities,
  readCorsOrigins,
  readFormerAddresses,
  type ApiAddress,
} from './api-address.ts'
import { readBackups, type BackupConfiguration } from './backups.ts'
import { RedirectRules } from './redirect-rules.ts'
import { requireUrl, WEB_PROTOCOLS } from './require-url.ts'
import { withSecretFiles } from './secret-files.ts'
import { readSwitch } from './switches.ts'
import { StartError } from '../errors/start-error.ts'

/** How to connect to a PostgreSQL server. */
export interface PostgresUrls {
  /** Used for all requests and jobs: a role that is no superuser and cannot bypass row level security. */
  url: string
  /** Used for migrations: the owner of the tables. The same URL when there is only one role. */
  ownerUrl: string
  /** For notifications, which need a session of their own: it must not lead to a transaction pooler. Else `url`. */
  listenUrl?: string | undefined
}

/** The configuration of one server process. */
export interface Configuration {
  port: number
  host: string
  dataDir: string
  /** Another PostgreSQL server instead of the server's own database. */
  postgres: PostgresUrls | undefined
  /** 32 bytes, the same for all processes on one database; undefined: the key of the data folder. */
  tokenKey: Buffer | undefined
  /** Folder of a built app; undefined: build it from these sources. */
  dist: string | undefined
  demoData: boolean
  trustProxy: boolean
  /** Origin under which users reach the app, for links in e-mails. */
  publicUrl: string | undefined
  accessTokenSeconds: number | undefined
  /** E-mail, Google sign-in, payment, push and the bot check; holds secrets. */
  integrations: IntegrationsConfiguration
  metricsToken: string | undefined
  /** Address of an OpenTelemetry collector; undefined: no traces. */
  otlpEndpoint: string | undefined
  /** Undefined: the server makes no backups by itself. */
  backups: BackupConfiguration | undefined
  /** The API of another server, for which only the app is served. */
  api: ApiAddress | undefined
  /** Other origins that may call the API. */
  corsOrigins: readonly string[]
  /** The content of `/config.json`; never a secret. */
  app: Config
}

type Environment = Record<string, string | undefined>

function readInteger(
  env: Environment,
  name: string,
  { min = 0, max }: { min?: number; max: number },
): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new StartError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
  return value
}

/** The messages never repeat an address: it may hold a password. */
function readPostgres(env: Environment): PostgresUrls | undefined {
  const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, DATABASE_LISTEN_URL: listenUrl } = env
  const addresses = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_LISTEN_URL: listenUrl,
  }
  for (const [name, address] of Object.entries(addresses)) {
    if (!address) continue
    if (!url) throw new StartError(`DATABASE_URL missing: ${name} has no effect without it.`)
    if (!/^postgres(?:ql)?:\/\//.test(address))
      throw new StartError(
        `${name} must be an address that begins with postgres:// or postgresql://.`,
      )
    // As `pg` does: where the host is a parameter, there may be none after the user.
    if (!URL.canParse(address.replace('@/', '@host/')))
      throw new StartError(
        `${name} cannot be read as an address. In a password write # as %23, / as %2F, ? as %3F, and @ as %40.`,
      )
  }
  return url ? { url, ownerUrl: ownerUrl || url, listenUrl: listenUrl || url } : undefined
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
  if (text === undefined) return undefined
  // Passkeys and the answer of a sign-in provider are bound to the origin as browsers write it: without the port that
  // is the protocol's own, which docker-compose.yml writes with PORT=80.
  const origin = URL.parse(text)?.origin
  const ownPort = text.startsWith('https:') ? ':443' : ':80'
  const written = text.replace(/\/$/, '')
  if (!/^https?:/.test(text) || (written !== origin && written !== `${origin}${ownPort}`))
    throw new StartError(`PUBLIC_URL must be like https://cairn.example.com, not "${text}".`)
  return origin
}

function readOtlpEndpoint(env: Environment): string | undefined {
  const text = env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined
  if (text !== undefined && !/^https?:\/\/[^?#\s]+$/.test(text))
    throw new StartError(
      `OTEL_EXPORTER_OTLP_ENDPOINT must be like http://localhost:4318, not "${text}".`,
    )
  return text && requireUrl('OTEL_EXPORTER_OTLP_ENDPOINT', text, WEB_PROTOCOLS).replace(/\/$/, '')
}

/** The environment, whose values throw StartError when read with white space around, as of a copied line. */
const withoutWhiteSpace = (env: Environment): Environment =>
  new Proxy(env, {
    get(all, name) {
      const value: unknown = Reflect.get(all, name)
      if (typeof value === 'string' && value !== value.trim())
        throw new StartError(`${String(name)} begins or ends with white space. Remove it.`)
      return value
    },
  })

const OF_THE_DATABASE = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_LISTEN_URL',
  'BACKUP_EVERY',
] as const

/** Throws StartError for settings that have no effect in front of another API. */
function requireNoDatabase(env: Environment): void {
  const name = OF_THE_DATABASE.find((one) => env[one])
  if (env.API_URL && name !== undefined)
    throw new StartError(
      `${name} has no effect with API_URL: there is no database here. Remove one of them.`,
    )
}

/** Reads the environment, and the files that it names. Throws StartError for an invalid value. */
export function readConfiguration(environment: Environment): Configuration {
  const env = withoutWhiteSpace(withSecretFiles(environment))
  requireNoDatabase(env)
  // Read by server/log.ts.
  if (env.LOG && env.LOG !== 'json') throw new StartError(`LOG must be json, not "${env.LOG}".`)
  const dataDir = resolve(env.DATA_DIR || 'data')
  const postgres = readPostgres(env)
  return {
    port: readInteger(env, 'PORT', { max: 65_535 }) ?? 8080,
    host: env.HOST || '127.0.0.1',
    dataDir,
    postgres,
    tokenKey: parseTokenKey(env),
    dist: env.DIST ? resolve(env.DIST) : undefined,
    // The demo passwords are public: an external database gets the demo data only on request.
    demoData: readSwitch(env, 'DEMO_DATA', !postgres),
    trustProxy: readSwitch(env, 'TRUST_PROXY'),
    publicUrl: readPublicUrl(env),
    accessTokenSeconds: readInteger(env, 'ACCESS_TOKEN_SECONDS', { min: 1, max: 86_400 }),
    integrations: readIntegrations(env),
    metricsToken: env.METRICS_TOKEN || undefined,
    otlpEndpoint: readOtlpEndpoint(env),
    backups: readBackups(env, dataDir),
    api: readApiAddress(env),
    corsOrigins: readCorsOrigins(env),
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

function readRegistration(env: Environment): Config['registration'] {
  const text = env.REGISTRATION || 'open'
  const mode = REGISTRATION_MODES.find((one) => one === text)
  if (mode === undefined)
    throw new StartError(`REGISTRATION must be open, invited or closed, not "${text}".`)
  return mode
}

const readReportUrl = (env: Environment, name: string, options?: { hasUser: boolean }) => {
  const text = env[name]
  return text ? requireUrl(name, text, WEB_PROTOCOLS, options) : null
}

/** The content of `/config.json`; null for whatever is not configured. Throws StartError. */
export function appConfig(env: Environment): Config {
  const api = readApiAddress(env)
  const capabilities = readCapabilities(env)
  return {
    apiBaseUrl: api && !api.isProxied ? api.url : '',
    formerApiBaseUrls: readFormerAddresses(env),
    capabilities: api ? capabilities : OWN_CAPABILITIES,
    clientId: env.CLIENT_ID || 'cairn-app',
    clientSecret: env.CLIENT_SECRET || 'cairn-app-is-public',
    environment: env.ENVIRONMENT || 'production',
    posthogPublicKey: env.POSTHOG_PUBLIC_KEY || null,
    posthogHost: readReportUrl(env, 'POSTHOG_HOST'),
    recaptchaKey: env.RECAPTCHA_KEY || null,
    recaptchaScriptUrl: env.RECAPTCHA_KEY ? readScriptUrl(env) : null,
    // Its user name is the public key.
    sentryDsn: readReportUrl(env, 'SENTRY_DSN', { hasUser: true }),
    sentryOrg: env.SENTRY_ORG || null,
    sentryProjectId: env.SENTRY_PROJECT_ID || null,
    googleClientId: env.GOOGLE_CLIENT_ID || null,
    googleAuthorizationUrl: env.GOOGLE_CLIENT_ID ? readAuthorizationUrl(env) : null,
    oidcName: env.OIDC_NAME || null,
    vapidPublicKey: env.VAPID_PUBLIC_KEY || null,
    registration: readRegistration(env),
    mail: api || env.SMTP_URL ? 'sent' : 'folder',
    professionalPrice: env.PROFESSIONAL_PRICE || null,
    redirects: readRedirects(env),
  }
}
