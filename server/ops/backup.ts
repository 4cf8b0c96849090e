// Backup and restore: all rows as lines of text. Works for both databases, and moves data from one to the other.
import { createHash } from 'node:crypto'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { DatabaseUnavailableError, type Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { MIN_FREE_BYTES, openNewFile, syncPath } from '../database/disk.ts'
import { migrationNames } from '../database/migrate.ts'
import { StartError } from '../errors/start-error.ts'
import { createEncryptor } from './backups/encryption.ts'
import { fillFormerMembers } from './backups/former-members.ts'
import { raiseVersions } from './backups/raise-versions.ts'
import {
  DIGEST,
  FORMAT_VERSION,
  cannotRestore,
  rowsOf,
  type Header,
  type ReadPassphrase,
} from './backups/read-backup.ts'
import { DATABASE_FULL, lackOfRoom, reasonOfDatabase } from './backups/room.ts'

/** A restore that was killed after its commit could not say that it is done. */
const NOT_EMPTY =
  'the database is not empty. After a restore that was interrupted it is complete: start the server. Otherwise restore into an empty database.'
const ROWS_PER_CHUNK = 500
/** A backup reads longer rows one by one: they are few, or would fill the memory together. */
const LONG_ROW_BYTES = 8_192
/** In one statement of a restore, unless one row alone has more. */
const CHARACTERS_PER_CHUNK = 4_000_000
/** Characters per write. */
const BUFFER_LENGTH = 65_536

/** All tables, each after those that it references. */
async function tablesByDependency(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string; after: string[] }>`
    select relname as name, array(
      select confrelid::regclass::text from pg_constraint
      where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
    ) as after
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and relname not in ('migrations', 'fsync_probe')
    order by relname`.execute(tx)
  const ordered: string[] = []
  for (let remaining = rows; remaining.length > 0;) {
    const ready = remaining.filter(({ after }) => after.every((name) => ordered.includes(name)))
    if (ready.length === 0) throw new Error('Foreign keys form a cycle.')
    ordered.push(...ready.map(({ name }) => name))
    remaining = remaining.filter(({ name }) => !ordered.includes(name))
  }
  return ordered
}

/**
 * Writes a snapshot of the database: a header, `table<TAB>row as JSON` for each row, `end<TAB>count`, and the SHA-256
 * of all these lines, which earlier versions do not read.
 */
export async function dump(
  database: Database,
  write: (line: string) => Promise<void> | void,
): Promise<void> {
  await database.snapshot((tx) => dumpRows(tx, write, database.migrations))
}

/** As `dump`, in an open transaction, of a database with these migrations. */
export async function dumpRows(
  tx: Tx,
  writeLine: (line: string) => Promise<void> | void,
  migrations: readonly string[] = migrationNames(),
): Promise<void> {
  const hash = createHash('sha256')
  const write = (line: string) => {
    hash.update(line)
    return writeLine(line)
  }
  const header: Header = { cairn: FORMAT_VERSION, migrations: [...migrations] }
  await write(`${JSON.stringify(header)}\n`)
  let count = 0
  for (const table of await tablesByDependency(tx)) {
    // The offset keeps the line from being made once for its length and once for itself.
    await sql`declare reading cursor for
      select case when octet_length(line) <= ${sql.lit(LONG_ROW_BYTES)} then line end as line, place
      from (
        select to_jsonb(entry)::text as line, entry.ctid::text as place
        from ${sql.table(table)} as entry offset 0
      ) as lines`.execute(tx)
    for (;;) {
      const fetch = sql<{ line: string | null; place: string }>`
        fetch ${sql.lit(ROWS_PER_CHUNK)} from reading`
      const { rows } = await fetch.execute(tx)
      if (rows.length === 0) break
      for (const { line, place } of rows)
        await write(`${table}\t${line ?? (await readLine(tx, table, place))}\n`)
      count += rows.length
    }
    await sql`close reading`.execute(tx)
  }
  await write(`end\t${count}\n`)
  await writeLine(`${DIGEST}${hash.digest('hex')}\n`)
}

