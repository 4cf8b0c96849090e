// Opens databases and transactions. Nothing outside of this file opens a transaction, and each one takes a
// role that row-security.sql restricts.
import { kyselyOn, type DatabaseEngine, type ThrowAway, type Tx } from './connection.ts'
import { openDurable, openInMemory, type EmptyImage } from './embedded.ts'
import { acquireDataDirLock } from './data-dir-lock.ts'
import { keepPrivate } from './data-dir-permissions.ts'
import { collectChanges, createChangeBus, type ChangeSubscriptions } from './change-bus.ts'
import type { PostgresUrls } from '../configuration/configuration.ts'
import { openPostgres } from './postgres.ts'
import { StartError } from '../errors/start-error.ts'

type Work<T> = (tx: Tx) => Promise<T>

/** A database. Each method runs `work` in a transaction, up to three times on conflicts with others. */
export interface Database {
  /**
   * Sees the rows of that one organisation. `user_id`: the author of changes. Throws an Error when an id is
   * not a UUID.
   */
  tenant<T>(organisation_id: string, work: Work<T>, user_id?: string): Promise<T>
  /** Sees users, sessions and memberships, but no records. */
  auth<T>(work: Work<T>): Promise<T>
  /** Sees everything: for seeding, jobs and backups, never for a user's request. */
  system<T>(work: Work<T>): Promise<T>
  /** Sees everything as of one moment (repeatable read). */
  snapshot<T>(work: Work<T>): Promise<T>
  /** Empty tables for the proof of a backup; undefined while another process has them. */
  openThrowAway(): Promise<ThrowAway | undefined>
  changes: ChangeSubscriptions
  /** Writes a checkpoint: the embedded database has no checkpointer of its own. */
  checkpoint(): Promise<void>
  /** Vacuums and analyses: the embedded database has no autovacuum. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
/** Another process inserted the same record or key at the same time: the next attempt finds it. */
const UNIQUE_VIOLATION = '23505'
const RETRYABLE_STATES = [SERIALIZATION_FAILURE, DEADLOCK, UNIQUE_VIOLATION]
const MAX_ATTEMPTS = 3

/** The SQLSTATE of a database error; undefined for any other error. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

const isRetryable = (error: unknown) => RETRYABLE_STATES.includes(sqlState(error) ?? '')

/**
 * Opens the embedded database in `dataDir`, or one in memory when it is undefined, and migrates it. Throws
 * StartError when the folder is not writable or in use, or when the database does not open.
 */
export async function openDatabase(
  dataDir: string | undefined,
  image?: EmptyImage,
): Promise<Database> {
  if (dataDir === undefined) return createDatabase(await openInMemory(image))
  keepPrivate(dataDir)
  const unlock = lockDataDir(dataDir)
  try {
    const { engine } = await openDurable(dataDir, image)
    const close = () => engine.close().finally(unlock)
    return createDatabase({ ...engine, close })
  } catch (error) {
    unlock()
    throw error
  }
}

/** Connects to a PostgreSQL server and migrates it. Throws StartError when it cannot be reached or used. */
export async function openPostgresDatabase(urls: PostgresUrls): Promise<Database> {
  return createDatabase(await openPostgres(urls))
}

function lockDataDir(dataDir: string): () => void {
  try {
    return acquireDataDirLock(dataDir)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The data folder ${dataDir} is not writable.`, { cause: error })
  }
}

const UUID = /^[0-9a-f-]{36}$/i

function createDatabase(engine: DatabaseEngine): Database {
  const changes = createChangeBus()
  engine.listen((organisation_id) => changes.publish(organisation_id))
  async function run<T>(opening: string, work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const changed = new Set<string>()
        return await engine.transaction(opening, changed, (query) => {
          const tx = kyselyOn(query)
          collectChanges(tx, changed)
          return work(tx)
        })
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
      }
    }
  }
  return {
    tenant(organisation_id, work, user_id) {
      // The ids become part of a statement, unescaped.
      if (![organisation_id, user_id ?? organisation_id].every((id) => UUID.test(id)))
        throw new Error('The ids of an organisation and a user must be UUIDs.')
      const setOrganisation = `set local app.organisation_id = '${organisation_id}'`
      const setUser = user_id === undefined ? '' : `; set local app.user_id = '${user_id}'`
      return run(`set local role cairn_tenant; ${setOrganisation}${setUser}`, work)
    },
    auth: (work) => run('set local role cairn_auth', work),
    system: (work) => run('set local role cairn_system', work),
    snapshot: (work) =>
      run('set transaction isolation level repeatable read; set local role cairn_system', work),
    openThrowAway: () => engine.openThrowAway(),
    changes,
    checkpoint: () => engine.checkpoint(),
    vacuum: () => engine.vacuum(),
    close: () => engine.close(),
  }
}
