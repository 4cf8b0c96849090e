// Look-ups that a session of PostgreSQL has prepared, and refuses at the next call: a pooler has given the session to
// another client meanwhile, or another process has migrated a table.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openPostgresDatabase, type Database } from '../../../server/database/database.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { asSuperuser, urlsOf } from './databases.ts'

const { folder: cluster } = inject('postgres') ?? { folder: '' }
let world: ApiFixture
let mia: ApiUser
let plan: string
let name: string
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  plan = await mia.createPlan()
  const current = sql<{ name: string }>`select current_database() as name`
  name = await world.database.system(async (tx) => (await current.execute(tx)).rows[0]?.name ?? '')
})
afterAll(() => world.close())

const countPrepared = (database: Database) =>
  database.auth(async (tx) => {
    const all = sql<{ count: number }>`select count(*) from pg_prepared_statements`
    return (await all.execute(tx)).rows[0]?.count
  })

/** Lists and posts at a server of its own, whose calls one after the other have the same session. */
async function callTwice(
  listenUrl: string | undefined,
  between: (database: Database) => Promise<unknown>,
) {
  const database = await openPostgresDatabase({ ...urlsOf(cluster, name), listenUrl })
  try {
    const person = mia.atApp(world.appWith({ database }))
    const call = async () => [
      (await person.get('/api/v1/success-plans')).status,
      (await person.post(`/api/v1/success-plans/${plan}/updates`, { body: 'Done.' })).status,
    ]
    const before = [...(await call()), ...(await call())]
    const prepared = await countPrepared(database)
    await between(database)
    return { statuses: [...before, ...(await call())], prepared }
  } finally {
    await database.close()
  }
}

const ALL_ANSWERED = [200, 201, 200, 201, 200, 201]

test('calls go on when the session does not know them any more', async () => {
  const forget = (database: Database) => database.auth((tx) => sql`deallocate all`.execute(tx))
  expect(await callTwice(undefined, forget)).toEqual({ statuses: ALL_ANSWERED, prepared: 3 })
})

test('calls go on when a migration has changed what they return', async () => {
  const migrate = () => asSuperuser(cluster, name, 'alter table users add column later text')
  expect(await callTwice(undefined, migrate)).toEqual({ statuses: ALL_ANSWERED, prepared: 3 })
})

test('nothing is prepared where listening bypasses a pooler', async () => {
  const { url } = urlsOf(cluster, name)
  const answered = await callTwice(`${url}&application_name=listener`, () => Promise.resolve())
  expect(answered).toEqual({ statuses: ALL_ANSWERED, prepared: 0 })
})
