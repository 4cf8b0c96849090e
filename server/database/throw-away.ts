// An empty database for the proof of a backup, which nothing of is left afterwards.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { PostgresUrls } from '../configuration/configuration.ts'
import { kyselyOn, type Tx } from './connection.ts'
import { openDatabase } from './database.ts'
import { migrationFiles } from './migrate.ts'
import { configOf } from './postgres.ts'

/** Key of the advisory lock; any number that nothing else in this database uses. */
const BACKUP_LOCK_ID = 4_716_103
const SCHEMA = 'cairn_backup_proof'

/** A throw-away database, and the lock on making backups until it is closed. */
export interface ThrowAway {
  /** Runs `work` in a transaction on empty tables. Once only. */
  use<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * A schema of its own on the PostgreSQL server, in a transaction that is never committed: it sees no other data, and
 * leaves nothing behind however the process ends. Undefined: another process is making a backup.
 */
export async function throwAwaySchema({ ownerUrl }: PostgresUrls): Promise<ThrowAway | undefined> {
  const client = new Client(configOf(ownerUrl))
  // A broken connection fails the next statement; without a listener the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  const close = async () => {
    await client.query('rollback').catch(() => undefined)
    await client.end()
  }
  try {
    // The lock belongs to the transaction, so that it also works behind a pooler. The connection is idle while
    // the backup is written.
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1) as taken',
      [BACKUP_LOCK_ID],
    )
    if (!rows[0]?.taken) {
      await close()
      return undefined
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    async use(work) {
      await client.query(`create schema ${SCHEMA}; set local search_path = ${SCHEMA}`)
      for (const sql of migrationFiles()) await client.query(sql)
      return work(
        kyselyOn(async (sql, parameters) => {
          const result = await client.query<object>(sql, parameters)
          return { rows: result.rows, affected: result.rowCount ?? 0 }
        }),
      )
    },
    close,
  }
}

/**
 * An embedded database in a temporary folder within `dataDir`, whose lock allows one process only. A killed process
 * leaves the folder to the next start, which deletes what begins with `prefix`.
 */
export function throwAwayFolder(dataDir: string, prefix: string): ThrowAway {
  return {
    async use(work) {
      const folder = await mkdtemp(join(dataDir, prefix))
      try {
        const database = await openDatabase(folder)
        try {
          return await database.system(work)
        } finally {
          await database.close()
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    close: () => Promise.resolve(),
  }
}
