// Configuration of external services, from the environment. A service that is not configured is off.
import { createECDH } from 'node:crypto'
import { requireUrl, WEB_PROTOCOLS } from './require-url.ts'
import { StartError } from '../errors/start-error.ts'

/** One entry for each configured service; absent means off. */
export interface IntegrationsConfiguration {
  smtp?: { url: string; from: string }
  google?: { clientId: string; issuer: string }
  oidc?: OidcConfiguration
  stripe?: StripeConfiguration
  push?: PushConfiguration
  botCheck?: { secret: string; threshold: number; url: string }
}

/** An OpenID Connect issuer, found by discovery. */
export interface OidcConfiguration {
  issuer: string
  clientId: string
  /** Undefined for a public client. */
  clientSecret: string | undefined
  /** Domains whose addresses may sign in, in lower case; undefined: all. */
  domains: readonly string[] | undefined
}

/** Keys and URL of the Stripe API. */
export interface StripeConfiguration {
  secretKey: string
  webhookSecret: string
  /** Id of the Stripe price of the professional plan. */
  price: string
  url: string
}

/** Web Push. */
export interface PushConfiguration {
  /** VAPID key pair (RFC 8292), base64url, and the contact for the push services. */
  publicKey: string
  privateKey: string
  subject: string
  /** Allowed origins of push services; `*.` matches any subdomain. */
  services: readonly string[]
}

type Environment = Record<string, string | undefined>

/** The values of all `names`, or undefined when none is set. Throws StartError when only some are. */
function allOrNone<Name extends string>(
  env: Environment,
  names: readonly Name[],
): Record<Name, string> | undefined {
  const missing = names.filter((name) => !env[name])
  if (missing.length === names.length) return undefined
  if (missing.length > 0)
    throw new StartError(
      `${missing.join(' and ')} missing: ${names.join(', ')} must be set together.`,
    )
  return Object.fromEntries(names.map((name) => [name, env[name]])) as Record<Name, string>
}

/**
 * What changes nothing unless another setting turns its feature on. Without those of analytics and of the
 * app's scripts, which templates of settings have with empty keys.
 */
const NEEDS: Readonly<Record<string, string>> = {
  GOOGLE_ISSUER: 'GOOGLE_CLIENT_ID',
  GOOGLE_AUTHORIZATION_URL: 'GOOGLE_CLIENT_ID',
  OIDC_CLIENT_SECRET: 'OIDC_ISSUER',
  OIDC_DOMAINS: 'OIDC_ISSUER',
  PUSH_SERVICES: 'VAPID_PUBLIC_KEY',
  RECAPTCHA_THRESHOLD: 'RECAPTCHA_KEY',
  RECAPTCHA_URL: 'RECAPTCHA_KEY',
  STRIPE_URL: 'STRIPE_SECRET_KEY',
}

function requireUsed(env: Environment): void {
  for (const [name, needed] of Object.entries(NEEDS))
    if (env[name] && !env[needed])
      throw new StartError(`${needed} missing: ${name} has no effect without it.`)
}

const RECAPTCHA_VERIFY_URL = 'https://www.google.com/recaptcha/api/siteverify'
const DEFAULT_GOOGLE_ISSUER = 'https://accounts.google.com'

const readIssuer = (env: Environment) =>
  requireUrl('GOOGLE_ISSUER', env.GOOGLE_ISSUER || DEFAULT_GOOGLE_ISSUER, WEB_PROTOCOLS)

/** The authorization endpoint of Google, or of another OpenID issuer. Throws StartError. */
export function readAuthorizationUrl(env: Environment): string {
  const { GOOGLE_AUTHORIZATION_URL: url } = env
  if (!url && readIssuer(env) !== DEFAULT_GOOGLE_ISSUER)
    throw new StartError(
      'GOOGLE_AUTHORIZATION_URL missing: it is required with another GOOGLE_ISSUER.',
    )
  return requireUrl(
    'GOOGLE_AUTHORIZATION_URL',
    url || `${DEFAULT_GOOGLE_ISSUER}/o/oauth2/v2/auth`,
    WEB_PROTOCOLS,
  )
}

