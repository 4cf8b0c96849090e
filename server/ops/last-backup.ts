// When the last backup was written, for the doctor.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE_NAME = 'last-backup'

/** Stores that a backup was written now. A folder that cannot be written is no reason to fail. */
export function recordBackup(dataDir: string): void {
  try {
    const file = join(dataDir, FILE_NAME)
    // A link would be followed.
    rmSync(file, { force: true })
    writeFileSync(file, new Date().toISOString(), { mode: 0o600, flag: 'wx' })
  } catch {
    // With DATABASE_URL the folder may be missing or read-only.
  }
}

/** When the last one was written; undefined when none is known. */
export function readLastBackup(dataDir: string): Date | undefined {
  try {
    const at = new Date(readFileSync(join(dataDir, FILE_NAME), 'utf8'))
    return Number.isNaN(at.getTime()) ? undefined : at
  } catch {
    return undefined
  }
}