/** The row at that place, which it keeps for a snapshot. */
async function readLine(tx: Tx, table: string, place: string): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select to_jsonb(entry)::text as line from ${sql.table(table)} as entry
    where ctid = ${place}::tid`.execute(tx)
  const [found] = rows
  if (!found) throw new Error(`A row of ${table} is not where it was.`)
  return found.line
}

/**
 * Writes a backup to `file`, which appears only once it is complete and flushed to the disk; with a passphrase it
 * is encrypted. Throws StartError when it cannot be written, and then leaves nothing behind.
 */
export async function writeBackup(
  file: string,
  lines: (write: (line: string) => Promise<void>) => Promise<void>,
  passphrase?: string,
): Promise<void> {
  // Before the lines: a snapshot is open while they are written.
  const encryptor = passphrase === undefined ? undefined : await createEncryptor(passphrase)
  const partialFile = `${file}.part`
  // A backup replaces its file: in place of a device there would be none.
  const present = await stat(file).catch(() => undefined)
  if (present && !present.isFile() && !present.isDirectory())
    throw new StartError(`${file} is no file that a backup can replace. Name a new one.`)
  // Only for the owner: it holds hashes of passwords and tokens.
  const handle = await openNewFile(partialFile).catch((error: Error) => {
    throw new StartError(`The file ${file} cannot be written: ${error.message}`, { cause: error })
  })
  try {
    try {
      let buffered = ''
      await lines(async (line) => {
        buffered += line
        if (buffered.length < BUFFER_LENGTH) return
        const part = buffered
        buffered = ''
        await handle.appendFile(encryptor?.update(Buffer.from(part)) ?? part)
      })
      await handle.appendFile(encryptor?.update(Buffer.from(buffered)) ?? buffered)
      if (encryptor) await handle.appendFile(encryptor.final())
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Fails where `file` is a folder.
    await rename(partialFile, file)
  } catch (error) {
    await rm(partialFile, { force: true })
    // An error of the file, not of the database.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new StartError(`The file ${file} cannot be written: ${error.message}`, { cause: error })
  }
  syncPath(dirname(file))
}

/** How to read a backup. */
export interface RestoreOptions {
  passphrase?: ReadPassphrase
  /** False leaves versions as they are, for a comparison. */
  raiseVersions?: boolean
  signal?: AbortSignal
}

/**
 * Fills an empty database from a backup in one transaction and returns the number of rows. Every device then
 * downloads everything once. Accepts backups of earlier versions. Throws StartError when the file is not a
 * complete backup, was made by a newer server or cannot be decrypted, when the database is not empty, and when it has
 * no room or ends meanwhile.
 */
export async function restore(
  database: Database,
  file: string,
  options: RestoreOptions = {},
): Promise<number> {
  const { size: bytes } = await stat(file).catch((error: Error) => {
    throw cannotRestore(file, error.message)
  })
  const freeBytes = database.freeBytes?.() ?? Infinity
  const lack = lackOfRoom('on the disk of the database', { bytes, freeBytes })
  if (lack !== undefined) throw cannotRestore(file, `it ${lack}`)
  try {
    const { freeBytes: freeBytesNow } = database
    const about = { ...options, ...(freeBytesNow && { freeBytes: freeBytesNow }) }
    return await database.snapshot((tx) => restoreRows(tx, file, about))
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error
    throw cannotRestore(file, reasonOfDatabase(error) ?? error.message)
  }
}

/** As `restore`, in an open transaction. `freeBytes`: on the disk of the database. */
export async function restoreRows(
  tx: Tx,
  file: string,
  {
    passphrase,
    raiseVersions: withNewVersions = true,
    signal,
    freeBytes = () => Infinity,
  }: RestoreOptions & { freeBytes?: () => number } = {},
): Promise<number> {
  const fail = (reason: string): never => {
    throw cannotRestore(file, reason)
  }
  try {
    const firstUser = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (firstUser) fail(NOT_EMPTY)
    const tables = new Set(await tablesByDependency(tx))
    let batch: Batch = { table: '', lines: [], length: 0 }
    let count = 0
    let migrations: readonly string[] = []
    // Rows and their indexes take more than their lines, and PostgreSQL panics where its log has no room.
    const insertBatch = () => {
      if (freeBytes() < MIN_FREE_BYTES) fail(DATABASE_FULL)
      return insert(tx, batch)
    }
    const rows = rowsOf(file, passphrase, (header) => (migrations = header.migrations))
    for await (const { table, row } of rows) {
      signal?.throwIfAborted()
      if (!tables.has(table)) fail(`it has rows of unknown tables: ${table}.`)
      const isFull =
        batch.lines.length === ROWS_PER_CHUNK || batch.length + row.length > CHARACTERS_PER_CHUNK
      if (table !== batch.table || isFull) {
        await insertBatch()
        batch = { table, lines: [], length: 0 }
      }
      batch.lines.push(row)
      batch.length += row.length
      count += 1
    }
    await insertBatch()
    await fillFormerMembers(tx, migrations)
    if (withNewVersions) await raiseVersions(tx, freeBytes)
    return count
  } catch (error) {
    const reason = reasonOfDatabase(error)
    if (reason === undefined) throw error
    return fail(reason)
  }
}

/** Rows of one table. */
interface Batch {
  table: string
  lines: string[]
  /** Of the lines together. */
  length: number
}

async function insert(tx: Tx, { table, lines }: Batch): Promise<void> {
  const [first] = lines
  if (first === undefined) return
  // Only the columns in the backup: newer ones take their defaults.
  const columns = sql.join(Object.keys(JSON.parse(first) as object).map((name) => sql.ref(name)))
  const rows = sql`jsonb_populate_recordset(null::${sql.table(table)}, ${`[${lines.join(',')}]`}::jsonb)`
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${rows}`.execute(tx)
}
