// Whether this server is set up well: one row for each check, with what to do.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { discoverIssuer } from '../../auth/oidc.ts'
import { VERSION } from '../../configuration/version.ts'
import { readConfiguration, type Configuration } from '../../configuration/configuration.ts'
import type { OidcConfiguration } from '../../configuration/integrations.ts'
import { MIN_FREE_BYTES, freeBytesOf } from '../../database/disk.ts'
import { schemaVersion } from '../../database/migrate.ts'
import { StartError } from '../../errors/start-error.ts'
import { lastProven, readBackupStatus, type BackupStatus } from '../backups/status.ts'
import { readLastBackup } from '../last-backup.ts'
import { typedCommand } from '../typed-command.ts'
import { examineAddress, examineApi } from './doctor-address.ts'
import { examineClock } from './doctor-clock.ts'
import { AdminError, type AdminAnswer } from './request.ts'

/** The result of one check. */
export type Finding = {
  check: string
  state: 'ok' | 'warning' | 'failed'
  /** What was found and, unless it is ok, what to do. */
  finding: string
}

/** What `status` of a server answers. */
type Status = (configuration: Configuration) => Promise<AdminAnswer>

const MEGABYTE = 2 ** 20
const LITTLE_FREE_BYTES = 1_024 * MEGABYTE
const DAY_MS = 86_400_000
const MAX_BACKUP_DAYS = 7

const ok = (check: string, finding: string): Finding => ({ check, state: 'ok', finding })
const warning = (check: string, finding: string): Finding => ({ check, state: 'warning', finding })
const failed = (check: string, finding: string): Finding => ({ check, state: 'failed', finding })

/** Checks the server that `env` configures. `hasFailed`: at least one check failed. */
export async function examine(
  env: Record<string, string | undefined>,
  status: Status,
): Promise<{ rows: Finding[]; hasFailed: boolean }> {
  const rows = await findingsOf(env, status)
  return { rows, hasFailed: rows.some(({ state }) => state === 'failed') }
}

async function findingsOf(
  env: Record<string, string | undefined>,
  status: Status,
): Promise<Finding[]> {
  let configuration: Configuration
  try {
    configuration = readConfiguration(env)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [failed('configuration', error.message)]
  }
  const { dataDir, integrations, api, backups } = configuration
  const valid = ok('configuration', `Cairn ${VERSION}, all settings are valid.`)
  // It serves the app alone: there is no database, no mail, no backup and no demo data.
  if (api) {
    const address = await examineAddress({ ...configuration, demoData: false })
    return [valid, await examineApi(api.url), ...address]
  }
  return [
    valid,
    ...(await examineDatabase(configuration, status)),
    examineDisk('disk', dataDir, 'DATA_DIR'),
    ...(backups ? [examineDisk('disk of backups', backups.dir, 'BACKUP_DIR')] : []),
    await examineMail(dataDir, integrations.smtp?.url),
    ...(integrations.oidc ? [await examineIssuer(integrations.oidc)] : []),
    ...(await examineAddress(configuration)),
    await examineBackup(configuration),
  ]
}

async function examineDatabase(configuration: Configuration, status: Status): Promise<Finding[]> {
  let answer: AdminAnswer
  try {
    answer = await status(configuration)
  } catch (error) {
    if (!(error instanceof StartError || error instanceof AdminError)) throw error
    return [failed('database', error.message)]
  }
  const { details = {} } = 'rows' in answer ? {} : answer
  const { schema, version, clock, users, superadmins } = details
  return [
    examineVersions(String(version), String(schema)),
    await examineClock(configuration, String(clock)),
    superadmins === 0
      ? warning(
          'superadmin',
          users === 0
            ? 'There is no account yet. Use the link that the start prints, or “setup-link”.'
            : 'There is none. Make one: “superadmin grant <email>”.',
        )
      : ok('superadmin', `${String(superadmins)} of ${String(users)} users.`),
  ]
}

function examineVersions(version: string, schema: string): Finding {
  if (version !== VERSION)
    return warning('database', `The running server is ${version}. Restart it to update.`)
  return schema === schemaVersion()
    ? ok('database', `It answers; schema ${schema}.`)
    : warning(
        'database',
        `It answers, with the schema ${schema} of an earlier version. The next start updates it.`,
      )
}

function examineDisk(check: string, folder: string, setting: string): Finding {
  let bytes: number
  try {
    bytes = freeBytesOf(folder)
  } catch {
    return failed(check, `${folder} cannot be read. Check ${setting} and its rights.`)
  }
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    return failed(check, `${folder} cannot be written. Check ${setting} and its rights.`)
  }
  const free = `${Math.floor(bytes / MEGABYTE)} MB are free in ${folder}.`
  if (bytes < MIN_FREE_BYTES) return failed(check, `${free} Nothing is written: make room.`)
  return bytes < LITTLE_FREE_BYTES ? warning(check, `${free} Make room.`) : ok(check, free)
}

async function examineMail(dataDir: string, url: string | undefined): Promise<Finding> {
  if (url === undefined)
    return warning(
      'mail',
      `Mails are written to ${join(dataDir, 'outbox')}, not sent. Set SMTP_URL and MAIL_FROM.`,
    )
  try {
    await (await import('../../integrations/smtp.ts')).verifySmtp(url)
    return ok('mail', 'The mail server accepts the sign-in.')
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return failed('mail', `The mail server does not accept mail (${reason}). Check SMTP_URL.`)
  }
}

async function examineIssuer(oidc: OidcConfiguration): Promise<Finding> {
  const { issuer } = oidc
  try {
    await discoverIssuer(oidc)
    return ok('sign-in', `${issuer} is ready for sign-ins.`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return failed(
      'sign-in',
      `${issuer} cannot sign anyone in (${reason}). Check OIDC_ISSUER and that server.`,
    )
  }
}

/** Those that the server makes by itself, else the last one of the command. */
async function examineBackup({ dataDir, backups }: Configuration): Promise<Finding> {
  if (!backups) return examineLastBackup(dataDir)
  let status: BackupStatus
  try {
    status = await readBackupStatus(backups.dir)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return failed('backup', `What is known of the backups cannot be read: ${reason}`)
  }
  if (status.last_failure !== null)
    return failed('backup', `The last one is not proven: ${status.last_failure}`)
  const last = lastProven(status)
  if (last === undefined)
    return warning('backup', `None in ${backups.dir} is proven yet. The server makes them.`)
  const isLate = Date.now() - Date.parse(last) > 2 * backups.everyMs
  return isLate
    ? warning('backup', `The last proven one is of ${last}: the server does not make them in time.`)
    : ok('backup', `The last proven one is of ${last}.`)
}

function examineLastBackup(dataDir: string): Finding {
  const last = readLastBackup(dataDir)
  if (!last) return warning('backup', `None is known. Make one: ${typedCommand('backup')} <file>`)
  const days = Math.floor((Date.now() - last.getTime()) / DAY_MS)
  const age = `The last one is of ${last.toISOString()}.`
  return days >= MAX_BACKUP_DAYS
    ? warning('backup', `${age} That is ${days} days ago: make one.`)
    : ok('backup', age)
}
