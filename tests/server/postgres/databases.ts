// Databases of the run's PostgreSQL: each test file gets new ones, copied from one that was made once.
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { openPostgresDatabase } from '../../../server/database/database.ts'
import type { PostgresUrls } from '../../../server/configuration/configuration.ts'

const TEMPLATE = 'cairn_template'
/** An empty schema, in which statements are planned for whatever values. */
export const PLANS = 'cairn_plans'
const READY_WITHIN_MS = 60_000

/** How `role` reaches `database` of the cluster whose socket lies in `folder`. */
const urlOf = (folder: string, role: string, database: string): string =>
  `postgres://${role}@localhost/${database}?host=${encodeURIComponent(folder)}`

/** The urls that a server has: one role owns the tables, another answers. */
export const urlsOf = (folder: string, database: string): PostgresUrls => ({
  url: urlOf(folder, 'cairn_app', database),
  ownerUrl: urlOf(folder, 'cairn_owner', database),
})

export const urlAsSuperuser = (folder: string, database: string): string =>
  urlOf(folder, 'postgres', database)

/** Runs statements as the superuser. */
export async function asSuperuser(
  folder: string,
  database: string,
  ...statements: string[]
): Promise<void> {
  const client = new Client({ connectionString: urlAsSuperuser(folder, database) })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Waits for the cluster, and makes its roles and the database that others are copied from. */
export async function createTemplate(folder: string): Promise<void> {
  const make = () =>
    asSuperuser(
      folder,
      'postgres',
      'create role cairn_owner login createrole',
      'create role cairn_app login noinherit',
      `create database ${TEMPLATE} owner cairn_owner`,
    )
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await pause(20)) {
    try {
      await make()
      break
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
  await (await openPostgresDatabase(urlsOf(folder, TEMPLATE))).close()
  await asSuperuser(
    folder,
    'postgres',
    `create database ${PLANS} template ${TEMPLATE}`,
    `alter database ${PLANS} set enable_seqscan = off`,
    `alter database ${PLANS} set plan_cache_mode = force_generic_plan`,
  )
}

let made = 0

/** The name of a new database with an empty schema. */
export async function newDatabase(folder: string): Promise<string> {
  made += 1
  const name = `cairn_${process.pid}_${made}`
  await asSuperuser(
    folder,
    'postgres',
    `create database ${name} template ${TEMPLATE} owner cairn_owner`,
  )
  return name
}
