// The embedded PostgreSQL (PGlite), opened so that a committed write survives a power cut.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { kyselyOn, TYPE_PARSERS, type DatabaseEngine } from '../connection.ts'
import { freeBytesOf, isDiskFull, syncFolder, syncPath } from '../disk.ts'
import { FsyncFs } from './fsync-fs.ts'
import { migrate } from '../migrate.ts'
import { emptyTables } from '../throw-away.ts'
import { StartError } from '../../errors/start-error.ts'

const settings = (pairs: string[]) => pairs.flatMap((pair) => ['-c', pair])
const PARAMS_WITH_FSYNC = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F')
const DURABLE_PARAMS = [
  ...PARAMS_WITH_FSYNC,
  ...settings([
    'fsync=on',
    'wal_sync_method=fsync',
    'synchronous_commit=on',
    'shared_buffers=32MB',
  ]),
]
const IN_MEMORY_PARAMS = [...PGlite.defaultStartParams, ...settings(['shared_buffers=32MB'])]

/**
 * The files of an empty database, as PGlite dumps them. Tests reuse one image, because initdb takes
 * seconds.
 */
export type EmptyImage = Blob

/** Opens a database in memory, for tests that are not about durability. */
export async function openInMemory(image: EmptyImage | undefined): Promise<DatabaseEngine> {
  const pglite = new PGlite({
    startParams: IN_MEMORY_PARAMS,
    parsers: TYPE_PARSERS,
    ...imageOption(image),
  })
  await pglite.waitReady
  return createEngine(pglite)
}

const imageOption = (image: EmptyImage | undefined) => image && { loadDataDir: image }

async function openFolder(
  folder: string,
  image?: EmptyImage,
  files = new FsyncFs(folder),
): Promise<{ pglite: PGlite; files: FsyncFs }> {
  const pglite = new PGlite({
    fs: files,
    startParams: DURABLE_PARAMS,
    parsers: TYPE_PARSERS,
    ...imageOption(image),
  })
  await pglite.waitReady
  return { pglite, files }
}

/** Creates the database in a temporary folder and renames it once it is complete and flushed to the disk. */
async function createDatabaseIn(
  dataDir: string,
  folder: string,
  image: EmptyImage | undefined,
): Promise<void> {
  if (isDiskFull(dataDir))
    throw new StartError(`The disk of ${dataDir} has less than 64 MB free. Make room first.`)
  const temporaryFolder = `${folder}.new`
  rmSync(temporaryFolder, { recursive: true, force: true })
  const { pglite } = await openFolder(temporaryFolder, image)
  await pglite.close()
  syncFolder(temporaryFolder)
  renameSync(temporaryFolder, folder)
  syncPath(dataDir)
}

/** Throws StartError when an insert causes no fsync: such a database would lose committed work. */
export async function requireFsync(
  pglite: Pick<PGlite, 'exec'>,
  files: { readonly fsyncCount: number },
): Promise<void> {
  await pglite.exec('create table if not exists fsync_probe (at timestamptz not null)')
  const before = files.fsyncCount
  await pglite.exec('insert into fsync_probe values (now())')
  if (files.fsyncCount === before)
    throw new StartError(
      'The embedded database does not flush its writes to the disk, so that a power cut could lose them. Set DATABASE_URL to use another PostgreSQL.',
    )
  await pglite.exec('delete from fsync_probe')
}

/**
 * Opens the database in `dataDir`, creating it when there is none. Throws StartError when it does not
 * open. While the disk is nearly full its transactions are read-only. `createFiles` replaces the file system, so that
 * tests can simulate power cuts.
 */
export async function openDurable(
  dataDir: string,
  image?: EmptyImage,
  createFiles?: (folder: string) => FsyncFs,
): Promise<{ engine: DatabaseEngine; pglite: PGlite; files: FsyncFs }> {
  const folder = join(dataDir, 'database')
  try {
    if (!existsSync(folder)) await createDatabaseIn(dataDir, folder, image)
    const opened = await openFolder(folder, undefined, createFiles?.(folder))
    await requireFsync(opened.pglite, opened.files)
    return { ...opened, engine: await createEngine(opened.pglite, () => freeBytesOf(dataDir)) }
  } catch (error) {
    if (error instanceof StartError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The database in ${folder} does not open: ${reason}`, { cause: error })
  }
}

async function createEngine(pglite: PGlite, freeBytes?: () => number): Promise<DatabaseEngine> {
  const migrations = await migrate(pglite)
  let notify: Parameters<DatabaseEngine['listen']>[0] = () => undefined
  return {
    migrations,
    async transaction(opening, changed, work, minFreeBytes) {
      const result = await pglite.transaction(async (transaction) => {
        const isFull = freeBytes !== undefined && freeBytes() < minFreeBytes
        const statements = opening.map((one) => (typeof one === 'string' ? one : one.sql))
        if (isFull) statements.unshift('set transaction read only')
        const opened = await transaction.exec(statements.join('; '))
        const found = opened.filter(({ fields }) => fields.length > 0).map(({ rows }) => rows)
        return work(async (sql, parameters) => {
          const { rows, affectedRows = 0 } = await transaction.query(sql, parameters)
          return { rows, affected: affectedRows }
        }, found)
      })
      for (const key of changed) notify(key)
      return result
    },
    // One process has the data folder, so that no lock is needed. Requests wait meanwhile.
    openThrowAway: async () => ({
      use: (work) =>
        pglite.transaction(async (transaction) => {
          for (const sql of emptyTables()) await transaction.exec(sql)
          const result = await work(
            kyselyOn(async (sql, parameters) => {
              const { rows, affectedRows = 0 } = await transaction.query(sql, parameters)
              return { rows, affected: affectedRows }
            }),
          )
          await transaction.rollback()
          return result
        }),
      close: () => Promise.resolve(),
    }),
    listen(listener) {
      notify = listener
    },
    async checkpoint() {
      await pglite.exec('checkpoint')
    },
    async vacuum() {
      await pglite.exec('vacuum (analyze)')
    },
    ping: () => pglite.query('select 1'),
    ...(freeBytes && { freeBytes }),
    isSingle: true,
    async close() {
      if (!pglite.closed) await pglite.close()
    },
  }
}
