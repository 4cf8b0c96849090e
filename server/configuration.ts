// The server's configuration, from the environment. Every key is in docs/configuration.md.
import { resolve } from 'node:path'
import type { Config } from '../contract/config.ts'
import { StartError } from './start-error.ts'

export interface Configuration {
  port: number
  host: string
  dataDir: string
  /** A built app to serve as it is; undefined for building it from these sources. */
  dist: string | undefined
  demoData: boolean
  trustProxy: boolean
  accessTokenSeconds: number | undefined
  /** What the app is told; never a server secret. */
  app: Config
}

type Environment = Record<string, string | undefined>

function number(env: Environment, name: string, most: number): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > most)
    throw new StartError(`${name} must be a whole number from 0 to ${most}, not "${text}".`)
  return value
}

/** Reads the environment. Throws StartError for a value that makes no sense. */
export function readConfiguration(env: Environment): Configuration {
  return {
    port: number(env, 'PORT', 65_535) ?? 8080,
    host: env.HOST || '127.0.0.1',
    dataDir: resolve(env.DATA_DIR || 'data'),
    dist: env.DIST ? resolve(env.DIST) : undefined,
    demoData: env.DEMO_DATA !== '0',
    trustProxy: env.TRUST_PROXY === '1',
    accessTokenSeconds: number(env, 'ACCESS_TOKEN_SECONDS', 86_400),
    app: appConfig(env),
  }
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
    sentryDsn: env.SENTRY_DSN || null,
    sentryOrg: env.SENTRY_ORG || null,
    sentryProjectId: env.SENTRY_PROJECT_ID || null,
    googleClientId: null,
    vapidPublicKey: null,
    redirects: [],
  }
}
