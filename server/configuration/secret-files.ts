// Secrets from files, as containers get them: `NAME_FILE` names a file with the value of `NAME`.
import { readFileSync } from 'node:fs'
import { StartError } from '../errors/start-error.ts'

type Environment = Record<string, string | undefined>

/** The settings that may come from a file. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_LISTEN_URL',
  'TOKEN_KEY',
  'METRICS_TOKEN',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'RECAPTCHA_SECRET',
  'VAPID_PRIVATE_KEY',
  'OIDC_CLIENT_SECRET',
  'BACKUP_PASSPHRASE',
] as const

/**
 * The environment with the secrets of files, without their trailing line break. Throws StartError when a
 * secret is set in both ways, and when its file is unreadable or empty.
 */
export function withSecretFiles(env: Environment): Environment {
  // Inherits, so that only what is used is read from `env`.
  const all = Object.create(env) as Environment
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new StartError(`${name} and ${name}_FILE are both set. Set one of them.`)
    all[name] = readSecret(`${name}_FILE`, file)
  }
  return all
}

function readSecret(setting: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new StartError(`${setting}: the file ${file} cannot be read (${reason}).`, {
      cause: error,
    })
  }
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '') throw new StartError(`${setting}: the file ${file} is empty.`)
  return secret
}
