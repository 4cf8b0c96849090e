// Records the statements that our server runs, and replays them without it.
import { PGlite } from '@electric-sql/pglite'
import { Pool, TypeOverrides } from 'pg'
import { TYPE_PARSERS } from '../../server/database/connection.ts'
import {
  openDatabase,
  openPostgresDatabase,
  type Database,
} from '../../server/database/database.ts'
import type { PostgresUrls } from '../../server/configuration/configuration.ts'

/** Without values it may be several statements in one text, such as those that begin or end a transaction. */
interface Statement {
  sql: string
  values: unknown[] | undefined
}

export interface Noting {
  /** The database to pass to our server. */
  database: Database
  /** All statements that run during `work`, by transaction. */
  noted: (work: () => Promise<Response>) => Promise<Statement[][]>
  /** Replays them, with `others` in place of values that must be new each time. Returns the rows of each. */
  run: (transactions: Statement[][], others: ReadonlyMap<unknown, unknown>) => Promise<unknown[][]>
}

const CONNECTIONS = 10

const replaced = (values: unknown[] | undefined, others: ReadonlyMap<unknown, unknown>) =>
  values?.map((value) => others.get(value) ?? value)

async function succeed(work: () => Promise<Response>): Promise<void> {
  const answer = await work()
  if (!answer.ok) throw new Error(await answer.text())
}

/** The embedded database. */
export async function noteEmbedded(dataDir: string): Promise<Noting> {
  let transactions: Statement[][] | undefined
  const opened: PGlite[] = []
  const { prototype } = PGlite
  const transaction = Reflect.get(prototype, 'transaction')
  prototype.transaction = function note(run) {
    opened[0] = this
    return transaction.call(this, (tx) => {
      if (transactions) {
        const statements: Statement[] = []
        transactions.push(statements)
        const [exec, query] = [Reflect.get(tx, 'exec'), Reflect.get(tx, 'query')]
        tx.exec = (sql, options) => {
          statements.push({ sql, values: undefined })
          return exec.call(tx, sql, options)
        }
        tx.query = (sql, values = [], options) => {
          statements.push({ sql, values })
          return query.call(tx, sql, values, options) as never
        }
      }
      return run(tx)
    }) as never
  }
  return {
    database: await openDatabase(dataDir),
    async noted(work) {
      const found = (transactions = [] as Statement[][])
      await succeed(work)
      transactions = undefined
      return found
    },
    async run(made, others) {
      const answers: unknown[][] = []
      for (const statements of made)
        await transaction.call(opened[0] as PGlite, async (tx) => {
          for (const { sql, values } of statements)
            if (values) answers.push((await tx.query(sql, replaced(values, others))).rows)
            else await tx.exec(sql)
        })
      return answers
    },
  }
}

/** A PostgreSQL database. */
export async function notePostgres(urls: PostgresUrls): Promise<Noting> {
  let transactions: Statement[][] | undefined
  const { prototype } = Pool
  const connect = Reflect.get(prototype, 'connect') as () => Promise<import('pg').PoolClient>
  prototype.connect = async function note(this: Pool) {
    const client = await connect.call(this)
    if (!transactions) return client
    const statements: Statement[] = []
    transactions.push(statements)
    return new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name === 'query')
          return (sql: string, values?: unknown[]) => {
            statements.push({ sql, values })
            return target.query(sql, values)
          }
        return value.bind(target) as unknown
      },
    })
  } as typeof prototype.connect
  const types = new TypeOverrides()
  for (const [oid, parser] of Object.entries(TYPE_PARSERS)) types.setTypeParser(Number(oid), parser)
  const pool = new Pool({ connectionString: urls.url, types, max: CONNECTIONS })
  return {
    database: await openPostgresDatabase(urls),
    async noted(work) {
      const found = (transactions = [] as Statement[][])
      await succeed(work)
      transactions = undefined
      return found
    },
    async run(made, others) {
      const answers: unknown[][] = []
      for (const statements of made) {
        const client = await connect.call(pool)
        for (const { sql, values } of statements) {
          const result = await client.query<object>(sql, replaced(values, others))
          if (values) answers.push(result.rows)
        }
        client.release()
      }
      return answers
    },
  }
}
