// With a PostgreSQL server, an update leaves no way back, or a folder without room prevents it.
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { requireBackup } from '../../../server/ops/backups/read-backup.ts'
import { waitFor } from '../../wait-for.ts'
import { ServerProcess } from '../fixtures/server-process.ts'
import { asSuperuser, newDatabase, urlAsSuperuser, urlsOf } from './databases.ts'

// Starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** It makes one table, which a test can drop. */
const MIGRATION = '012-setup-links'

const OPS = join(import.meta.dirname, '../../../server/ops')

/** The lock under which a database is migrated. */
const MIGRATION_LOCK_ID = 4_716_102

const { folder: cluster } = inject('postgres') ?? { folder: '' }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-update-'))
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html>')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Takes that migration from a database; returns the settings of a server on it. */
async function outdate(database: string): Promise<Record<string, string>> {
  await asSuperuser(
    cluster,
    database,
    `delete from migrations where name = '${MIGRATION}.sql'`,
    'drop table if exists setup_links',
  )
  const { url, ownerUrl } = urlsOf(cluster, database)
  return { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, TOKEN_KEY: 'ab'.repeat(32) }
}

test('a backup is written before the update; where the folder has no place the update goes on, and says so', async () => {
  const database = await newDatabase(cluster)
  /** What a start prints on a database that lacks that migration. */
  const update = async (env: Record<string, string> = {}) => {
    const urls = await outdate(database)
    const server = await new ServerProcess(folder, { ...urls, ...env }).ready()
    await server.stop('SIGTERM')
    return server.output
  }
  const file = join(folder, 'data', `before-${MIGRATION}.backup`)
  expect(await update()).toContain(`Backup of before: ${file}\n`)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const DATA_DIR = join(folder, 'dist/index.html/data')
  expect(await update({ DATA_DIR })).toContain(
    `The database is updated to ${MIGRATION} without a backup. A backup before the update cannot be written to ${DATA_DIR}: ENOTDIR: not a directory, mkdir '${DATA_DIR}'.\n`,
  )
})

/** For a process: 63 MB are free where a backup is being written. */
const FILLED = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const isWriting = (folder) => fs.readdirSync(folder).some((name) => name.endsWith('.part'))
  fs.statfsSync = (folder) => ({ bavail: isWriting(folder) ? 63 : 1_000, bsize: 2 ** 20 })
  syncBuiltinESMExports()`)}`

test('the backup before an update ends before it takes the room that the database needs', async () => {
  const DATA_DIR = join(folder, 'filled')
  const env = { ...(await outdate(await newDatabase(cluster))), DATA_DIR }
  const command = [process.execPath, '--import', FILLED, join(OPS, '../start.ts')]
  const server = await new ServerProcess(folder, env, command).ready()
  await server.stop('SIGTERM')
  expect(server.output).toContain(
    `The database is updated to ${MIGRATION} without a backup. There is no room for a backup: it needs 65 MB in ${DATA_DIR}, and 63 MB are free.\n`,
  )
})

test('nothing is updated where the address for notifications cannot be used', async () => {
  const urls = await outdate(await newDatabase(cluster))
  const DATABASE_LISTEN_URL = 'postgres://cairn_app@127.0.0.1:1/cairn'
  const env = { ...urls, DATA_DIR: join(folder, 'no-listener') }
  const refused = await new ServerProcess(folder, { ...env, DATABASE_LISTEN_URL }).waitForExit()
  expect(refused.output).toMatch(/^The database does not open with DATABASE_LISTEN_URL: .*\n$/)
  const server = await new ServerProcess(folder, env).ready()
  await server.stop('SIGTERM')
  expect(server.output).toContain('The database is updated')
})

test('processes that start at once make one backup, before the one update', async () => {
  const database = await newDatabase(cluster)
  const urls = await outdate(database)
  const DATA_DIR = join(folder, 'shared')
  const holder = new Client({ connectionString: urlAsSuperuser(cluster, database) })
  await holder.connect()
  await holder.query(`select pg_advisory_lock(${MIGRATION_LOCK_ID})`)
  const servers = [1, 2].map(() => new ServerProcess(folder, { ...urls, DATA_DIR }))
  try {
    await waitFor(async () => {
      const { rows } = await holder.query(
        `select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      )
      expect(rows).toHaveLength(servers.length)
    })
    await holder.query(`select pg_advisory_unlock(${MIGRATION_LOCK_ID})`)
    await Promise.all(servers.map((server) => server.ready()))
  } finally {
    await holder.end()
    for (const server of servers) await server.stop('SIGKILL')
  }
  const lines = servers.flatMap(({ output }) => output.match(/The database is updated .*/g) ?? [])
  const file = join(DATA_DIR, `before-${MIGRATION}.backup`)
  expect(lines).toEqual([expect.stringMatching(` Backup of before: ${file}$`)])
  await requireBackup(file, undefined)
})

test('a backup and the doctor of a newer version change nothing in a database', async () => {
  const database = await newDatabase(cluster)
  const env = { ...(await outdate(database)), DATA_DIR: join(folder, 'commands') }
  await asSuperuser(cluster, database, `delete from migrations where name >= '${MIGRATION}.sql'`)
  const file = join(folder, 'older.backup')
  const run = (...parameters: string[]) =>
    new ServerProcess(folder, env, [process.execPath, ...parameters]).waitForExit()
  const made = await run(join(OPS, 'backup-command.ts'), 'backup', file)
  expect(made).toEqual({ code: 0, output: `Backup written to ${file}.\n` })
  const [header = ''] = (await readFile(file, 'utf8')).split('\n', 1)
  expect((JSON.parse(header) as { migrations: string[] }).migrations.at(-1)).toMatch(/^011/)
  const admin = join(OPS, 'admin-command.ts')
  const examined = await run(admin, 'doctor')
  expect(examined.output).toMatch(
    /^database +warning +It answers, with the schema 011\S+ of an earlier version/m,
  )
  for (const what of ['user', 'organisation']) {
    const listed = await run(admin, what, 'list')
    expect(listed).toMatchObject({ code: 0 })
    expect(listed.output).not.toContain('The database is updated')
  }
  await asSuperuser(cluster, database, 'drop schema public cascade', 'create schema public')
  const empty = 'The database has no tables yet. Start the server, which makes them.'
  expect(await run(join(OPS, 'backup-command.ts'), 'backup', file)).toEqual({
    code: 1,
    output: `${empty}\n`,
  })
  expect((await run(admin, 'doctor')).output).toContain(`failed   ${empty}`)
})
