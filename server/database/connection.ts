// What the two databases have in common: transactions that run one after the other on a connection, and
// values as JavaScript sees them.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
} from 'kysely'
import type { Tables } from './tables.ts'

/** The rows, within a transaction that is open. There is no way to open another one inside of it. */
export type Tx = Omit<
  Kysely<Tables>,
  'connection' | 'destroy' | 'startTransaction' | 'transaction' | typeof Symbol.asyncDispose
>

/** One statement with its parameters. */
export type Query = (
  sql: string,
  parameters: unknown[],
) => Promise<{ rows: unknown[]; affected: number }>

/** A PostgreSQL, embedded or over the network. */
export interface DatabaseEngine {
  /**
   * Runs `work` in a transaction that begins with the statements `opening`; commits when it resolves,
   * rolls back when it rejects. Organisations that `work` puts into `moved` are told to all who listen,
   * in every process, after the commit.
   */
  transaction<T>(
    opening: string,
    changed: ReadonlySet<string>,
    work: (query: Query) => Promise<T>,
  ): Promise<T>
  /** Who is told of organisations that moved on; without an id: any may have. */
  listen(listener: (organisation_id: string | undefined) => void): void
  /** Moves the log into the tables, where nobody else does. */
  checkpoint(): Promise<void>
  /** Frees the room of old rows and measures the tables, where nobody else does. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

/** A statement failed, the handler went on all the same, and what it answered was never kept. */
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
        throw new Error('Nothing here is streamed.')
      },
    }
  }

  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection)
  }
}

/** Kysely on one open transaction: another one for each, so that a statement that comes too late finds it closed. */
export const kyselyOn = (query: Query): Tx =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new OpenTransaction(query),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })

const DATE = 1082
const TIMESTAMPTZ = 1184
const INT8 = 20

/** Days and instants as ISO 8601 strings, counters as numbers; the rest as the drivers read it. */
export const TYPE_PARSERS: Record<number, (text: string) => unknown> = {
  [DATE]: (day) => day,
  [TIMESTAMPTZ]: (instant) =>
    new Date(instant.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')).toISOString(),
  [INT8]: Number,
}
