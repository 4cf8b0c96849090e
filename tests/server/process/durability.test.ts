// Confirmed writes survive anything that can happen to the process.
import { existsSync } from 'node:fs'
import { readdir, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../../server/database/database.ts'
import { openDurable, requireFsync } from '../../../server/database/embedded/pglite.ts'
import { ServerProcess, newFolder } from '../fixtures/server-process.ts'
import { seededRng } from '../fixtures/failing-disk.ts'
import { longTest } from '../../long-test.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let folder: Awaited<ReturnType<typeof newFolder>>
const children: ServerProcess[] = []
const start = (env: Record<string, string> = {}) => {
  const child = new ServerProcess(folder.path, env)
  children.push(child)
  return child
}
beforeAll(async () => {
  folder = await newFolder()
})
beforeEach(() => folder.reset())
afterEach(async () => {
  for (const child of children.splice(0)) await child.stop('SIGKILL')
})
afterAll(() => folder.remove())
const data = () => folder.data

test('a confirmed write, its session and its key survive SIGKILL', async () => {
  const server = await start().ready()
  const headers = await server.register('mia@example.com')
  const ids = Array.from({ length: 5 }, () => uuidv7())
  const key = uuidv7()
  const keyed = { ...headers, 'Idempotency-Key': key }
  for (const id of ids.slice(0, 4))
    await server.call(
      'POST',
      '/api/v1/success-plans',
      { id, title: 'Kept', type: 'project' },
      headers,
    )
  const body = { id: ids[4], title: 'Last', type: 'project' }
  const last = await server.call('POST', '/api/v1/success-plans', body, keyed)
  expect(last.status).toBe(201)
  await server.stop('SIGKILL')

  const restarted = await start().ready()
  const plans = await restarted.call(
    'GET',
    '/api/v1/success-plans?sort=created_at',
    undefined,
    headers,
  )
  expect((plans.json.data as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(
    ids.toSorted(),
  )
  expect(await restarted.call('POST', '/api/v1/success-plans', body, keyed)).toEqual(last)
})

test('five kills during writes lose and duplicate nothing confirmed', async () => {
  const ROUNDS = 5
  const rng = seededRng(7)
  const confirmed: string[] = []
  const sent = new Set<string>()
  let headers: Record<string, string> = {}
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await start().ready()
    if (round === 0) headers = await server.register('mia@example.com')
    const enough = confirmed.length + 5 + Math.floor(rng() * 20)
    let killed: Promise<unknown> | undefined
    const hand = async () => {
      for (;;) {
        const id = uuidv7()
        sent.add(id)
        const body = { id, title: `Round ${round}`, type: 'project' }
        const send = server.call('POST', '/api/v1/success-plans', body, headers)
        const answer = await send.catch(() => undefined)
        if (answer?.status !== 201) return
        confirmed.push(id)
        if (confirmed.length >= enough) killed ??= server.stop('SIGKILL')
      }
    }
    // An organisation without limits, so that only the kill ends a round.
    if (round === 0)
      await server.call('POST', '/api/v1/subscriptions', { plan: 'professional' }, headers)
    await Promise.all([hand(), hand(), hand(), hand()])
    expect(killed).toBeDefined()
    await killed
  }
  const server = await start().ready()
  const list = '/api/v1/success-plans?per_page=500'
  const plans = (await server.call('GET', list, undefined, headers)).json.data as { id: string }[]
  const found = plans.map(({ id }) => id)
  expect(new Set(found).size).toBe(found.length)
  expect(confirmed.filter((id) => !found.includes(id))).toEqual([])
  expect(found.filter((id) => !sent.has(id))).toEqual([])
  expect(confirmed.length).toBeGreaterThanOrEqual(ROUNDS * 5)
})

longTest(
  'a kill between the operations of a batch loses none, and none is done twice when they are repeated',
  async () => {
    const server = await start().ready()
    const headers = await server.register('mia@example.com')
    const plans = '/api/v1/success-plans'
    const send = (to: ServerProcess, operations: object[]) =>
      to.call('POST', '/api/v1/batch', { operations }, headers).catch(() => undefined)
    const posted = async (from: ServerProcess, path: string) => {
      const { json } = await from.call('GET', `${path}?per_page=500`, undefined, headers)
      return (json.data as { body: string }[]).map(({ body }) => body)
    }
    /** Kills the server within a batch. A busy machine may see the first operations when all are done. */
    const killWithin = async () => {
      for (let from = server; ;) {
        const plan = uuidv7()
        await from.call('POST', plans, { id: plan, title: 'Killed', type: 'project' }, headers)
        const path = `${plans}/${plan}/updates`
        const operations = Array.from({ length: 100 }, (_, index) => ({
          key: uuidv7(),
          lane: plan,
          method: 'POST',
          path,
          body: { body: `${index}` },
        }))
        const answer = send(from, operations)
        while ((await posted(from, path)).length === 0);
        await from.stop('SIGKILL')
        const isAnswered = (await answer) !== undefined
        from = await start().ready()
        const survived = await posted(from, path)
        if (!isAnswered && survived.length < operations.length)
          return { restarted: from, path, operations, survived }
      }
    }
    const { restarted, path, operations, survived } = await killWithin()
    expect(survived.length).toBeGreaterThan(0)
    const repeated = await send(restarted, operations)
    const results = repeated?.json.data as { status: number; headers: Record<string, string> }[]
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([201]))
    const replayed = results.filter((one) => one.headers['idempotent-replayed'] === 'true')
    expect(replayed).toHaveLength(survived.length)
    expect((await posted(restarted, path)).map(Number).toSorted((a, b) => a - b)).toEqual(
      operations.map((_, index) => index),
    )
  },
)

test('a second process on the same folder is rejected in one line', async () => {
  const first = await start().ready()
  const { code, output } = await start().waitForExit()
  expect(code).toBe(1)
  expect(output).toBe(
    `The data folder ${data()} is in use by process ${first.process.pid} on ${hostname()}. Stop that first.\n`,
  )
  expect((await first.call('GET', '/readyz')).status).toBe(200)
})

test('a second container on the same folder is rejected, whatever its process number', async () => {
  const first = await start().ready()
  // In the second server's process namespace, that id is unused or belongs to a process with another start time.
  for (const elsewhere of ['process 4194305 on elsewhere', `${process.pid} 1\n`]) {
    await writeFile(join(data(), 'lock'), elsewhere)
    expect((await start().waitForExit()).code).toBe(1)
  }
  await rm(join(data(), 'lock'))
  expect((await start().waitForExit()).output).toBe(
    `The data folder ${data()} is in use by another process. Stop that first.\n`,
  )
  expect((await first.call('GET', '/readyz')).status).toBe(200)
})

test('the lock of a dead process can be taken', async () => {
  const dead = await start().ready()
  await dead.stop('SIGKILL')
  expect(existsSync(join(data(), 'lock'))).toBe(true)
  await (await start().ready()).stop('SIGTERM')
  expect(existsSync(join(data(), 'lock'))).toBe(false)
})

test('the server refuses a database that never flushes', async () => {
  const silent = { exec: () => Promise.resolve([]) }
  await expect(requireFsync(silent, { fsyncCount: 7 })).rejects.toThrow(
    'The embedded database does not flush its writes to the disk, so that a power cut could lose them. Set DATABASE_URL to use another PostgreSQL.',
  )
})

test('the embedded database flushes each insert to disk before it is confirmed', async () => {
  const counts: number[] = []
  const { pglite, files } = await openDurable(data())
  await pglite.exec('create table t (id int)')
  for (let id = 0; id < 3; id += 1) {
    const before = files.fsyncCount
    await pglite.query('insert into t values ($1)', [id])
    counts.push(files.fsyncCount - before)
  }
  const { rows } = await pglite.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name in ('fsync', 'synchronous_commit', 'wal_sync_method', 'full_page_writes') order by name`,
  )
  await pglite.close()
  expect(counts).toEqual([1, 1, 1])
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    wal_sync_method: 'fsync',
  })
})

test('an interrupted first start is repeated', async () => {
  await rm(data(), { recursive: true })
  const unfinished = join(data(), 'postgres.new')
  await mkdir(unfinished, { recursive: true })
  await writeFile(join(unfinished, 'PG_VERSION'), '18\n')
  const database = await openDatabase(data())
  await database.close()
  expect(existsSync(unfinished)).toBe(false)
})

test('a database that does not open is reported in one line', async () => {
  await rm(join(data(), 'postgres/global'), { recursive: true })
  const { code, output } = await start().waitForExit()
  expect(code).toBe(1)
  expect(output).toMatch(/^The database in \S+ does not open: .+\n$/)
})

test('a folder of the database that is empty, as where its disk is not mounted, is reported with the missing file', async () => {
  const folder = join(data(), 'postgres')
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
  const { code, output } = await start().waitForExit()
  expect(code).toBe(1)
  expect(output).toMatch(/^The database in \S+ does not open: .*No such file or directory\n$/)
})

test.each(['emptied', 'a folder'])(
  'a token key that is %s is reported with what to do',
  async (how) => {
    const path = join(data(), 'token-key')
    if (how === 'emptied') await writeFile(path, '', { mode: 0o600 })
    else await mkdir(path, { mode: 0o700 })
    const { code, output } = await start().waitForExit()
    expect(code).toBe(1)
    expect(output).toBe(
      `The key in ${path} is damaged. Put back a copy, or move it away: mails that wait are not sent then, and some devices have to sign in again.\n`,
    )
  },
)

test('the token key is readable by the process owner only and survives a restart', async () => {
  const server = await start().ready()
  const path = join(data(), 'token-key')
  const key = await readFile(path, 'utf8')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await server.stop('SIGTERM')
  await start().ready()
  expect(await readFile(path, 'utf8')).toBe(key)
})
