// Makes backups while the server runs.
import type { BackupConfiguration } from '../../configuration/backups.ts'
import type { Database } from '../../database/database.ts'
import { errorFields, log } from '../../log.ts'
import { backUpWhenDue, untilNextBackupMs } from './make-backup.ts'

/** At least once a minute: the clock may be set, and another process may have failed. */
const MAX_PAUSE_MS = 60_000
/** While another process is at it, one may be due all the time. */
const MIN_PAUSE_MS = 1_000

/**
 * Starts making backups: at once when one is due, later on by a timer. Returns the function that stops it, and breaks
 * off what it is writing.
 */
export function startBackups(
  configuration: BackupConfiguration,
  { database, now }: { database: Database; now: () => Date },
): () => Promise<void> {
  const closing = new AbortController()
  const { signal } = closing
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    try {
      const status = await backUpWhenDue(configuration, { database, now, signal })
      const backup = status?.backups.at(-1)
      if (status?.last_failure) log('error', 'backup failed', { reason: status.last_failure })
      else if (backup) log('info', 'backup proven', { file: backup.file, rows: backup.rows })
    } catch (error) {
      if (!signal.aborted) log('error', 'backup failed', errorFields(error))
    }
    const untilDueMs = await untilNextBackupMs(configuration, now()).catch(() => MAX_PAUSE_MS)
    if (signal.aborted) return
    const pauseMs = Math.min(Math.max(untilDueMs, MIN_PAUSE_MS), MAX_PAUSE_MS)
    timer = setTimeout(() => void (running = check()), pauseMs).unref()
  }
  let running = check()
  return async () => {
    clearTimeout(timer)
    closing.abort(new Error('The server stops.'))
    await running
  }
}
