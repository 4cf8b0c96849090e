// A PostgreSQL of the server's own, in its data folder: a child process that only the server reaches.
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { PostgresUrls } from '../../configuration/configuration.ts'
import { StartError } from '../../errors/start-error.ts'
import { DatabaseUnavailableError, type DatabaseEngine } from '../connection.ts'
import { freeBytesOf, isDiskFull, openSocketFolder, syncFolder, syncPath } from '../disk.ts'
import { openPostgres } from '../postgres.ts'
import { startWatchdog } from '../watchdog.ts'
import { clusterFolder, unfinishedCluster } from './folders.ts'
import { OWNER, createCluster } from './postmaster.ts'
import type { Programs } from './programs.ts'
import { superviseCluster } from './supervise.ts'

const DATABASE = 'cairn'
/** Row level security binds this role; the owner, a superuser, only migrates. */
const LOGIN = 'cairn_app'

/**
 * Opens the database in `dataDir`, which the caller has locked, creating it when there is none. Throws
 * StartError when it does not open. While the disk is nearly full its transactions are read-only.
 */
export async function openChildPostgres(
  dataDir: string,
  programs: Programs,
): Promise<DatabaseEngine> {
  if (!existsSync(clusterFolder(dataDir))) {
    const engine = await createUnfinished(dataDir, programs)
    await engine.close()
    finishCluster(dataDir)
  }
  return openCluster(clusterFolder(dataDir), dataDir, programs)
}

/** Creates an empty database in the folder for unfinished ones, and opens it. Throws StartError. */
export async function createUnfinished(
  dataDir: string,
  programs: Programs,
): Promise<DatabaseEngine> {
  if (isDiskFull(dataDir))
    throw new StartError(`The disk of ${dataDir} has less than 64 MB free. Make room first.`)
  const folder = unfinishedCluster(dataDir)
  await createCluster(folder, programs).catch((error: Error) => {
    throw new StartError(`The database in ${folder} cannot be created: ${error.message}`, {
      cause: error,
    })
  })
  return openCluster(folder, dataDir, programs)
}

/** Puts the unfinished database, which is closed, in its place, once it is flushed to the disk. */
export function finishCluster(dataDir: string): void {
  syncFolder(unfinishedCluster(dataDir))
  renameSync(unfinishedCluster(dataDir), clusterFolder(dataDir))
  syncPath(dataDir)
}

/** The major version of PostgreSQL that made the database. */
const madeBy = (folder: string) => readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()

async function openCluster(
  folder: string,
  dataDir: string,
  programs: Programs,
): Promise<DatabaseEngine> {
  const doesNotOpen = (error: Error) => {
    if (/incompatible with server/.test(error.message))
      throw new StartError(
        `The database in ${folder} is of PostgreSQL ${madeBy(folder)}, and this version of the server has another one. Make a backup with the version that made it, and restore that.`,
        { cause: error },
      )
    throw new StartError(`The database in ${folder} does not open: ${error.message}`, {
      cause: error,
    })
  }
  const cluster = await superviseCluster(folder, programs).catch(doesNotOpen)
  const socket = openSocketFolder(folder)
  const urlOf = (role: string, database: string) =>
    `postgres://${role}@localhost/${database}?host=${encodeURIComponent(socket.path)}`
  try {
    await createLogin(urlOf(OWNER, 'postgres')).catch(doesNotOpen)
    const urls: PostgresUrls = { url: urlOf(LOGIN, DATABASE), ownerUrl: urlOf(OWNER, DATABASE) }
    const engine = await openPostgres(urls, () => {
      try {
        return freeBytesOf(dataDir)
      } catch (error) {
        // The disk is gone.
        throw new DatabaseUnavailableError(error)
      }
    })
    return {
      ...engine,
      watch: (ping) => startWatchdog(ping, () => cluster.restart()),
      async close() {
        await engine.close()
        await cluster.stop()
        socket.close()
      },
    }
  } catch (error) {
    await cluster.stop()
    socket.close()
    throw error
  }
}

/** Creates the role and the database, at the first start. */
async function createLogin(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rows.length > 0) return
    await client.query(`create role ${LOGIN} login noinherit`)
    await client.query(`create database ${DATABASE} owner ${OWNER}`)
  } finally {
    await client.end()
  }
}
