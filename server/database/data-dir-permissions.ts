// Keeps the data folder to its owner, as PostgreSQL does: it holds hashes of passwords, and all texts.
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { announce } from '../log.ts'
import { diskFull } from './disk.ts'
import { StartError } from '../errors/start-error.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
/** The rights of other users, as in a umask. */
export const OTHERS = 0o077

/** One of these is in every data folder that was used before. */
const MARKS = ['lock.db', 'token-key', 'postgres/PG_VERSION', 'database/PG_VERSION']
/** What the server and its commands write there (docs/configuration.md); a backup also before the first start. */
const OWN =
  /^(?:(?:postgres|database|token-key)(?:\.new)?|database-before-postgres(?:-\d+)?|moving-to-postgres|libraries|app-files|rows-to-move(?:\.part)?|lock|lock\.db.*|operator|outbox|backups|last-backup|.+\.backup(?:\.part)?)$/
/** In a folder that was just mounted, or looked at. */
const OF_THE_SYSTEM = /^(?:\.|lost\+found$)/

/**
 * Creates a folder that only its owner can read, and those above it where they are missing. Throws the error of the
 * file system. The recursive `mkdir` of Node does not end where the system takes no folders, as below `/proc`.
 */
export function makeFolder(path: string): void {
  const above = dirname(path)
  if (!existsSync(above)) makeFolder(above)
  try {
    mkdirSync(path, { mode: FOLDER_MODE })
  } catch (error) {
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    if (!isThere) throw error
  }
}

/**
 * Creates the data folder where there is none, and takes the rights of other users from it and from what the server
 * has written there. Throws StartError when the folder cannot be created or used, when rights cannot be changed, and
 * for a folder with files of others, which is left as it is.
 */
export function keepPrivate(dataDir: string): void {
  try {
    makeFolder(dataDir)
  } catch (error) {
    const full = diskFull(dataDir, error)
    if (full) throw full
    throw new StartError(
      `The data folder ${dataDir} cannot be created (${codeOf(error)}). Set DATA_DIR to a folder that the server may write.`,
      { cause: error },
    )
  }
  let changed = 0
  try {
    // It may be a link to a folder on another disk. Links inside it are left alone.
    const folder = realpathSync(dataDir)
    const names = readdirSync(folder)
    requireOwnFolder(dataDir, names)
    changed += restrict(folder)
    for (const name of names) if (OWN.test(name)) changed += restrictIfThere(join(folder, name))
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (error instanceof StartError) throw error
    if (codeOf(error) === 'EROFS')
      throw new StartError(
        `The data folder ${dataDir} is on a disk that is mounted read-only. Mount it writable.`,
        { cause: error },
      )
    if (statSync(dataDir, { throwIfNoEntry: false })?.uid !== process.geteuid?.())
      throw new StartError(
        `The data folder ${dataDir} belongs to another user. Run the server as that user.`,
        { cause: error },
      )
    const { code, syscall, path } = error as NodeJS.ErrnoException
    throw new StartError(
      syscall === 'chmod'
        ? `Other users can read ${path}, and its rights cannot be changed (${code}). It belongs to another user, is immutable, or its disk keeps no rights.`
        : `The data folder ${dataDir} cannot be used (${code}). Set DATA_DIR to a folder that the server may read and write.`,
      { cause: error },
    )
  }
  if (changed > 0)
    announce(
      'info',
      'data folder made private',
      `Other users had rights in the data folder ${dataDir}, which are taken away now.`,
    )
}

/** The code of an error of the file system. */
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** `DATA_DIR=.` or `/srv` by mistake: the server would take the rights of other users from all that is there. */
function requireOwnFolder(dataDir: string, names: readonly string[]): void {
  const others = names.filter((name) => !OWN.test(name) && !OF_THE_SYSTEM.test(name))
  if (others.length === 0 || MARKS.some((mark) => existsSync(join(dataDir, mark)))) return
  throw new StartError(
    `The folder ${dataDir} holds other files (${others[0]}). Set DATA_DIR to an empty folder.`,
  )
}

/** Returns the number of files and folders whose rights were changed: 0 or 1. */
function restrict(path: string): number {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink() || (entry.mode & OTHERS) === 0) return 0
  chmodSync(path, entry.isDirectory() ? FOLDER_MODE : FILE_MODE)
  return 1
}

/** The same with all that is in a folder. */
function restrictAll(path: string): number {
  let changed = restrict(path)
  if (lstatSync(path).isDirectory())
    for (const name of readdirSync(path)) changed += restrictIfThere(join(path, name))
  return changed
}

/** A PostgreSQL that a killed server left behind deletes its files while it ends. */
function restrictIfThere(path: string): number {
  try {
    return restrictAll(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0
    throw error
  }
}
