// What is known about the backups in a folder, in a file beside them.
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { openNewFile, syncPath } from '../../database/disk.ts'

const FILE = 'backups.json'

const StatusSchema = v.object({
  /** Those that this server wrote and has not deleted, oldest first. Times are ISO 8601. */
  backups: v.array(
    v.object({
      /** Name in the folder. */
      file: v.pipe(v.string(), v.regex(/^cairn-[\w-]+\.backup$/)),
      written_at: v.string(),
      bytes: v.number(),
      rows: v.number(),
      /** Whether it was restored, and the result was equal to the database at that moment. */
      proven: v.boolean(),
      /** Why it is not proven. */
      reason: v.nullable(v.string()),
    }),
  ),
  /** The file that is being written; of a killed process it is still there, with the suffix `.part`. */
  writing: v.nullable(v.pipe(v.string(), v.regex(/^cairn-[\w-]+\.backup$/))),
  last_attempt_at: v.nullable(v.string()),
  /** Why the last attempt made no backup, or none that is proven; null when it did. */
  last_failure: v.nullable(v.string()),
})

/** The state of a folder of backups. */
export type BackupStatus = v.InferOutput<typeof StatusSchema>

const NO_BACKUPS: BackupStatus = {
  backups: [],
  writing: null,
  last_attempt_at: null,
  last_failure: null,
}

/**
 * Reads `backups.json` in the folder of BACKUP_DIR; without one there are no backups. Also works while the server
 * runs. Throws an Error when it cannot be read or is damaged.
 */
export async function readBackupStatus(dir: string): Promise<BackupStatus> {
  const text = await readFile(join(dir, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return NO_BACKUPS
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), StatusSchema), text)
  if (!read.success) throw new Error(`${join(dir, FILE)} is damaged. Move it away.`)
  return read.output
}

/** When the newest proven backup was made; undefined when there is none. */
export const lastProven = ({ backups }: BackupStatus): string | undefined =>
  backups.findLast(({ proven }) => proven)?.written_at

/** Replaces the file in one step, flushed to the disk. */
export async function writeBackupStatus(dir: string, status: BackupStatus): Promise<void> {
  const partialFile = join(dir, `${FILE}.part`)
  const handle = await openNewFile(partialFile)
  try {
    await handle.writeFile(`${JSON.stringify(status, undefined, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(partialFile, join(dir, FILE))
  syncPath(dir)
}
