// Several processes on one PostgreSQL: one of them makes the backup, and its proof leaves nothing behind.
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openPostgresDatabase } from '../../../server/database/database.ts'
import { newDatabase, urlAsSuperuser, urlsOf } from './databases.ts'
import { openBackedUpDatabase } from '../fixtures/backed-up-database.ts'

let world: Awaited<ReturnType<typeof openBackedUpDatabase>>
beforeAll(async () => {
  world = await openBackedUpDatabase()
})
afterAll(() => world.close())

test('of two at the same time one makes the backup', async () => {
  const made = await Promise.all([world.backUp(), world.backUp()])
  expect(made.filter((status) => status !== undefined)).toMatchObject([
    { backups: [{ proven: true }] },
  ])
})

test('another process gets no lock until the first one has ended', async () => {
  const { folder } = inject('postgres') ?? { folder: '' }
  const name = await newDatabase(folder)
  const database = await openPostgresDatabase(urlsOf(folder, name))
  const other = await openPostgresDatabase(urlsOf(folder, name))
  const first = await database.openThrowAway()
  expect(await other.openThrowAway()).toBeUndefined()
  await first?.use(async (tx) => {
    expect(await tx.selectFrom('users').select('id').execute()).toEqual([])
  })
  await first?.close()
  const second = await other.openThrowAway()
  expect(second).toBeDefined()
  await second?.close()
  await database.close()
  await other.close()
  const client = new Client({ connectionString: urlAsSuperuser(folder, name) })
  await client.connect()
  const { rows } = await client.query(
    "select nspname from pg_namespace where nspname like 'cairn%'",
  )
  await client.end()
  expect(rows).toEqual([])
})
