// Opens databases and transactions. Nothing outside of this file opens a transaction, and each one takes a
// role that row-security.sql restricts.
import {
  kyselyOn,
  type DatabaseEngine,
  type Opening,
  type ThrowAway,
  type Tx,
} from './connection.ts'
import { isUuid } from '../../contract/schemas/fields.ts'
import { lockOf, type LookUp } from './wire/look-up.ts'
import { createUnfinished, openChildPostgres } from './cluster/child-postgres.ts'
import { programsFor, type Programs } from './cluster/programs.ts'
import type { EmptyImage } from './embedded/pglite.ts'
import { acquireDataDirLock } from './data-dir-lock.ts'
import { keepPrivate } from './data-dir-permissions.ts'
import {
  ChangedKeys,
  collectChanges,
  createChangeBus,
  type ChangeSubscriptions,
} from './change-bus.ts'
import {
  MIN_FREE_BYTES,
  MIN_FREE_BYTES_FOR_PURGE,
  MIN_FREE_BYTES_FOR_SESSIONS,
  diskFull,
} from './disk.ts'
import { REFUSED_STATES } from './wire/prepared.ts'
import type { PostgresUrls } from '../configuration/configuration.ts'
import { openPostgres } from './postgres.ts'
import { StartError } from '../errors/start-error.ts'

type Work<T> = (tx: Tx) => Promise<T>
/** `found`: the rows of each look-up. */
type WorkAfterLookUps<T> = (tx: Tx, found: unknown[][]) => Promise<T>

/** Sent with the statements that begin a transaction. A write locks its organisation first. */
interface LookUps {
  /** Of what `auth` sees. */
  auth: LookUp<unknown>
  /** Of what the transaction sees. */
  tenant: readonly LookUp<unknown>[]
}

/**
 * Whether a transaction locks the row of its organisation until it ends: those of one organisation follow each other,
 * and a version, limit or role that one has read is still true when it writes.
 */
export type Access = 'read' | 'write'

/** Of transactions that take the same lock one runs at a time, and callers take turns: see `withTurns`. */
export interface Turn {
  lock: string
  caller: string
  /** The organisation whose row is locked as well, as by a write of one of its members. */
  organisation_id?: string | undefined
}

