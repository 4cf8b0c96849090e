// Configuration of the backups that the server makes by itself, from the environment.
import { join, resolve } from 'node:path'
import { StartError } from '../errors/start-error.ts'

/** When and where to back up. */
export interface BackupConfiguration {
  everyMs: number
  /** How many proven backups to keep. */
  keep: number
  dir: string
  /** Encrypts the files; undefined: they are readable by the owner of the process. */
  passphrase: string | undefined
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const MAX_EVERY_MS = 31 * 86_400_000
const DEFAULT_KEEP = 7
const MAX_KEEP = 1_000
const NAMES = ['BACKUP_KEEP', 'BACKUP_DIR'] as const

/** Undefined unless BACKUP_EVERY is set. Throws StartError for an invalid value. */
export function readBackups(
  env: Record<string, string | undefined>,
  dataDir: string,
): BackupConfiguration | undefined {
  const { BACKUP_EVERY: every, BACKUP_KEEP: keepText } = env
  if (!every) {
    const name = NAMES.find((one) => env[one])
    if (name !== undefined)
      throw new StartError(`BACKUP_EVERY missing: ${name} has no effect without it.`)
    return undefined
  }
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(every) ?? []
  const everyMs = Number(count) * (UNIT_MS[unit] ?? 0)
  if (everyMs < 60_000 || everyMs > MAX_EVERY_MS)
    throw new StartError(`BACKUP_EVERY must be from 1m to 31d, such as 12h, not "${every}".`)
  const keep = keepText ? Number(keepText) : DEFAULT_KEEP
  if (!Number.isInteger(keep) || keep < 1 || keep > MAX_KEEP)
    throw new StartError(
      `BACKUP_KEEP must be a whole number from 1 to ${MAX_KEEP}, not "${keepText}".`,
    )
  return {
    everyMs,
    keep,
    dir: env.BACKUP_DIR ? resolve(env.BACKUP_DIR) : join(dataDir, 'backups'),
    passphrase: env.BACKUP_PASSPHRASE || undefined,
  }
}
