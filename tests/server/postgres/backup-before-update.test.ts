// With a PostgreSQL server, an update leaves no way back, or a folder without room prevents it.
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { ServerProcess } from '../fixtures/server-process.ts'
import { asSuperuser, newDatabase, urlsOf } from './databases.ts'

// Starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** It makes one table, which a test can drop. */
const MIGRATION = '012-setup-links'

const { folder: cluster } = inject('postgres') ?? { folder: '' }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-update-'))
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html>')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a backup is written before the update; where the folder has no place the update goes on, and says so', async () => {
  const database = await newDatabase(cluster)
  const { url, ownerUrl } = urlsOf(cluster, database)
  /** What a start prints on a database that lacks that migration. */
  const update = async (env: Record<string, string> = {}) => {
    await asSuperuser(
      cluster,
      database,
      `delete from migrations where name = '${MIGRATION}.sql'`,
      'drop table if exists setup_links',
    )
    const urls = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, TOKEN_KEY: 'ab'.repeat(32) }
    const server = await new ServerProcess(folder, { ...urls, ...env }).ready()
    await server.stop('SIGTERM')
    return server.output
  }
  const file = join(folder, 'data', `before-${MIGRATION}.backup`)
  expect(await update()).toContain(`Backup of before: ${file}\n`)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const DATA_DIR = join(folder, 'dist/index.html/data')
  expect(await update({ DATA_DIR })).toContain(
    `The database is updated to ${MIGRATION} without a backup. A backup before the update cannot be written to ${DATA_DIR}.\n`,
  )
})
