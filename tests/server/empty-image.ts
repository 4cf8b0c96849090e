// An empty database, initialised once on this machine: that costs seconds of computing, for each file
// of tests. It depends on nothing but PGlite's version.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import project from '../../package.json' with { type: 'json' }
import type { EmptyImage } from '../../server/embedded.ts'

const version = project.dependencies['@electric-sql/pglite']
const PATH = join(tmpdir(), `cairn-empty-database-${version}.tar`)

async function make(): Promise<EmptyImage> {
  const pglite = new PGlite()
  await pglite.waitReady
  const image = await pglite.dumpDataDir('none')
  await pglite.close()
  // Whole or not there: another worker may be reading.
  const unfinished = `${PATH}.${process.pid}`
  await writeFile(unfinished, new Uint8Array(await image.arrayBuffer()))
  await rename(unfinished, PATH)
  return image
}

export async function emptyImage(): Promise<EmptyImage> {
  const bytes = await readFile(PATH).catch(() => undefined)
  return bytes ? new Blob([bytes]) : make()
}
