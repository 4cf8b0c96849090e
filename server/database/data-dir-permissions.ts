// Keeps the data folder to its owner, as PostgreSQL does: it holds hashes of passwords, and all texts.
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { log } from '../log.ts'
import { StartError } from '../errors/start-error.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
/** The rights of other users, as in a umask. */
export const OTHERS = 0o077

/**
 * Creates the data folder where there is none, and takes the rights of other users from it and all that is in
 * it. Throws StartError when the folder cannot be created, or its rights cannot be changed.
 */
export function keepPrivate(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE })
  } catch (error) {
    throw new StartError(`The data folder ${dataDir} cannot be created.`, { cause: error })
  }
  let changed = 0
  try {
    // It may be a link to a folder on another disk. Links inside it are left alone.
    changed = restrict(realpathSync(dataDir))
  } catch (error) {
    throw new StartError(
      `Other users can read the data folder ${dataDir}, and its rights cannot be changed. Run the server as the folder’s owner.`,
      { cause: error },
    )
  }
  if (changed > 0) log('info', 'data folder made private', { files: changed })
}

/** Returns the number of files and folders whose rights were changed. */
function restrict(path: string): number {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return 0
  const isOpen = (entry.mode & OTHERS) !== 0
  if (isOpen) chmodSync(path, entry.isDirectory() ? FOLDER_MODE : FILE_MODE)
  let changed = isOpen ? 1 : 0
  if (entry.isDirectory())
    for (const name of readdirSync(path)) changed += restrictIfThere(join(path, name))
  return changed
}

/** A PostgreSQL that a killed server left behind deletes its files while it ends. */
function restrictIfThere(path: string): number {
  try {
    return restrict(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
