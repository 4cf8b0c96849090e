// Several processes start at the same time on a new database: some of them fail because of what another one does.
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { openPostgresDatabase } from '../../../server/database/database.ts'
import { DEMO_PEOPLE } from '../../../server/demo/stories.ts'
import { seedWhenEmpty } from '../../../server/demo/seed.ts'
import { asSuperuser, newDatabase, urlAsSuperuser, urlsOf } from './databases.ts'
import { longTest } from '../../long-test.ts'

const { folder: cluster } = inject('postgres') ?? { folder: '' }

longTest('a process waits for the demo data however long another one takes for it', async () => {
  const database = await openPostgresDatabase(urlsOf(cluster, await newDatabase(cluster)))
  const isLocked = Promise.withResolvers<void>()
  const slow = database.system(async (tx) => {
    await sql`lock table users in share row exclusive mode`.execute(tx)
    isLocked.resolve()
    // Longer than a request waits for a lock.
    await sql`select pg_sleep(11)`.execute(tx)
  })
  await isLocked.promise
  await seedWhenEmpty(database, new Date())
  await slow
  const users = await database.system((tx) => tx.selectFrom('users').select('id').execute())
  await database.close()
  expect(users).toHaveLength(DEMO_PEOPLE.length)
})

test('a process starts to which another one grants the roles of its login at the same time', async () => {
  await asSuperuser(
    cluster,
    'postgres',
    'drop role if exists cairn_new_login',
    'create role cairn_new_login login noinherit',
  )
  const database = await newDatabase(cluster)
  const { url, ownerUrl } = urlsOf(cluster, database)
  const other = new Client({ connectionString: urlAsSuperuser(cluster, database) })
  await other.connect()
  await other.query('begin; grant cairn_tenant to cairn_new_login')
  const opening = openPostgresDatabase({
    url: url.replace('cairn_app', 'cairn_new_login'),
    ownerUrl,
  })
  const isWaiting = async () => {
    const { rows } = await other.query(
      `select from pg_locks join pg_stat_activity using (pid)
       where datname = current_database() and not granted`,
    )
    return rows.length > 0
  }
  await expect.poll(isWaiting).toBe(true)
  await other.query('commit')
  await other.end()
  await (await opening).close()
})
