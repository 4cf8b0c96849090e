// What the embedded database and PostgreSQL have in common: transactions, and how values are parsed.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
} from 'kysely'
import type { LookUp } from './wire/look-up.ts'
import type { Tables } from './tables.ts'

/** Kysely on an open transaction. It cannot open another one. */
export type Tx = Omit<
  Kysely<Tables>,
  'connection' | 'destroy' | 'startTransaction' | 'transaction' | typeof Symbol.asyncDispose
>

/** Runs one statement with its parameters; `affected` counts the rows that it wrote. */
export type Query = (
  sql: string,
  parameters: unknown[],
) => Promise<{ rows: unknown[]; affected: number }>

/** Empty tables of the current schema without row level security, and the lock on them until they are closed. */
export interface ThrowAway {
  /** Runs `work` on them, in a transaction that is rolled back. Once only. */
  use<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The statements that begin a transaction. */
export type Opening = readonly (string | LookUp<unknown>)[]

/** The embedded database, PostgreSQL as a child process, or a PostgreSQL server over the network. */
export interface DatabaseEngine {
  /**
   * Runs `work` in a transaction that begins with the statements `opening`; `found`: the rows of those that return
   * any columns. Commits when `work` resolves, rolls back when it rejects. After the commit the keys in `changed` are
   * published to every process, in their order. Read-only where the disk has less than `minFreeBytes`.
   */
  transaction<T>(
    opening: Opening,
    changed: Iterable<string>,
    work: (query: Query, found: unknown[][]) => Promise<T>,
    minFreeBytes: number,
  ): Promise<T>
  /** Sets the listener for published keys. Undefined: any of them may have been published. */
  listen(listener: (key: string | undefined) => void): void
  /** Empty tables beside the others; undefined while another process has them. */
  openThrowAway(): Promise<ThrowAway | undefined>
  /** Writes a checkpoint; does nothing where the database has its own checkpointer. */
  checkpoint(): Promise<void>
  /** Vacuums and analyses; does nothing where the database has autovacuum. */
  vacuum(): Promise<void>
  /** Resolves when the database answers a trivial query. Rejects when it cannot be reached. */
  ping(): Promise<unknown>
  /** Free room on its disk. Absent where the disk is that of another machine. */
  freeBytes?: () => number
  /** The names of its migrations, in order. */
  migrations: readonly string[]
  /** Whether it does one thing at a time, so that a backup or a vacuum delays all else. */
  isSingle: boolean
  /**
   * Starts to act when `ping` is not answered for a minute, and returns the function that stops it. `jobs`: the number
   * of long jobs under way, in shared memory. Absent: nothing can be done about that.
   */
  watch?: (ping: () => Promise<unknown>, jobs: Int32Array) => () => void
  close(): Promise<void>
}

/** The database does not answer, or the connection broke: whether the transaction was committed is unknown. */
export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseUnavailableError'

  constructor(cause: unknown) {
    super('The database is not responding.', { cause })
  }
}

/** For a commit that became a rollback, because a handler carried on after a failed statement. */
export const rolledBackError = (): Error =>
  new Error('The transaction was rolled back, not committed.')

class OpenTransaction extends DummyDriver {
  readonly #connection: DatabaseConnection

  constructor(query: Query) {
    super()
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
        const { rows, affected } = await query(sql, [...parameters])
        return { rows: rows as R[], numAffectedRows: BigInt(affected) }
      },
      streamQuery() {
        throw new Error('Streaming is not supported.')
      },
    }
  }

  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection)
  }
}

/**
 * Kysely on one open transaction. Each transaction has its own, so a late statement fails instead of
 * joining another one.
 */
export const kyselyOn = (query: Query): Tx =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new OpenTransaction(query),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })

/** Type OIDs of PostgreSQL (pg_type.dat). */
const DATE = 1082
const TIMESTAMPTZ = 1184
const INT8 = 20

/**
 * The database writes instants in the zone of the session, which may be any at another's server: those of before zones
 * were agreed on have seconds in their offset there (+00:53:28), and those of the year 1 may be of the year before it.
 */
export const IN_UTC = "set local timezone = 'UTC'"

/** Parsers by type OID, for a session in UTC: dates and instants become ISO 8601 strings, int8 becomes a number. */
export const TYPE_PARSERS: Record<number, (text: string) => unknown> = {
  [DATE]: (day) => day,
  [TIMESTAMPTZ]: (instant) =>
    new Date(instant.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')).toISOString(),
  [INT8]: Number,
}
