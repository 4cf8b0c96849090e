// A PostgreSQL server over the network, shared by any number of processes.
import {
  Client,
  DatabaseError,
  Pool,
  TypeOverrides,
  escapeIdentifier,
  escapeLiteral,
  type PoolClient,
  type QueryResult,
} from 'pg'
import {
  DatabaseUnavailableError,
  IN_UTC,
  TYPE_PARSERS,
  rolledBackError,
  type DatabaseEngine,
  type Query,
} from './connection.ts'
import { PendingStatements } from './wire/pending-statements.ts'
import { PreparedStatements } from './wire/prepared.ts'
import { CHANNEL, createListener, type PgListener } from './wire/pg-listener.ts'
import type { PostgresUrls } from '../configuration/configuration.ts'
import { errorFields, log } from '../log.ts'
import { leavesSchemas, migrate, type OwnerConnection } from './migrate.ts'
import { throwAwaySchema } from './throw-away.ts'
import { StartError } from '../errors/start-error.ts'

/** Connections per process. Each runs one transaction at a time; further ones wait for a free connection. */
const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 10_000
/** A probe waits half as long, and keeps its connection until the next one. */
const PROBE = {
  max: 1,
  connectionTimeoutMillis: 5_000,
  query_timeout: 5_000,
  idleTimeoutMillis: 30_000,
}
/**
 * A wait for a locked row ends in a 409, and the transaction of a frozen process is ended. Set in each
 * transaction, because a connection pooler may hand out a different session each time.
 */
const SETTINGS = [
  "set local lock_timeout = '10s'; set local idle_in_transaction_session_timeout = '60s'",
  IN_UTC,
]

const types = new TypeOverrides()
for (const [oid, parser] of Object.entries(TYPE_PARSERS)) types.setTypeParser(Number(oid), parser)

const configOf = (connectionString: string) => ({
  connectionString,
  types,
  keepAlive: true,
  // Without it the system asks after two hours whether an idle connection is still there.
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  application_name: 'cairn',
})

/**
 * Connects and migrates. Throws StartError when the database cannot be reached or used. While
 * `freeBytes` are too few its transactions are read-only.
 */
