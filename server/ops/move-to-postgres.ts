// Moves a data folder of the embedded database to PostgreSQL, at the first start that can run it.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { finishCluster } from '../database/cluster/child-postgres.ts'
import {
  clusterFolder,
  embeddedFolder,
  moveMark,
  twoDatabases,
} from '../database/cluster/folders.ts'
import { findPrograms, whyEmbedded, type Programs } from '../database/cluster/programs.ts'
import { openUnfinished, takeDataDir } from '../database/database.ts'
import { syncPath } from '../database/disk.ts'
import { StartError } from '../errors/start-error.ts'
import { announce } from '../log.ts'
import { restore } from './backup.ts'

/** A name for the embedded database that no earlier one has. */
function freeNameIn(dataDir: string): string {
  const name = `${embeddedFolder(dataDir)}-before-postgres`
  let free = name
  for (let count = 2; existsSync(free); count += 1) free = `${name}-${count}`
  return free
}

/**
 * Copies all rows to a new PostgreSQL, which takes effect with one rename once it is complete and on the disk,
 * and keeps the embedded database under another name. Does nothing where there is none, or no PostgreSQL.
 * Throws StartError when that fails: then the embedded database is as it was; and for a folder with two databases.
 */
export async function moveToPostgres(dataDir: string): Promise<void> {
  const embedded = embeddedFolder(dataDir)
  const cluster = clusterFolder(dataDir)
  const mark = moveMark(dataDir)
  if (!existsSync(embedded)) {
    // Left by a process that was killed at the end: beside a later embedded database it would be wrong.
    rmSync(mark, { force: true })
    return
  }
  const unlock = takeDataDir(dataDir)
  try {
    if (!existsSync(cluster)) {
      const programs = await findPrograms(dataDir)
      if ('reason' in programs) {
        announce('warning', 'data not moved to PostgreSQL', whyEmbedded(programs.reason))
        return
      }
      await copyRows(dataDir, programs)
      writeFileSync(mark, '', { mode: 0o600 })
      syncPath(dataDir)
      finishCluster(dataDir)
    } else if (!existsSync(mark)) throw twoDatabases(dataDir)
    // A process that was killed after the rename above has left this to the next one.
    const kept = freeNameIn(dataDir)
    renameSync(embedded, kept)
    syncPath(dataDir)
    rmSync(mark, { force: true })
    announce(
      'info',
      'data moved to PostgreSQL',
      `The data is in PostgreSQL now. ${kept} holds the old database: delete it when you no longer need it.`,
    )
  } finally {
    unlock()
  }
}

async function copyRows(dataDir: string, programs: Programs): Promise<void> {
  const file = join(dataDir, 'rows-to-move')
  try {
    await readEmbedded(dataDir, file)
    const database = await openUnfinished(dataDir, programs)
    try {
      // No write was lost, so devices go on from the versions that they have.
      await restore(database, file, { raiseVersions: false })
    } finally {
      await database.close()
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The data in ${embeddedFolder(dataDir)} was not moved to PostgreSQL and is unchanged: ${reason}`,
      { cause: error },
    )
  } finally {
    rmSync(file, { force: true })
  }
}

/** In a thread, because the memory of the embedded database is not returned before its thread ends. */
async function readEmbedded(dataDir: string, file: string): Promise<void> {
  const worker = new Worker(new URL('./read-embedded.ts', import.meta.url), {
    workerData: { dataDir, file },
  })
  await new Promise((resolve, reject) => worker.once('error', reject).once('exit', resolve))
}
