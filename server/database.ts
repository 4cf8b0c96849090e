// The way to the rows. Nothing outside of this file opens a transaction, and a handler gets only the
// transaction: the outer connection, used inside of one, would wait for itself for ever.
import { mkdirSync } from 'node:fs'
import { Kysely, PGliteDialect, type Transaction } from 'kysely'
import type { PGlite } from '@electric-sql/pglite'
import { openDurable, openInMemory, type EmptyImage } from './embedded.ts'
import { lockFolder } from './folder-lock.ts'
import { migrate } from './migrate.ts'
import { StartError } from './start-error.ts'
import type { Tables } from './tables.ts'

export type Tx = Transaction<Tables>
type Work<T> = (tx: Tx) => Promise<T>

export interface Database {
  /** Rows of one organisation. */
  tenant<T>(work: Work<T>): Promise<T>
  /** People, sessions and memberships. */
  auth<T>(work: Work<T>): Promise<T>
  /** Everything: seeding, upkeep. Never in answer to a user's call. */
  system<T>(work: Work<T>): Promise<T>
  /** Moves the log into the tables; the embedded database has no checkpointer of its own. */
  checkpoint(): Promise<void>
  /** Frees the room of old rows and measures the tables; it has no autovacuum either. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const ATTEMPTS = 3

/** The SQLSTATE of a database error. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

const loses = (error: unknown) => [SERIALIZATION_FAILURE, DEADLOCK].includes(sqlState(error) ?? '')

/**
 * Opens the database in `dataDir`, or one in memory where it is undefined, with the newest schema.
 * Throws StartError when the folder is not writable or in use, or the database does not open.
 */
export async function openDatabase(
  dataDir: string | undefined,
  image?: EmptyImage,
): Promise<Database> {
  if (dataDir === undefined) return databaseOn(await openInMemory(image), () => undefined)
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (error) {
    throw new StartError(`The data folder ${dataDir} cannot be made.`, { cause: error })
  }
  const unlock = lockOrExplain(dataDir)
  try {
    const { pglite } = await openDurable(dataDir, image)
    return await databaseOn(pglite, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

function lockOrExplain(dataDir: string): () => void {
  try {
    return lockFolder(dataDir)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The data folder ${dataDir} is not writable.`, { cause: error })
  }
}

async function databaseOn(pglite: PGlite, unlock: () => void): Promise<Database> {
  await migrate(pglite)
  const kysely = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
  async function run<T>(work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await kysely.transaction().execute(work)
      } catch (error) {
        if (attempt === ATTEMPTS || !loses(error)) throw error
      }
    }
  }
  return {
    tenant: run,
    auth: run,
    system: run,
    async checkpoint() {
      await pglite.exec('checkpoint')
    },
    async vacuum() {
      await pglite.exec('vacuum (analyze)')
    },
    async close() {
      if (!pglite.closed) await pglite.close()
      unlock()
    },
  }
}
