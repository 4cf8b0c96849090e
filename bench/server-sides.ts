// The databases of our server and of the bare one: one each, with the same rows in both.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPostgresDatabase } from '../server/database/database.ts'
import { startCluster } from '../tests/server/postgres/cluster-setup.ts'
import { asSuperuser, newDatabase, urlsOf } from '../tests/server/postgres/databases.ts'
import { fill, fillDatabase, type SeedResult } from './fill-database.ts'
import type { Place, Side } from './measure.ts'

export type Kind = 'embedded' | 'postgres'

/** The contents of both databases, and the environment that points a server to each. */
export interface Sides {
  filled: SeedResult
  env: Record<Side, Record<string, string>>
}

/** Each may make 600 calls before the rate limit applies. */
const PEOPLE = 60
const TOKEN_KEY = 'ab'.repeat(32)

/** Two databases of one organisation with that many plans. */
export async function twoSides(place: Place, kind: Kind, plans: number): Promise<Sides> {
  const size = { plans, people: PEOPLE }
  const dist = join(place.folder, 'dist')
  await mkdir(dist, { recursive: true })
  await writeFile(join(dist, 'index.html'), '<!doctype html>')
  return kind === 'embedded' ? inFolders(place, size) : inCluster(place, size)
}

type Size = Parameters<typeof fill>[1]

async function inFolders({ folder }: Place, size: Size): Promise<Sides> {
  const [ours, floor] = ['ours', 'floor'].map((side) => join(folder, `data-${size.plans}-${side}`))
  const filled = await fill(ours ?? '', size)
  await cp(ours ?? '', floor ?? '', { recursive: true })
  return { filled, env: { ours: { DATA_DIR: ours ?? '' }, floor: { DATA_DIR: floor ?? '' } } }
}

async function inCluster({ ends }: Place, size: Size): Promise<Sides> {
  const cluster = await startCluster()
  ends.defer(cluster.stop)
  const name = await newDatabase(cluster.folder)
  const database = await openPostgresDatabase(urlsOf(cluster.folder, name))
  const filled = await fillDatabase(database, size)
  await database.close()
  await asSuperuser(cluster.folder, name, 'vacuum analyze')
  const copy = `${name}_floor`
  await asSuperuser(
    cluster.folder,
    'postgres',
    `create database ${copy} template ${name} owner cairn_owner`,
  )
  const envOf = (database: string) => {
    const { url, ownerUrl } = urlsOf(cluster.folder, database)
    return { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, TOKEN_KEY }
  }
  return { filled, env: { ours: envOf(name), floor: envOf(copy) } }
}
