// The database fails while a backup is restored or proven: that is not the fault of the backup.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openPostgresDatabase } from '../../../server/database/database.ts'
import { restore } from '../../../server/ops/backup.ts'
import { openBackedUpDatabase } from '../fixtures/backed-up-database.ts'
import { asSuperuser, newDatabase, urlsOf } from './databases.ts'

let world: Awaited<ReturnType<typeof openBackedUpDatabase>>
let file: string
beforeAll(async () => {
  world = await openBackedUpDatabase()
  await world.backUp()
  const { dir } = world.configuration
  file = join(dir, (await readdir(dir)).find((name) => name.endsWith('.backup')) ?? '')
})
afterAll(() => world.close())

const ENDED = 'the database ended meanwhile. Its log says why; then try again.'

/** Restores into a database that does this when the first plan arrives. */
async function restoreWhere(statement: string): Promise<unknown> {
  const { folder } = inject('postgres') ?? { folder: '' }
  const name = await newDatabase(folder)
  const failing = `create function fail() returns trigger language plpgsql security definer as
    $$ begin ${statement}; return new; end $$`
  await asSuperuser(
    folder,
    name,
    failing,
    'create trigger fail before insert on success_plans for each row execute function fail()',
  )
  const database = await openPostgresDatabase(urlsOf(folder, name))
  try {
    const result = await restore(database, file).catch((error: unknown) => error)
    const left = await database.system((tx) => tx.selectFrom('users').select('id').execute())
    expect(left).toEqual([])
    return result
  } finally {
    await database.close()
  }
}

const raise = (state: string) => `raise exception 'failed' using errcode = '${state}'`

test.each([
  ['has no room', raise('53100'), 'the database’s disk has no room. Make room, then try again.'],
  [
    'takes no writes',
    raise('25006'),
    'the database takes no writes: less than 64 MB are free on its disk, or it is a replica.',
  ],
  ['is stopped', raise('57P01'), ENDED],
  ['closes the connection', 'perform pg_terminate_backend(pg_backend_pid())', ENDED],
  ['fails for another reason', raise('53200'), 'the database failed with SQLSTATE 53200.'],
  ['rejects a row', raise('23514'), 'its rows are inconsistent.'],
])('a restore into a database that %s says so, and restores nothing', async (_, how, reason) => {
  expect(await restoreWhere(how)).toMatchObject({
    name: 'StartError',
    message: `${file} cannot be restored: ${reason}`,
  })
})

test('a database that ends during the proof is the reason for the missing proof', async () => {
  world.advance(24 * 3_600_000)
  const { folder } = inject('postgres') ?? { folder: '' }
  const name = await world.database.system(async (tx) => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(tx)
    return rows[0]?.name ?? ''
  })
  const end = () =>
    asSuperuser(
      folder,
      name,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    )
  const status = await world.backUp({ beforeProof: end })
  expect(status?.backups.at(-1)).toMatchObject({ proven: false, reason: ENDED })
})
