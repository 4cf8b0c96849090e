// An empty database with the schema of these sources, made once on this machine: that costs seconds of
// computing, for each file of tests. Another version of PGlite or of the schema has an image of its own.
import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import project from '../../package.json' with { type: 'json' }
import type { EmptyImage } from '../../server/embedded.ts'
import { migrate, schemaFiles } from '../../server/migrate.ts'

const version = project.dependencies['@electric-sql/pglite']
const schema = createHash('sha256')
for (const file of schemaFiles()) schema.update(file)
const PATH = join(
  tmpdir(),
  `cairn-empty-database-${version}-${schema.digest('hex').slice(0, 16)}.tar`,
)

async function make(): Promise<EmptyImage> {
  const pglite = new PGlite()
  await pglite.waitReady
  await migrate(pglite)
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
