// The databases of our server and of the bare one: one each, with the same rows in both.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startCluster } from '../../tests/server/postgres/cluster-setup.ts'
import { asSuperuser, newDatabase, urlsOf } from '../../tests/server/postgres/databases.ts'
import {
  openDatabase,
  openPostgresDatabase,
  type Database,
} from '../../server/database/database.ts'
import { fillDatabase, type SeedResult } from '../fill-database.ts'
import type { Place, Side } from '../measure.ts'

export type Kind = 'embedded' | 'postgres'

/** The contents of both databases, and the environment that points a server to each. */
export interface Sides {
  filled: SeedResult
  /** The other organisations in the same databases. */
  others: SeedResult[]
  env: Record<Side, Record<string, string>>
  /** The first process of the PostgreSQL that has both, where they are not in folders. */
  postgres?: number
}

/** Each may make 600 calls before the rate limit applies. */
const PEOPLE = 60
const TOKEN_KEY = 'ab'.repeat(32)

/** Two databases of one organisation with that many plans, and of others of the given sizes. */
export async function twoSides(
  place: Place,
  kind: Kind,
  plans: number,
  others: readonly Size[] = [],
): Promise<Sides> {
  const sizes = [{ plans, people: PEOPLE }, ...others]
  const dist = join(place.folder, 'dist')
  await mkdir(dist, { recursive: true })
  await writeFile(join(dist, 'index.html'), '<!doctype html>')
  return kind === 'embedded' ? inFolders(place, sizes) : inCluster(place, sizes)
}

type Size = Parameters<typeof fillDatabase>[1]

async function fillAll(database: Database, sizes: readonly Size[]) {
  const filled: SeedResult[] = []
  for (const size of sizes) filled.push(await fillDatabase(database, size))
  const [first, ...others] = filled
  if (!first) throw new Error('Nothing to fill in.')
  return { filled: first, others }
}

async function inFolders({ folder }: Place, sizes: readonly Size[]): Promise<Sides> {
  const name = `data-${sizes.length}-${sizes[0]?.plans}`
  const [ours, floor] = ['ours', 'floor'].map((side) => join(folder, `${name}-${side}`))
  const database = await openDatabase(ours ?? '')
  const filled = await fillAll(database, sizes)
  await database.vacuum()
  await database.close()
  await cp(ours ?? '', floor ?? '', { recursive: true })
  return { ...filled, env: { ours: { DATA_DIR: ours ?? '' }, floor: { DATA_DIR: floor ?? '' } } }
}

async function inCluster({ ends }: Place, sizes: readonly Size[]): Promise<Sides> {
  const cluster = await startCluster()
  ends.defer(cluster.stop)
  const name = await newDatabase(cluster.folder)
  const database = await openPostgresDatabase(urlsOf(cluster.folder, name))
  const filled = await fillAll(database, sizes)
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
  return { ...filled, env: { ours: envOf(name), floor: envOf(copy) }, postgres: cluster.pid }
}
