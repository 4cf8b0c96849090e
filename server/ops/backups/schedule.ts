// Makes backups while the server runs.
import { accessSync, constants, lstatSync, mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BackupConfiguration } from '../../configuration/backups.ts'
import type { Database } from '../../database/database.ts'
import { StartError } from '../../errors/start-error.ts'
import { errorFields, log } from '../../log.ts'
import { backUpWhenDue, retryMs, untilNextBackupMs } from './make-backup.ts'

/** At least once a minute: the clock may be set, and another process may have failed. */
const MAX_PAUSE_MS = 60_000
/** While another process is at it, one may be due all the time. */
const MIN_PAUSE_MS = 1_000

/** Backups that are being made. */
export interface RunningBackups {
  /** Whether the last attempt ended before it could record anything. */
  hasFailedToBegin(): boolean
  /** Breaks off what is being written. */
  stop(): Promise<void>
}

/** Starts making backups: at once when one is due, later on by a timer. */
export function startBackups(
  configuration: BackupConfiguration,
  { database, dataDir, now }: { database: Database; dataDir: string; now: () => Date },
): RunningBackups {
  const closing = new AbortController()
  const { signal } = closing
  let timer: NodeJS.Timeout | undefined
  let hasFailedToBegin = false

  async function attempt(): Promise<void> {
    const status = await backUpWhenDue(configuration, { database, dataDir, now, signal })
    const backup = status?.backups.at(-1)
    if (status?.last_failure) log('error', 'backup failed', { reason: status.last_failure })
    else if (backup) log('info', 'backup proven', { file: backup.file, rows: backup.rows })
  }

  /** Resolves to the time until the next check. */
  async function checkNow(): Promise<number> {
    try {
      await attempt()
      const untilDueMs = await untilNextBackupMs(configuration, now())
      hasFailedToBegin = false
      return Math.min(Math.max(untilDueMs, MIN_PAUSE_MS), MAX_PAUSE_MS)
    } catch (error) {
      if (!signal.aborted) log('error', 'backup failed', errorFields(error))
      hasFailedToBegin = true
      // Nothing is recorded, so that the next one is still due.
      return retryMs(configuration)
    }
  }
  async function check(): Promise<void> {
    const pauseMs = await checkNow()
    if (signal.aborted) return
    timer = setTimeout(() => void (running = check()), pauseMs).unref()
  }
  let running = check()
  return {
    hasFailedToBegin: () => hasFailedToBegin,
    async stop() {
      clearTimeout(timer)
      closing.abort(new Error('The server stops.'))
      await running
    },
  }
}

/** Whether a path is taken, also by a link without a target, in whose place no folder can be made. */
function isTaken(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

/**
 * Throws StartError when the folder of the backups cannot be created or written. It is not created yet: a data folder
 * that has files but no database is refused.
 */
export function requireBackupFolder(dir: string): void {
  let existing = dir
  while (!isTaken(existing)) existing = dirname(existing)
  try {
    // With the slash a file is none.
    accessSync(`${existing}/`, constants.W_OK)
    // The rights do not tell whether the system takes folders there, as below `/proc`.
    if (existing !== dir) rmdirSync(mkdtempSync(join(existing, '.cairn-')))
  } catch (error) {
    throw new StartError(
      `The folder ${dir} for backups cannot be created or written. Set BACKUP_DIR to one that can.`,
      { cause: error },
    )
  }
}
