// Names that are probably misspelt settings, which would have no effect.
import { SECRETS } from './secret-files.ts'

/** All settings. */
export const SETTINGS: readonly string[] = [
  'ACCESS_TOKEN_SECONDS',
  'API_CAPABILITIES',
  'API_FORMER_URLS',
  'API_PROXY',
  'API_URL',
  'BACKUP_DIR',
  'BACKUP_EVERY',
  'BACKUP_KEEP',
  'BACKUP_PASSPHRASE',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'CORS_ORIGINS',
  'DATABASE_LISTEN_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_URL',
  'DATA_DIR',
  'DEMO_DATA',
  'DIST',
  'ENVIRONMENT',
  'GOOGLE_AUTHORIZATION_URL',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_ISSUER',
  'HOST',
  'LOG',
  'MAIL_FROM',
  'METRICS_TOKEN',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_DOMAINS',
  'OIDC_ISSUER',
  'OIDC_NAME',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'PORT',
  'POSTHOG_HOST',
  'POSTHOG_PUBLIC_KEY',
  'PROFESSIONAL_PRICE',
  'PUBLIC_URL',
  'PUSH_SERVICES',
  'RECAPTCHA_KEY',
  'RECAPTCHA_SCRIPT_URL',
  'RECAPTCHA_SECRET',
  'RECAPTCHA_THRESHOLD',
  'RECAPTCHA_URL',
  'REDIRECTS',
  'REGISTRATION',
  'SENTRY_DSN',
  'SENTRY_ORG',
  'SENTRY_PROJECT_ID',
  'SMTP_URL',
  'STRIPE_PRICE',
  'STRIPE_SECRET_KEY',
  'STRIPE_URL',
  'STRIPE_WEBHOOK_SECRET',
  'TOKEN_KEY',
  'TRUST_PROXY',
  'VAPID_PRIVATE_KEY',
  'VAPID_PUBLIC_KEY',
  'VAPID_SUBJECT',
]

/** Few other programs have variables that begin so. */
const PREFIX = /^(?:BACKUP|OIDC|RECAPTCHA|VAPID)_/
/** Shorter names are too close to others, such as HOST to HOME. */
const MIN_LENGTH = 6
/** With another letter, a shorter word is often another word: APP for API. */
const MIN_WORD_LENGTH = 5
const LONG = 8

/** How many letters must be added, removed or replaced to make `b` of `a` (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let line = 0; line < a.length; line += 1) {
    const next = [line + 1]
    for (let at = 0; at < b.length; at += 1)
      next.push(
        Math.min(
          (next[at] ?? 0) + 1,
          (row[at + 1] ?? 0) + 1,
          (row[at] ?? 0) + (a[line] === b[at] ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

const sorted = (word: string) => word.split('').toSorted().join('')

/** Whether a word is misspelt rather than another one. */
function isNear(word: string, known: string): boolean {
  if (sorted(word) === sorted(known) || (word === 'URI' && known === 'URL')) return true
  if (Math.min(word.length, known.length) < MIN_WORD_LENGTH) return false
  return distanceOf(word, known) <= (known.length < LONG ? 1 : 2)
}

/** Whether the name is a misspelt setting, and not one of another program that differs in a word. */
function isMisspelt(name: string, setting: string): boolean {
  const joined = name.replaceAll('_', '')
  if (joined.length >= LONG && joined === setting.replaceAll('_', '')) return true
  const [words, known] = [name.split('_'), setting.split('_')]
  return words.length === known.length && words.every((word, at) => isNear(word, known[at] ?? ''))
}

/** Variables that are no settings but look like one, with the most similar setting. Empty ones are left out. */
export function misspeltSettings(
  env: Readonly<Record<string, string | undefined>>,
): { name: string; similar: string }[] {
  const known = [...SETTINGS, ...SECRETS.map((name) => `${name}_FILE`)]
  return Object.keys(env)
    .filter((name) => env[name] && !known.includes(name) && name.length >= MIN_LENGTH)
    .flatMap((name) => {
      const upper = name.toUpperCase()
      const [prefix = ''] = PREFIX.exec(upper) ?? []
      const [nearest] = known
        .filter((one) => (prefix === '' ? isMisspelt(upper, one) : one.startsWith(prefix)))
        .map((similar) => ({ name, similar, distance: distanceOf(upper, similar) }))
        .toSorted((a, b) => a.distance - b.distance)
      return nearest ? [{ name, similar: nearest.similar }] : []
    })
}
