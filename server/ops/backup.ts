// Backup and restore: all rows as lines of text. Works for both databases, and moves data from one to the other.
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { sql } from 'kysely'
import type { Tx } from '../database/connection.ts'
import { sqlState, type Database } from '../database/database.ts'
import { syncPath } from '../database/disk.ts'
import { migrationNames } from '../database/migrate.ts'
import { StartError } from '../errors/start-error.ts'
import { currentRow, currentTable } from './renamed-columns.ts'

const FORMAT_VERSION = 1
const ROWS_PER_CHUNK = 500
/** Characters per write, bytes per read. */
const BUFFER_BYTES = 65_536
/**
 * A restore raises versions by this much: a device may have seen versions after the backup, and must not take
 * new ones for those.
 */
const VERSION_JUMP = 1_000_000

interface Header {
  cairn: number
  migrations: string[]
}

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

/** Writes a snapshot of the database: a header, `table<TAB>row as JSON` for each row, and `end<TAB>count`. */
export async function dump(
  database: Database,
  write: (line: string) => Promise<void> | void,
): Promise<void> {
  await database.snapshot((tx) => dumpRows(tx, write))
}

/** As `dump`, in an open transaction, of a database with these migrations. */
export async function dumpRows(
  tx: Tx,
  write: (line: string) => Promise<void> | void,
  migrations = migrationNames(),
): Promise<void> {
  const header: Header = { cairn: FORMAT_VERSION, migrations }
  await write(`${JSON.stringify(header)}\n`)
  let count = 0
  for (const table of await tablesByDependency(tx)) {
    await sql`declare reading cursor for
        select to_jsonb(entry)::text as line from ${sql.table(table)} as entry`.execute(tx)
    for (;;) {
      const fetch = sql<{ line: string }>`fetch ${sql.lit(ROWS_PER_CHUNK)} from reading`
      const { rows } = await fetch.execute(tx)
      if (rows.length === 0) break
      for (const { line } of rows) await write(`${table}\t${line}\n`)
      count += rows.length
    }
    await sql`close reading`.execute(tx)
  }
  await write(`end\t${count}\n`)
}

/**
 * Writes a backup to `file`, which appears only once it is complete and flushed to the disk. Throws StartError
 * when there is no room for it.
 */
export async function writeBackup(
  file: string,
  lines: (write: (line: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const partialFile = `${file}.part`
  // Only for the owner: it holds hashes of passwords and tokens.
  const handle = await open(partialFile, 'w', 0o600).catch((error: Error) => {
    throw new StartError(`The backup ${file} cannot be written: ${error.message}`, { cause: error })
  })
  try {
    let buffered = ''
    await lines(async (line) => {
      buffered += line
      if (buffered.length < BUFFER_BYTES) return
      const part = buffered
      buffered = ''
      await handle.appendFile(part)
    })
    await handle.appendFile(buffered)
    await handle.sync()
  } catch (error) {
    await rm(partialFile, { force: true })
    // An error of the file, not of the database.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new StartError(`The backup ${file} cannot be written: ${error.message}`, { cause: error })
  } finally {
    await handle.close()
  }
  await rename(partialFile, file)
  syncPath(dirname(file))
}

/**
 * Fills an empty database from a backup in one transaction and returns the number of rows. Every device then
 * downloads everything once, unless `versionJump` is 0. Accepts backups of earlier versions. Throws StartError when the file is not a
 * complete backup or was made by a newer server, and when the database is not empty.
 */
export async function restore(
  database: Database,
  file: string,
  versionJump = VERSION_JUMP,
): Promise<number> {
  const fail = (reason: string): never => {
    throw new StartError(`${file} cannot be restored: ${reason}`)
  }
  const handle = await open(file).catch((error: Error) => fail(error.message))
  try {
    return await database.snapshot(async (tx) => {
      const firstUser = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()
      if (firstUser) fail('the database is not empty.')
      const tables = new Set(await tablesByDependency(tx))
      let header: Header | undefined
      let batch: { table: string; lines: string[] } = { table: '', lines: [] }
      let count = 0
      let total: number | undefined
      for await (const line of linesOf(handle)) {
        if (!header) {
          header = readHeader(line) ?? fail('it is not a Cairn backup.')
          const known = new Set(migrationNames())
          if (!header?.migrations.every((name) => known.has(name)))
            fail('it was made by a newer server.')
          continue
        }
        const at = line.indexOf('\t')
        if (at < 0) break
        const table = currentTable(line.slice(0, at))
        const row = line.slice(at + 1)
        if (table === 'end') {
          total = Number(row)
          break
        }
        if (!tables.has(table)) fail(`it has rows of unknown tables: ${table}.`)
        if (table !== batch.table || batch.lines.length === ROWS_PER_CHUNK) {
          await insert(tx, batch)
          batch = { table, lines: [] }
        }
        batch.lines.push(currentRow(table, row))
        count += 1
      }
      if (total !== count) fail('it is incomplete.')
      await insert(tx, batch)
      if (versionJump > 0)
        await sql`update organisations
          set version = version + ${versionJump}, first_version = version + ${versionJump}`.execute(
          tx,
        )
      return count
    })
  } catch (error) {
    if (sqlState(error) === undefined) throw error
    return fail('its rows are inconsistent.')
  } finally {
    await handle.close()
  }
}

async function* linesOf(handle: FileHandle): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  const buffer = Buffer.alloc(BUFFER_BYTES)
  let rest = ''
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, BUFFER_BYTES)
    if (bytesRead === 0) break
    const lines = (rest + decoder.write(buffer.subarray(0, bytesRead))).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

function readHeader(line: string): Header | undefined {
  try {
    const header = JSON.parse(line) as Header
    return header.cairn === FORMAT_VERSION ? header : undefined
  } catch {
    return undefined
  }
}

async function insert(tx: Tx, { table, lines }: { table: string; lines: string[] }): Promise<void> {
  const [first] = lines
  if (first === undefined) return
  // Only the columns in the backup: newer ones take their defaults.
  const columns = sql.join(Object.keys(JSON.parse(first) as object).map((name) => sql.ref(name)))
  const rows = sql`jsonb_populate_recordset(null::${sql.table(table)}, ${`[${lines.join(',')}]`}::jsonb)`
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${rows}`.execute(tx)
}