/** A database. Each method runs `work` in a transaction, up to three times on conflicts with others. */
export interface Database {
  /**
   * Sees the rows of that one organisation. `user_id`: the author of changes. `access`: for who waits for whom, see
   * `withTurns`. Throws an Error when an id is not a UUID.
   */
  tenant<T>(
    organisation_id: string,
    work: WorkAfterLookUps<T>,
    user_id?: string,
    access?: Access,
    lookUps?: LookUps,
  ): Promise<T>
  /** As `tenant`, as of one moment (repeatable read). */
  tenantSnapshot<T>(organisation_id: string, work: Work<T>): Promise<T>
  /** Sees users, sessions and memberships, but no records. `about` says what may be written on a nearly full disk. */
  auth<T>(work: Work<T>, about?: 'sessions'): Promise<T>
  /** As `auth`, for transactions that begin by waiting for a lock. */
  authInTurn<T>(turn: Turn, work: Work<T>, about?: 'sessions'): Promise<T>
  /**
   * Sees everything: for seeding, jobs and backups, never for a user's request. `about`: as for `auth`, or that it
   * changes every record, which may take long.
   */
  system<T>(work: Work<T>, about?: 'purge' | 'every record'): Promise<T>
  /** Sees everything as of one moment (repeatable read). For backups and restores: it may take long. */
  snapshot<T>(work: Work<T>): Promise<T>
  /** Empty tables for the proof of a backup; undefined while another process has them. */
  openThrowAway(): Promise<ThrowAway | undefined>
  changes: ChangeSubscriptions
  /** The names of its migrations, in order: those of this version, unless `leaveSchemas` was called. */
  migrations: readonly string[]
  /** Free room on the disk of the server's own database. */
  freeBytes?: () => number
  /** Writes a checkpoint: the embedded database has no checkpointer of its own. */
  checkpoint(): Promise<void>
  /** Vacuums and analyses: the embedded database has no autovacuum. */
  vacuum(): Promise<void>
  /**
   * Resolves when the database answers, or while it is busy with a backup, a vacuum or a checkpoint that delays
   * all else. May never settle.
   */
  ping(): Promise<unknown>
  close(): Promise<void>
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
/** Another process inserted the same record or key at the same time: the next attempt finds it. */
const UNIQUE_VIOLATION = '23505'
const RETRYABLE_STATES = [SERIALIZATION_FAILURE, DEADLOCK, UNIQUE_VIOLATION, ...REFUSED_STATES]
const MAX_ATTEMPTS = 3

/** The SQLSTATE of a database error; undefined for any other error. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** The disk of the database is nearly full, see disk.ts: READ ONLY SQL TRANSACTION and DISK FULL. */
export const isOutOfRoom = (error: unknown): boolean =>
  ['25006', '53100'].includes(sqlState(error) ?? '')

const isRetryable = (error: unknown) => RETRYABLE_STATES.includes(sqlState(error) ?? '')

/**
 * Opens the server's own database in `dataDir`, or one in memory when it is undefined, and migrates it: a
 * PostgreSQL that runs as a child process, or the embedded one where none can run, where the folder holds
 * one, and for tests that pass an `image`. Throws StartError when the folder is not writable or in use, or
 * when the database does not open.
 */
export async function openDatabase(
  dataDir: string | undefined,
  image?: EmptyImage,
): Promise<Database> {
  if (dataDir === undefined) {
    const { openInMemory } = await import('./embedded/pglite.ts')
    return createDatabase(await openInMemory(image))
  }
  const unlock = takeDataDir(dataDir)
  try {
    const programs = await programsFor(dataDir, image !== undefined)
    const engine = programs
      ? await openChildPostgres(dataDir, programs)
      : await openEmbedded(dataDir, image)
    return createDatabase({ ...engine, close: () => engine.close().finally(unlock) })
  } catch (error) {
    unlock()
    throw error
  }
}

/** The embedded database. It cannot be restarted in this process, which ends when it hangs. */
async function openEmbedded(dataDir: string, image?: EmptyImage): Promise<DatabaseEngine> {
  const { openDurable } = await import('./embedded/pglite.ts')
  const { startThreadWatchdog } = await import('./embedded/thread-watchdog.ts')
  const { engine } = await openDurable(dataDir, image)
  return { ...engine, watch: startThreadWatchdog }
}

/** Opens the embedded database of a data folder that the caller has locked. Throws StartError. */
export async function openEmbeddedDatabase(dataDir: string): Promise<Database> {
  return createDatabase(await openEmbedded(dataDir))
}

/** A new database in `dataDir` for PostgreSQL, not in its place yet: see finishCluster. Throws StartError. */
export async function openUnfinished(dataDir: string, programs: Programs): Promise<Database> {
  return createDatabase(await createUnfinished(dataDir, programs))
}

/** Connects to a PostgreSQL server and migrates it. Throws StartError when it cannot be reached or used. */
export async function openPostgresDatabase(urls: PostgresUrls): Promise<Database> {
  return createDatabase(await openPostgres(urls))
}

/**
 * Creates the data folder where there is none, keeps it to its owner, and locks it. Returns the function that
 * unlocks it. Throws StartError.
 */
export function takeDataDir(dataDir: string): () => void {
  keepPrivate(dataDir)
  try {
    return acquireDataDirLock(dataDir)
  } catch (error) {
    if (error instanceof StartError) throw error
    const full = diskFull(dataDir, error)
    if (full) throw full
    throw new StartError(
      `The data folder ${dataDir} is not writable. Set DATA_DIR to a folder that the server may write.`,
      { cause: error },
    )
  }
}

const REPEATABLE_READ = 'set transaction isolation level repeatable read'

function createDatabase(engine: DatabaseEngine): Database {
  const changes = createChangeBus()
  engine.listen((key) => changes.publish(key))
  async function run<T>(
    opening: Opening,
    work: WorkAfterLookUps<T>,
    minFreeBytes = MIN_FREE_BYTES,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const changed = new ChangedKeys()
        return await engine.transaction(
          opening,
          changed,
          (query, found) => {
            const tx = kyselyOn(query)
            collectChanges(tx, changed)
            return work(tx, found)
          },
          minFreeBytes,
        )
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
      }
    }
  }
  const jobs = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  /** While it runs, a database that does one thing at a time answers nothing else. */
  const asLongJob = async <T>(job: () => Promise<T>): Promise<T> => {
    Atomics.add(jobs, 0, 1)
    try {
      return await job()
    } finally {
      Atomics.sub(jobs, 0, 1)
    }
  }
  const isBusy = () => engine.isSingle && Atomics.load(jobs, 0) > 0
  const ping = () => (isBusy() ? Promise.resolve() : engine.ping())
  const stopWatchdog = engine.watch?.(ping, jobs)
  return {
    tenant(organisation_id, work, user_id, access, lookUps) {
      // The ids become part of a statement, unescaped.
      if (![organisation_id, user_id ?? organisation_id].every(isUuid))
        throw new Error('The ids of an organisation and a user must be UUIDs.')
      const setOrganisation = `set local app.organisation_id = '${organisation_id}'`
      const setUser = user_id === undefined ? '' : `; set local app.user_id = '${user_id}'`
      const enter = `set local role cairn_tenant; ${setOrganisation}${setUser}`
      const entering = access === 'write' ? [enter, lockOf(organisation_id)] : [enter]
      if (!lookUps) return run(entering, work)
      const { auth, tenant } = lookUps
      return run([...entering, 'set local role cairn_auth', auth, enter, ...tenant], work)
    },
    tenantSnapshot(organisation_id, work) {
      // It becomes part of a statement, unescaped.
      if (!isUuid(organisation_id)) throw new Error('The id of an organisation must be a UUID.')
      return run(
        [
          REPEATABLE_READ,
          `set local role cairn_tenant; set local app.organisation_id = '${organisation_id}'`,
        ],
        work,
      )
    },
    auth: (work, about) =>
      run(['set local role cairn_auth'], work, about && MIN_FREE_BYTES_FOR_SESSIONS),
    authInTurn: (_turn, work, about) =>
      run(['set local role cairn_auth'], work, about && MIN_FREE_BYTES_FOR_SESSIONS),
    system(work, about) {
      const minFreeBytes = about === 'purge' ? MIN_FREE_BYTES_FOR_PURGE : MIN_FREE_BYTES
      const transact = () => run(['set local role cairn_system'], work, minFreeBytes)
      return about === 'every record' ? asLongJob(transact) : transact()
    },
    snapshot: (work) =>
      asLongJob(() => run([REPEATABLE_READ, 'set local role cairn_system'], work)),
    async openThrowAway() {
      const opened = await engine.openThrowAway()
      return opened && { ...opened, use: (work) => asLongJob(() => opened.use(work)) }
    },
    changes,
    migrations: engine.migrations,
    ...(engine.freeBytes && { freeBytes: engine.freeBytes }),
    checkpoint: () => asLongJob(() => engine.checkpoint()),
    vacuum: () => asLongJob(() => engine.vacuum()),
    ping,
    close() {
      stopWatchdog?.()
      return engine.close()
    },
  }
}
