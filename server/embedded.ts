// The embedded PostgreSQL, opened so that a confirmed write survives a power cut.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { DurableFiles, syncFolder, syncPath } from './durable-files.ts'
import { StartError } from './start-error.ts'

const settings = (pairs: string[]) => pairs.flatMap((pair) => ['-c', pair])
const withoutUnsafe = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F')
const DURABLE = [
  ...withoutUnsafe,
  ...settings([
    'fsync=on',
    'wal_sync_method=fsync',
    'synchronous_commit=on',
    'shared_buffers=32MB',
  ]),
]
const VOLATILE = [...PGlite.defaultStartParams, ...settings(['shared_buffers=32MB'])]

// The same JavaScript values as over a network connection: days and instants as ISO 8601 strings,
// counters as numbers.
const DATE = 1082
const TIMESTAMPTZ = 1184
const INT8 = 20
const parsers = {
  [DATE]: (day: string) => day,
  [TIMESTAMPTZ]: (instant: string) => new Date(`${instant.replace(' ', 'T')}:00`).toISOString(),
  [INT8]: Number,
}

/**
 * The files of an empty database, as PGlite dumps them. Initialising one takes seconds of computing;
 * whoever opens many, as tests do, makes them once.
 */
export type EmptyImage = Blob

/** A database in memory, for tests in which durability is not the point. */
export async function openInMemory(image: EmptyImage | undefined): Promise<PGlite> {
  const pglite = new PGlite({ startParams: VOLATILE, parsers, ...from(image) })
  await pglite.waitReady
  return pglite
}

const from = (image: EmptyImage | undefined) => image && { loadDataDir: image }

async function openFolder(
  folder: string,
  image?: EmptyImage,
): Promise<{ pglite: PGlite; files: DurableFiles }> {
  const files = new DurableFiles(folder)
  const pglite = new PGlite({ fs: files, startParams: DURABLE, parsers, ...from(image) })
  await pglite.waitReady
  return { pglite, files }
}

/** Creates the database beside its place and moves it there when it is whole and on the disk. */
async function createIn(
  dataDir: string,
  folder: string,
  image: EmptyImage | undefined,
): Promise<void> {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const { pglite } = await openFolder(unfinished, image)
  await pglite.close()
  syncFolder(unfinished)
  renameSync(unfinished, folder)
  syncPath(dataDir)
}

/** Refuses a database whose inserts never reach the disk: better no server than lost work. */
export async function requireFsync(
  pglite: Pick<PGlite, 'exec'>,
  files: { readonly fsyncs: number },
): Promise<void> {
  await pglite.exec('create table if not exists fsync_probe (at timestamptz not null)')
  const before = files.fsyncs
  await pglite.exec('insert into fsync_probe values (now())')
  if (files.fsyncs === before)
    throw new StartError('The database does not flush its writes to the disk. Refusing to run.')
  await pglite.exec('delete from fsync_probe')
}

/** Opens the database in `dataDir`, creating it when there is none. Throws StartError when it will not open. */
export async function openDurable(
  dataDir: string,
  image?: EmptyImage,
): Promise<{ pglite: PGlite; files: DurableFiles }> {
  const folder = join(dataDir, 'database')
  try {
    if (!existsSync(folder)) await createIn(dataDir, folder, image)
    const opened = await openFolder(folder)
    await requireFsync(opened.pglite, opened.files)
    return opened
  } catch (error) {
    if (error instanceof StartError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The database in ${folder} does not open: ${reason}`, { cause: error })
  }
}
