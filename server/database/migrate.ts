// Applies the SQL files of migrations/, each once and in the order of their numbers, then row-security.sql.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { kyselyOn, type Tx } from './connection.ts'
import { VERSION } from '../configuration/version.ts'
import { StartError } from '../errors/start-error.ts'
import { sha256 } from '../hash.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const ROW_SECURITY = join(import.meta.dirname, 'row-security.sql')
const FILE_NAME = /^\d{3}-.+\.sql$/
/** Key of the advisory lock; any number that nothing else in this database uses. */
const MIGRATION_LOCK_ID = 4_716_102

/** The transaction is idle while `beforeMigrating` reads, which may take longer than the server allows. */
const BEGIN_UNDER_LOCK = `begin; set local idle_in_transaction_session_timeout = 0;
  select pg_advisory_xact_lock(${MIGRATION_LOCK_ID})`

/** Names of the migration files, in order. */
export const migrationNames = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => FILE_NAME.test(name))
    .toSorted()

/** The last of these migrations, such as `011-lost-devices`. */
export const schemaOf = (migrations: readonly string[]): string =>
  (migrations.at(-1) ?? '').replace(/\.sql$/, '')

/** The last migration of this server. */
export const schemaVersion = (): string => schemaOf(migrationNames())

/** The SQL of all migrations, in order: the tables without row level security. */
export const migrationFiles = (): string[] =>
  migrationNames().map((name) => readFileSync(join(FOLDER, name), 'utf8'))

/** The SQL of the whole schema: all migrations, then row-security.sql. */
export const schemaFiles = (): string[] => [...migrationFiles(), readFileSync(ROW_SECURITY, 'utf8')]

/** A connection with the role that owns the tables. */
export interface OwnerConnection {
  /** Statements without parameters or results. */
  exec(sql: string): Promise<unknown>
  query(sql: string, parameters: unknown[]): Promise<{ rows: unknown[] }>
}

/** Forced row level security binds the owner too, but a migration must see all rows that it rewrites. */
const LIFT_FORCED_ROW_SECURITY = `do $$
declare name text;
begin
  for name in select relname from pg_class
    where relnamespace = current_schema()::regnamespace and relforcerowsecurity
  loop
    execute format('alter table %I no force row level security', name);
  end loop;
end
$$`

/**
 * Whether the roles of row-security.sql are there, and what it gives them. A dump has no roles: restored into a new
 * cluster, it lacks them, and every policy and privilege that names one. One table shows that; others may be of
 * the operator.
 */
const HAS_ROW_SECURITY = `select
  (select count(*) from pg_roles where rolname in ('cairn_tenant', 'cairn_auth', 'cairn_system')) = 3
  and exists (
    select from pg_policy join pg_roles on pg_roles.oid = any (polroles)
    where polrelid = to_regclass('users') and polname = 'system' and rolname = 'cairn_system'
      and has_table_privilege(pg_roles.oid, polrelid, 'select')
  ) as complete`

/** Throws StartError when a newer server has migrated the database: this one would write by old rules. */
function requireKnown(applied: ReadonlySet<string>, files: readonly string[]): void {
  const unknown = [...applied].filter((name) => FILE_NAME.test(name) && !files.includes(name))
  const newest = unknown.toSorted().at(-1)
  if (newest === undefined) return
  throw new StartError(
    `The database was migrated by a newer server (${newest}; Cairn ${VERSION} ends with ${files.at(-1)}). Start the newer version, or restore a backup from before the update.`,
  )
}

/** A database that is about to be migrated. */
export interface Outdated {
  /** Sees all rows as of one moment. */
  tx: Tx
  /** Names of migrations, in order. */
  applied: string[]
  pending: string[]
}

let beforeMigrating: ((database: Outdated) => Promise<void>) | undefined

/**
 * What this process does before it migrates a database with data. When it rejects, nothing is migrated. Of the
 * process, because whatever opens a database may migrate it.
 */
export function setBeforeMigrating(work: (database: Outdated) => Promise<void>): void {
  beforeMigrating = work
}

let isLeft = false

/**
 * From now on this process leaves databases as they are, also with an older schema, for commands that only read: the
 * previous version may be serving them.
 */
export function leaveSchemas(): void {
  isLeft = true
}

/** Whether this process leaves databases as they are. */
export const leavesSchemas = (): boolean => isLeft

/** Runs `beforeMigrating` within the transaction of `owner`, which has changed nothing yet. */
async function prepare(
  owner: OwnerConnection,
  reader: OwnerConnection,
  { applied, pending }: Omit<Outdated, 'tx'>,
) {
  const [begin, end] =
    reader === owner
      ? ['savepoint reading', 'rollback to reading']
      : ['begin isolation level repeatable read', 'rollback']
  await reader.exec(`${begin}; set local role cairn_system`)
  try {
    const tx = kyselyOn(async (text, parameters) => {
      const { rows: found } = await reader.query(text, parameters)
      return { rows: found, affected: 0 }
    })
    await beforeMigrating?.({ tx, applied, pending })
  } finally {
    await reader.exec(end)
  }
}

/** Throws StartError when the database is empty. */
async function requireTables(owner: OwnerConnection): Promise<void> {
  const { rows } = await owner.query(
    `select from pg_class where oid = to_regclass('migrations')`,
    [],
  )
  if (rows.length === 0)
    throw new StartError('The database has no tables yet. Start the server, which makes them.')
}

/**
 * Brings the schema up to date in one transaction, under a lock: when several processes start, one of them runs
 * `beforeMigrating` and migrates, and the others wait for it. Returns the names of the migrations that the database
 * has then. Throws StartError when a newer server has migrated it. `reader`: a connection that may take the role
 * cairn_system.
 */
export async function migrate(
  owner: OwnerConnection,
  reader: OwnerConnection = owner,
): Promise<string[]> {
  const rowSecurity = readFileSync(ROW_SECURITY, 'utf8')
  const rowSecurityMark = `row-security ${sha256(rowSecurity).toString('hex')}`
  const files = migrationNames()
  await owner.exec(BEGIN_UNDER_LOCK)
  try {
    if (isLeft) await requireTables(owner)
    else await owner.exec('create table if not exists migrations (name text primary key)')
    const { rows } = await owner.query('select name from migrations', [])
    const applied = new Set((rows as { name: string }[]).map(({ name }) => name))
    requireKnown(applied, files)
    const pending = files.filter((name) => !applied.has(name))
    const known = files.filter((name) => applied.has(name))
    if (isLeft) {
      await owner.exec('rollback')
      return known
    }
    if (beforeMigrating && known.length > 0 && pending.length > 0)
      await prepare(owner, reader, { applied: known, pending })
    const { rows: found } = await owner.query(HAS_ROW_SECURITY, [])
    const [{ complete } = { complete: false }] = found as { complete: boolean }[]
    if (pending.length > 0 || !applied.has(rowSecurityMark) || !complete) {
      await owner.exec(LIFT_FORCED_ROW_SECURITY)
      for (const name of pending) await owner.exec(readFileSync(join(FOLDER, name), 'utf8'))
      await owner.exec(rowSecurity)
      await owner.query('insert into migrations select unnest($1::text[]) on conflict do nothing', [
        [...pending, rowSecurityMark],
      ])
    }
    await owner.exec('commit')
    return files
  } catch (error) {
    await owner.exec('rollback')
    throw error
  }
}
