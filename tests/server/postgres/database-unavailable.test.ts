// PostgreSQL is unreachable: clients must be asked to try again, and not learn of a server error.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { asSuperuser } from './databases.ts'

const { folder: cluster } = inject('postgres') ?? { folder: '' }
const AWAY = {
  status: 503,
  body: { message: 'The database is not responding. Please try again.' },
}

let world: ApiFixture
let mia: ApiUser
let name: string
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createUser('Mia')
  const { rows } = await world.database.system((tx) =>
    sql<{ name: string }>`select current_database() as name`.execute(tx),
  )
  name = rows[0]?.name ?? ''
})
afterAll(() => world.close())

test('a call is answered with 503 and Retry-After until the database is back', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await asSuperuser(
    cluster,
    'postgres',
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  for (const path of ['/api/v1/userinfo', '/readyz']) {
    const answer = await mia.get(path)
    expect(answer.statusAndBody).toEqual(AWAY)
    expect(answer.headers.get('Retry-After')).toBe('10')
  }
  await asSuperuser(cluster, 'postgres', `alter database ${name} allow_connections true`)
  expect((await mia.get('/api/v1/userinfo')).status).toBe(200)
  spy.mockRestore()
})

test('a connection that breaks within a transaction is the database’s failure', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const broken = world.database.system(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await asSuperuser(cluster, name, `select pg_terminate_backend(${rows[0]?.pid ?? 0})`)
    await sql`select 1`.execute(tx)
  })
  await expect(broken).rejects.toMatchObject({ name: 'DatabaseUnavailableError' })
  spy.mockRestore()
})
