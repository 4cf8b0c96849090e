// A server on a small machine is killed for its memory, at the first start or with a larger organisation.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fillDatabase } from '../../../../bench/fill-database.ts'
import { usageOf } from '../../../../bench/server/usage.ts'
import { openDatabase } from '../../../../server/database/database.ts'
import { readBackupStatus } from '../../../../server/ops/backups/status.ts'
import { limitMemory, type MemoryLimit } from '../../fixtures/memory-limit.ts'
import { ServerProcess } from '../../fixtures/server-process.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const START = join(import.meta.dirname, '../../../../server/start.ts')
const LIMIT_MB = 512
const PLANS = 20_000
const PAGE_PLANS = 100
const LOOK_MS = 100

let folder: string
let limit: MemoryLimit | undefined
let server: ServerProcess
let looking: NodeJS.Timeout
let peakMb = 0

beforeEach(async () => {
  // On a disk: files in memory would count as memory of their writer.
  folder = await mkdtemp('/var/tmp/cairn-memory-')
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html>')
  limit = limitMemory(LIMIT_MB * 2 ** 20)
})
afterEach(async () => {
  clearInterval(looking)
  await server.stop('SIGKILL')
  await limit?.remove()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Starts the server under the limit. What it takes is measured as well, for where no limit can be set. */
async function start(env: Record<string, string>): Promise<ServerProcess> {
  const command = [process.execPath, START]
  server = new ServerProcess(folder, env, limit?.around(command) ?? command)
  const { pid = 0 } = server.process
  looking = setInterval(() => {
    void usageOf(pid).then(({ megabytes }) => (peakMb = Math.max(peakMb, megabytes)))
  }, LOOK_MS)
  return server.ready()
}
async function stop(): Promise<void> {
  clearInterval(looking)
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(limit?.countKilled() ?? 0).toBe(0)
  expect(peakMb).toBeGreaterThan(50)
  expect(peakMb).toBeLessThan(LIMIT_MB)
}

test(`${LIMIT_MB} MB are enough for a first start with demo data, and for ${PLANS} plans with a proven backup`, async () => {
  await start({ DEMO_DATA: '1' })
  await stop()

  const database = await openDatabase(join(folder, 'data'))
  const { organisation, people } = await fillDatabase(database, { plans: PLANS, people: 1 })
  await database.close()

  await start({ BACKUP_EVERY: '1d' })
  const headers = {
    Authorization: `Bearer ${people[0]?.access_token}`,
    'X-organisation': organisation.id,
  }
  for (let page = 1; page <= PLANS / PAGE_PLANS; page += 1) {
    const path = `/api/v1/success-plans?per_page=${PAGE_PLANS}&page=${page}`
    const { status, json } = await server.call('GET', path, undefined, headers)
    expect([status, (json['data'] as unknown[]).length]).toEqual([200, PAGE_PLANS])
  }
  const all = await server.call('GET', '/api/v1/changes?since=0', undefined, headers)
  expect(all.status).toBe(200)
  const backups = join(folder, 'data/backups')
  await expect
    .poll(async () => (await readBackupStatus(backups)).backups, { timeout: 120_000 })
    .toMatchObject([{ proven: true }])
  await stop()
})
