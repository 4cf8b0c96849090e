// Plain SQL files, each applied once, in the order of their numbers.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'

const FOLDER = join(import.meta.dirname, 'migrations')

/** Brings the schema up to date, each file in a transaction of its own; under a lock, so that two starts do not race. */
export async function migrate(pglite: PGlite): Promise<void> {
  const files = readdirSync(FOLDER)
    .filter((name) => /^\d{3}-.+\.sql$/.test(name))
    .toSorted()
  await pglite.exec('create table if not exists migrations (name text primary key)')
  for (const name of files) {
    await pglite.transaction(async (tx) => {
      await tx.exec('lock table migrations in access exclusive mode')
      const { rows } = await tx.query('select 1 from migrations where name = $1', [name])
      if (rows.length > 0) return
      await tx.exec(readFileSync(join(FOLDER, name), 'utf8'))
      await tx.query('insert into migrations values ($1)', [name])
    })
  }
}
