// Empty tables for the proof of a backup, of which nothing is left afterwards: they are temporary, within a
// transaction that is never committed. After a kill PostgreSQL deletes the files of temporary tables only.
import { DatabaseError, type Client } from 'pg'
import {
  DatabaseUnavailableError,
  IN_UTC,
  kyselyOn,
  type Query,
  type ThrowAway,
} from './connection.ts'
import { migrationFiles } from './migrate.ts'

/** Key of the advisory lock; any number that nothing else in this database uses. */
const BACKUP_LOCK_ID = 4_716_103
const SCHEMA = 'cairn_backup_proof'

/**
 * The statements that make the empty tables and select them, in an open transaction of their owner. Functions are in
 * a schema of their own: those in `pg_temp` are not found by their name.
 */
export const emptyTables = (): string[] => [
  `create schema ${SCHEMA}; set local search_path = ${SCHEMA}`,
  ...migrationFiles().map((text) => text.replaceAll(/^create table /gm, 'create temporary table ')),
  'set local search_path = pg_temp',
]

/** An error without an answer of the server: the connection broke. */
function throwUnavailable(error: unknown): never {
  throw error instanceof DatabaseError ? error : new DatabaseUnavailableError(error)
}

/**
 * Empty tables on a PostgreSQL server, through a connection as the owner that is not open yet. The connection is
 * closed with it. Undefined: another process is making a backup.
 */
export async function throwAwaySchema(client: Client): Promise<ThrowAway | undefined> {
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
    await client.query(`begin; set local idle_in_transaction_session_timeout = 0; ${IN_UTC}`)
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
  const query: Query = async (sql, parameters) => {
    const result = await client.query<object>(sql, parameters).catch(throwUnavailable)
    return { rows: result.rows, affected: result.rowCount ?? 0 }
  }
  return {
    async use(work) {
      for (const sql of emptyTables()) await client.query(sql).catch(throwUnavailable)
      return work(kyselyOn(query))
    },
    close,
  }
}
