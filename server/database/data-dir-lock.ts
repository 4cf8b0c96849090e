// Two processes on one data folder silently lose rows: whoever comes second is refused. The lock is the
// kernel's: it goes with its process, however that ends, and it holds between containers, where each
// server is process 1 and the number of another one means nothing.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../errors/start-error.ts'

/** SQLITE_BUSY: https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

/**
 * Takes the folder for this process and returns how to give it back. Throws StartError, with who has it,
 * when another one holds the folder. SQLite serves for its lock alone, and nothing is written into its
 * file: whoever else in this process opened and closed `lock.db` would give the lock away (fcntl(2)).
 */
export function acquireDataDirLock(folder: string): () => void {
  const holderFile = join(folder, 'lock')
  const file = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 })
  try {
    file.exec('begin exclusive')
    writeFileSync(holderFile, `process ${process.pid} on ${hostname()}`, { mode: 0o600 })
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new StartError(`The data folder ${folder} is in use by ${readHolder(holderFile)}.`)
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
    // It has the lock and has not said so yet, or is just giving it back.
    return 'another process'
  }
}
