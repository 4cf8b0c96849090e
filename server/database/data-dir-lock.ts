// Locks the data folder, because two processes on one folder silently lose rows. It is a lock of the kernel:
// it ends with its process, however that ends, and it works between containers, where a process id says
// nothing.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../errors/start-error.ts'

/** https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5
const SQLITE_NOTADB = 26

const LOCK_FILE = 'lock.db'

/** Throws StartError for a folder in which no server was started: a command would make an empty database there. */
export function requireDatabase(dataDir: string): void {
  if (!existsSync(join(dataDir, LOCK_FILE)))
    throw new StartError(
      `There is no database in ${dataDir}. Start the server once, or set DATA_DIR to its folder.`,
    )
}

/**
 * Locks the folder for this process and returns the function that unlocks it. Throws StartError, naming the
 * holder, when another process has the lock. SQLite is used for its lock alone. Nothing else in this process
 * may open `lock.db`: closing any descriptor of the file would release the lock (fcntl(2)).
 */
export function acquireDataDirLock(folder: string): () => void {
  const holderFile = join(folder, 'lock')
  const file = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 })
  try {
    file.exec('begin exclusive')
    writeFileSync(holderFile, `process ${process.pid} on ${hostname()}`, { mode: 0o600 })
  } catch (error) {
    file.close()
    const { errcode } = error as { errcode?: number }
    if (errcode === SQLITE_NOTADB)
      throw new StartError(
        `${join(folder, LOCK_FILE)}, which only keeps other servers away, is damaged. Delete it.`,
      )
    if (errcode !== SQLITE_BUSY) throw error
    throw new StartError(
      `The data folder ${folder} is in use by ${readHolder(holderFile)}. Stop that first.`,
    )
  }
  return () => {
    rmSync(holderFile, { force: true })
    file.close()
  }
}

function readHolder(holderFile: string): string {
  try {
    return readFileSync(holderFile, 'utf8')
  } catch {
    // The holder has not written its name yet, or is just releasing the lock.
    return 'another process'
  }
}