function readOidc(env: Environment): OidcConfiguration | undefined {
  const set = allOrNone(env, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_NAME'])
  if (!set) return undefined
  const domains = (env.OIDC_DOMAINS ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const wrong = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  if (wrong !== undefined)
    throw new StartError(`OIDC_DOMAINS must be domains such as example.com, not "${wrong}".`)
  return {
    issuer: requireUrl('OIDC_ISSUER', set.OIDC_ISSUER, WEB_PROTOCOLS),
    clientId: set.OIDC_CLIENT_ID,
    clientSecret: env.OIDC_CLIENT_SECRET || undefined,
    domains: domains.length > 0 ? domains : undefined,
  }
}

/** URL of the reCAPTCHA script that the app loads. Throws StartError. */
export const readScriptUrl = (env: Environment): string =>
  requireUrl(
    'RECAPTCHA_SCRIPT_URL',
    env.RECAPTCHA_SCRIPT_URL || 'https://www.google.com/recaptcha/api.js',
    WEB_PROTOCOLS,
  )

/** The push services of Chromium, Firefox, Edge and Safari. */
const DEFAULT_PUSH_SERVICES = [
  'https://fcm.googleapis.com',
  'https://*.push.services.mozilla.com',
  'https://*.notify.windows.com',
  'https://*.push.apple.com',
]

function readPush(env: Environment): PushConfiguration | undefined {
  const keys = allOrNone(env, ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'])
  if (!keys) return undefined
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = keys
  if (publicKeyOf(privateKey) !== publicKey)
    throw new StartError(
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a pair (npx web-push generate-vapid-keys).',
    )
  const configured = env.PUSH_SERVICES?.split(/[\s,]+/).filter(Boolean) ?? []
  return {
    publicKey,
    privateKey,
    subject: requireUrl('VAPID_SUBJECT', keys.VAPID_SUBJECT, ['mailto:', 'https:']),
    services: configured.length > 0 ? configured.map(requirePushService) : DEFAULT_PUSH_SERVICES,
  }
}

/** Requires an origin that endpoints can match: one that matches no endpoint would delete all subscriptions. */
function requirePushService(text: string): string {
  const origin = requireUrl('PUSH_SERVICES', text, WEB_PROTOCOLS).replace(/\/$/, '')
  // Subdomains are matched without a port.
  if (URL.parse(origin)?.origin !== origin || !/^https?:\/\/([^*]+|\*\.[^*:]+)$/.test(origin))
    throw new StartError(
      `PUSH_SERVICES must be origins such as https://push.example.com, not "${text}".`,
    )
  return origin
}

/** The public key of a private VAPID key, base64url; undefined when the private key is invalid. */
function publicKeyOf(privateKey: string): string | undefined {
  // Node.js takes padding and standard base64 too, but the sender does not.
  if (!/^[\w-]{43}$/.test(privateKey)) return undefined
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
    return pair.getPublicKey('base64url')
  } catch {
    return undefined
  }
}

function readThreshold(env: Environment): number {
  const text = env.RECAPTCHA_THRESHOLD || '0.5'
  if (/^(0(\.\d+)?|1(\.0+)?)$/.test(text)) return Number(text)
  throw new StartError(`RECAPTCHA_THRESHOLD must be a number from 0 to 1, not "${text}".`)
}

/** Reads the environment. Throws StartError for an invalid value; the message never repeats a secret. */
export function readIntegrations(env: Environment): IntegrationsConfiguration {
  requireUsed(env)
  const smtp = allOrNone(env, ['SMTP_URL', 'MAIL_FROM'])
  if (smtp && !/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(smtp.MAIL_FROM))
    throw new StartError('MAIL_FROM must be like Cairn <cairn@example.com>.')
  const push = readPush(env)
  const oidc = readOidc(env)
  const stripe = allOrNone(env, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE'])
  if (env.RECAPTCHA_SECRET && !env.RECAPTCHA_KEY)
    throw new StartError('RECAPTCHA_KEY missing: without it no one can pass the bot check.')
  return {
    ...(smtp && {
      smtp: {
        url: requireUrl('SMTP_URL', smtp.SMTP_URL, ['smtps:', 'smtp:']),
        from: smtp.MAIL_FROM,
      },
    }),
    ...(env.GOOGLE_CLIENT_ID && {
      google: {
        clientId: env.GOOGLE_CLIENT_ID,
        issuer: readIssuer(env),
      },
    }),
    ...(oidc && { oidc }),
    ...(stripe && {
      stripe: {
        secretKey: stripe.STRIPE_SECRET_KEY,
        webhookSecret: stripe.STRIPE_WEBHOOK_SECRET,
        price: stripe.STRIPE_PRICE,
        url: requireUrl('STRIPE_URL', env.STRIPE_URL || 'https://api.stripe.com', WEB_PROTOCOLS),
      },
    }),
    ...(push && { push }),
    ...(env.RECAPTCHA_SECRET && {
      botCheck: {
        secret: env.RECAPTCHA_SECRET,
        threshold: readThreshold(env),
        url: requireUrl('RECAPTCHA_URL', env.RECAPTCHA_URL || RECAPTCHA_VERIFY_URL, WEB_PROTOCOLS),
      },
    }),
  }
}