export async function openPostgres(
  { url, ownerUrl, listenUrl = url }: PostgresUrls,
  freeBytes?: () => number,
): Promise<DatabaseEngine> {
  let migrations: string[]
  try {
    const login = await withConnection(['url', url], requireRestrictedLogin)
    // Before the schema is changed: an address that cannot be used ends the start.
    if (listenUrl !== url) await withConnection(['listenUrl', listenUrl], () => Promise.resolve())
    migrations = await withConnection(
      [ownerUrl === url ? 'url' : 'ownerUrl', ownerUrl],
      async (owner) => {
        const migrated = await withConnection(['url', url], (reader) =>
          migrate(connectionOf(owner), connectionOf(reader)),
        )
        await grantRoles(owner, login)
        return migrated
      },
    )
  } catch (error) {
    if (error instanceof StartError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The database does not open: ${reason}`, { cause: error })
  }
  const pgListener = await createListener(configOf(listenUrl)).catch(
    doesNotOpen(listenUrl === url ? 'url' : 'listenUrl'),
  )
  const pools = {
    work: new Pool({ ...configOf(url), max: POOL_SIZE }),
    probe: new Pool({ ...configOf(url), ...PROBE }),
  }
  // Behind a pooler, which listening bypasses, a transaction may have any session.
  const prepared = new PreparedStatements(listenUrl === url)
  return createEngine(
    { ...pools, migrations, prepared, pgListener, newOwner: () => new Client(configOf(ownerUrl)) },
    freeBytes,
  )
}

const connectionOf = (client: Client): OwnerConnection => ({
  exec: (sql) => client.query(sql),
  query: (sql, parameters) => client.query(sql, parameters),
})

const SETTING_OF: Readonly<Record<keyof PostgresUrls, string>> = {
  url: 'DATABASE_URL',
  ownerUrl: 'DATABASE_OWNER_URL',
  listenUrl: 'DATABASE_LISTEN_URL',
}

/** Throws a StartError that names the setting. */
const doesNotOpen = (address: keyof PostgresUrls) => (error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error)
  throw new StartError(`The database does not open with ${SETTING_OF[address]}: ${reason}`, {
    cause: error,
  })
}

/** Opens a connection for `work` and closes it afterwards. */
async function withConnection<T>(
  [address, url]: [keyof PostgresUrls, string],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(configOf(url))
  await client.connect().catch(doesNotOpen(address))
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Name of the login role. Throws StartError when it can bypass row level security. */
async function requireRestrictedLogin(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string; bypasses_rls: boolean }>(
    `select rolname as name, rolsuper or rolbypassrls as bypasses_rls
     from pg_roles where rolname = session_user`,
  )
  const [login] = rows
  if (!login || login.bypasses_rls)
    throw new StartError(
      `The role ${login?.name ?? ''} of DATABASE_URL can bypass row level security. Use one that is no superuser and has no BYPASSRLS.`,
    )
  return login.name
}

/**
 * Lets the login take the roles of row-security.sql, which each transaction does with `set local role`. Since version
 * 16 a member may take a role only with the option SET, which who made it lacks (pg_auth_members).
 */
async function grantRoles(owner: Client, login: string): Promise<void> {
  for (const role of ['cairn_tenant', 'cairn_auth', 'cairn_system']) {
    const mayTake = async () => {
      const { rows } = await owner.query<{ may_take: boolean }>(
        `select pg_has_role($1::name, $2::name, case
           when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET'
         end) as may_take`,
        [login, role],
      )
      return rows[0]?.may_take === true
    }
    if (await mayTake()) continue
    if (leavesSchemas())
      throw new StartError(
        `The role ${login} of DATABASE_URL may not act as ${role} yet. Start the server, which grants that.`,
      )
    await owner
      .query(`grant ${role} to ${escapeIdentifier(login)}`)
      .catch(async (error: unknown) => {
        // Another process that starts may have granted it at the same time.
        if (!(await mayTake())) throw error
      })
  }
}

function createEngine(
  parts: {
    work: Pool
    probe: Pool
    migrations: string[]
    prepared: PreparedStatements
    pgListener: PgListener
    newOwner: () => Client
  },
  freeBytes: (() => number) | undefined,
): DatabaseEngine {
  const { migrations, prepared, pgListener, newOwner, ...pools } = parts
  let isClosed = false
  // Not of the work's connections, all of which may be in use for long.
  const ping = () => pools.probe.query('select 1')
  const pending = new PendingStatements()
  const stopWatching = pending.watch(ping)
  // An idle connection broke. The pool replaces it.
  for (const pool of Object.values(pools))
    pool.on('error', (error) => isClosed || log('error', 'connection lost', errorFields(error)))
  return {
    migrations,
    async transaction(opening, changed, work, minFreeBytes) {
      const client = await pools.work.connect().catch((error: unknown) => {
        throw new DatabaseUnavailableError(error)
      })
      // Between two statements a broken connection is an event, which ends the process unless it has a listener.
      const onError = (error: Error) => log('error', 'connection lost', errorFields(error))
      client.on('error', onError)
      let broken: Error | undefined
      try {
        const isFull = freeBytes !== undefined && freeBytes() < minFreeBytes
        const mode = isFull ? ['set transaction read only'] : []
        const statements = [...mode, ...SETTINGS, ...opening]
        const texts = await pending.answerTo(client, prepared.textsOf(client, statements))
        return await inTransaction({ client, pending }, texts, changed, work)
      } catch (error) {
        prepared.meetError(error instanceof DatabaseError ? error.code : undefined)
        broken = await pending.answerTo(client, client.query('rollback')).then(
          () => undefined,
          (reason: Error) => reason,
        )
        throw broken && isConnectionError(error) ? new DatabaseUnavailableError(error) : error
      } finally {
        client.off('error', onError)
        // A connection that cannot roll back is closed instead of reused.
        client.release(broken)
      }
    },
    listen: (listener) => pgListener.listen(listener),
    openThrowAway: () => throwAwaySchema(newOwner()),
    // PostgreSQL has its own checkpointer and autovacuum.
    checkpoint: () => Promise.resolve(),
    vacuum: () => Promise.resolve(),
    ping,
    ...(freeBytes && { freeBytes }),
    isSingle: false,
    async close() {
      isClosed = true
      await pgListener.close()
      // As long as it takes: a statement without an answer has ended soon.
      await pools.work.end()
      stopWatching()
      await pools.probe.end()
    },
  }
}

/** Whether a statement failed because of the connection: the server said so, or there was no answer. */
const isConnectionError = (error: unknown) =>
  error instanceof DatabaseError ? /^(08|57P0)/.test(error.code ?? '') : error instanceof Error

interface Connection {
  client: PoolClient
  pending: PendingStatements
}

async function inTransaction<T>(
  connection: Connection,
  opening: readonly string[],
  changed: Iterable<string>,
  work: (query: Query, found: unknown[][]) => Promise<T>,
): Promise<T> {
  let isOpen = true
  const query: Query = async (sql, parameters) => {
    if (!isOpen) throw new Error('This transaction has ended.')
    const { client, pending } = connection
    const answer = client.query<object>(sql, parameters)
    const { rows, rowCount } = await pending.answerTo(client, answer)
    return { rows, affected: rowCount ?? 0 }
  }
  try {
    const opened = await resultsOf(connection, ['begin', ...opening])
    const found = opened.filter(({ fields }) => fields.length > 0).map(({ rows }) => rows)
    const result = await work(query, found)
    isOpen = false
    const notifications = [...changed].map(
      (key) => `select pg_notify('${CHANNEL}', ${escapeLiteral(key)})`,
    )
    const results = await resultsOf(connection, [...notifications, 'commit'])
    if (results.at(-1)?.command === 'ROLLBACK') throw rolledBackError()
    return result
  } finally {
    isOpen = false
  }
}

/** The results of statements without parameters, which are sent as one message. */
async function resultsOf(
  { client, pending }: Connection,
  statements: readonly string[],
): Promise<QueryResult<object>[]> {
  // pg returns a result for each statement, though its types declare only one.
  const answer = client.query<object>(statements.join('; '))
  const results = (await pending.answerTo(client, answer)) as
    | QueryResult<object>
    | QueryResult<object>[]
  return [results].flat()
}
