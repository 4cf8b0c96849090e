// The database is killed while a backup is proven: what was made for the proof must not stay on the disk for good.
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { killProcesses } from '../../../../server/database/cluster/processes.ts'
import { openDatabase } from '../../../../server/database/database.ts'
import { newFolder } from '../../fixtures/server-process.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: Awaited<ReturnType<typeof newFolder>>
beforeAll(async () => {
  folder = await newFolder()
  await folder.reset()
})
afterAll(() => folder.remove())

/** Names of files in the folder of the database that belong to no table or index, and schemas of a proof. */
const LEFT_BEHIND = `
  select name from pg_database, pg_ls_dir('base/' || pg_database.oid) as name
  where datname = current_database() and name ~ '^t?[0-9]' and not exists (
    select from pg_class
    where pg_relation_filenode(oid)::text = regexp_replace(name, '[_.].*', '')
  )
  union select nspname from pg_namespace where nspname ~ '^cairn'`

test('the next start finds nothing of it', async () => {
  const database = await openDatabase(folder.data)
  const proof = await database.openThrowAway()
  await expect(
    proof?.use(async (tx) => {
      const readUsers = tx.selectFrom('users').select('id')
      expect(await readUsers.execute()).toEqual([])
      await killProcesses(join(folder.data, 'postgres'))
      await readUsers.execute()
    }),
  ).rejects.toThrow()
  await proof?.close()
  await database.close()
  const next = await openDatabase(folder.data)
  const host = join(folder.data, 'postgres')
  const client = new Client({ host, user: 'cairn_owner', database: 'cairn' })
  await client.connect()
  expect((await client.query(LEFT_BEHIND)).rows).toEqual([])
  await client.end()
  await next.close()
})
