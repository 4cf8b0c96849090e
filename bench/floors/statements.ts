// Records the statements that our server runs, and replays them without it.
import { join, resolve } from 'node:path'
import { Pool, TypeOverrides } from 'pg'
import { TYPE_PARSERS } from '../../server/database/connection.ts'
import {
  openDatabase,
  openPostgresDatabase,
  type Database,
} from '../../server/database/database.ts'
import type { PostgresUrls } from '../../server/configuration/configuration.ts'

/** Without values it may be several statements in one text, such as those that begin or end a transaction. */
export interface Statement {
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
  /** Runs one statement, in a transaction of its own, that sees the rows of all organisations. */
  ask: (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>
  close: () => Promise<void>
}

const CONNECTIONS = 10

const replaced = (values: unknown[] | undefined, others: ReadonlyMap<unknown, unknown>) =>
  values?.map((value) => others.get(value) ?? value)

async function succeed(work: () => Promise<Response>): Promise<void> {
  const answer = await work()
  if (!answer.ok) throw new Error(await answer.text())
}

/** The server's own database, which is reached through the socket in its folder. */
export async function noteOwn(dataDir: string): Promise<Noting> {
  const socket = encodeURIComponent(join(resolve(dataDir), 'postgres'))
  const urlOf = (role: string) => `postgres://${role}@localhost/cairn?host=${socket}`
  const own = await openDatabase(dataDir)
  const noting = await notePostgres({ url: urlOf('cairn_app'), ownerUrl: urlOf('cairn_owner') })
  return { ...noting, close: () => noting.close().then(() => own.close()) }
}

/** A PostgreSQL database. Nothing is prepared, as behind a pooler: another session must understand what is recorded. */
export async function notePostgres({ url, ownerUrl }: PostgresUrls): Promise<Noting> {
  let transactions: Statement[][] | undefined
  const { prototype } = Pool
  const connect = Reflect.get(prototype, 'connect') as (
    callback?: unknown,
  ) => Promise<import('pg').PoolClient>
  prototype.connect = async function record(this: Pool, callback?: unknown) {
    // With a callback it is the probe of the watchdog.
    if (callback !== undefined) return connect.call(this, callback)
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
  // Recorded transactions take another role themselves.
  const options = '-c role=cairn_system'
  const pool = new Pool({ connectionString: url, types, max: CONNECTIONS, options })
  const listenUrl = `${url}&application_name=listener`
  const database = await openPostgresDatabase({ url, ownerUrl, listenUrl })
  return {
    database,
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
    async ask(sql, values) {
      const client = await connect.call(pool)
      try {
        return (await client.query<Record<string, unknown>>(sql, values)).rows
      } finally {
        client.release()
      }
    },
    async close() {
      await pool.end()
      await database.close()
    },
  }
}
