// Makes backups while the server runs.
import type { BackupConfiguration } from '../../configuration/backups.ts'
import type { Database } from '../../database/database.ts'
import { errorFields, log } from '../../log.ts'
import { backUpWhenDue } from './make-backup.ts'

const CHECK_MS = 60_000

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
  let running: Promise<void> | undefined

  async function check(): Promise<void> {
    try {
      const status = await backUpWhenDue(configuration, { database, now, signal })
      const backup = status?.backups.at(-1)
      if (status?.last_failure) log('error', 'backup failed', { reason: status.last_failure })
      else if (backup) log('info', 'backup proven', { file: backup.file, rows: backup.rows })
    } catch (error) {
      if (!signal.aborted) log('error', 'backup failed', errorFields(error))
    } finally {
      running = undefined
    }
  }
  const start = () => void (running ??= check())
  const timer = setInterval(start, CHECK_MS).unref()
  start()
  return async () => {
    clearInterval(timer)
    closing.abort(new Error('The server stops.'))
    await running
  }
}
