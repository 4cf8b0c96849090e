// A backup before the schema changes, so that an operator can return to the version before.
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { withSecretFiles } from '../configuration/secret-files.ts'
import type { Tx } from '../database/connection.ts'
import { schemaOf, setBeforeMigrating } from '../database/migrate.ts'
import { StartError } from '../errors/start-error.ts'
import { diskFull, freeBytesOf } from '../database/disk.ts'
import { makeFolder } from '../database/data-dir-permissions.ts'
import { dumpRows, writeBackup } from './backup.ts'
import { NoRoomError, lackOfRoom, leavingRoom, tableBytes } from './backups/room.ts'

/**
 * From now on this process writes a backup to the data folder before it migrates a database with data, encrypted if
 * BACKUP_PASSPHRASE is set, and prints its name. If it cannot be written, the migration fails with a StartError where
 * the backup is `required`; otherwise it goes on, and a line says that there is no backup.
 */
export function backUpBeforeMigrating(dataDir: string, required: boolean): void {
  setBeforeMigrating(async ({ tx, applied, pending }) => {
    const [before, after] = [schemaOf(applied), schemaOf(pending)]
    // Of the same name after a start that was killed: it is made again, not added to.
    const file = join(dataDir, `before-${after}.backup`)
    try {
      await requireRoom(tx, dataDir)
      const passphrase = withSecretFiles(process.env).BACKUP_PASSPHRASE || undefined
      const writeLines = (write: (part: string) => Promise<void>) =>
        dumpRows(tx, leavingRoom(dataDir, file, write), applied)
      await writeBackup(file, writeLines, passphrase)
      print(`The database is updated from ${before} to ${after}. Backup of before: ${file}`)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      const lacksRoom = error instanceof NoRoomError || diskFull(dataDir, error.cause) !== undefined
      const step = lacksRoom ? 'make room' : 'remove the cause'
      if (required)
        throw new StartError(
          `${error.message} Nothing was updated: ${step}, or start the previous version.`,
          { cause: error },
        )
      print(`The database is updated to ${after} without a backup. ${error.message}`)
    }
  })
}

/**
 * On standard error, apart from the answer of a command, and at once: in a thread console.log waits for the main one,
 * so a killed process would print nothing.
 */
const print = (line: string) => void writeSync(2, `${line}\n`)

/** Throws NoRoomError when the data folder has less room than the tables take, StartError when it cannot be used. */
async function requireRoom(tx: Tx, dataDir: string): Promise<void> {
  const bytes = await tableBytes(tx)
  let freeBytes: number
  try {
    makeFolder(dataDir)
    freeBytes = freeBytesOf(dataDir)
  } catch (error) {
    const { message } = error as Error
    throw new StartError(
      `A backup before the update cannot be written to ${dataDir}: ${message}.`,
      { cause: error },
    )
  }
  const lack = lackOfRoom(`in ${dataDir}`, { bytes, freeBytes })
  if (lack !== undefined) throw new NoRoomError(`A backup before the update ${lack}`)
}
