// The database as a child process: it is restarted when it ends or hangs, ends with the server, and is never
// there twice.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  killProcesses,
  processesIn,
  readPidFile,
} from '../../../../server/database/cluster/processes.ts'
import { ServerProcess, asOwner, newFolder } from '../../fixtures/server-process.ts'
import { isRoot } from '../../../browser/fixtures/find-program.ts'
import { waitFor } from '../../../wait-for.ts'
import { longTest } from '../../../long-test.ts'
import { sampleOf } from '../../../sample.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const START = join(import.meta.dirname, '../../../../server/start.ts')
const HIDE = join(import.meta.dirname, '../../fixtures/without-postgres.ts')
const NOT_RESPONDING = 'The database is not responding. Please try again.'
const MEGABYTE = 2 ** 20

let folder: Awaited<ReturnType<typeof newFolder>>
const children: ServerProcess[] = []
const start = (command?: string[], path = folder.path) => {
  const child = new ServerProcess(path, {}, command)
  children.push(child)
  return child
}
const cluster = () => join(folder.data, 'postgres')
const postmasterOf = (path: string) => Number(readPidFile(path)[0])
const isRunning = (pid: number) => existsSync(`/proc/${pid}/exe`)
/** The shell that ends the database when the server has ended. */
const guardOf = (postmaster: number) =>
  Number(
    readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      .split(' ')
      .find((pid) => pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sh\n'),
  )

beforeAll(async () => {
  folder = await newFolder()
})
beforeEach(() => folder.reset())
afterEach(async () => {
  for (const child of children.splice(0)) await child.stop('SIGKILL')
  if (existsSync(cluster())) await killProcesses(cluster())
})
afterAll(() => folder.remove())

const addTo = (server: ServerProcess, headers: Record<string, string>) =>
  server.call('POST', '/api/v1/accounts', { name: 'Customer' }, headers)
const count = async (server: ServerProcess, headers: Record<string, string>) =>
  ((await server.call('GET', '/api/v1/accounts', undefined, headers)).json.data as unknown[]).length

test('a killed database is started again, with all that was confirmed', async () => {
  const server = await start().ready()
  const headers = await server.register('mia@example.com')
  expect((await addTo(server, headers)).status).toBe(201)
  const first = postmasterOf(cluster())
  process.kill(first, 'SIGKILL')
  // Its sessions may answer a last time.
  await waitFor(() => expect(server.output).toContain('database restarted'))
  expect(postmasterOf(cluster())).not.toBe(first)
  expect((await addTo(server, headers)).status).toBe(201)
  expect(await count(server, headers)).toBe(2)
  expect((await server.call('GET', '/healthz')).status).toBe(200)
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(processesIn(cluster())).toEqual([])
})

test('the terminal’s Ctrl+C reaches the server alone', async () => {
  const server = await start().ready()
  const groupOf = (pid: number) =>
    Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2])
  const postmaster = postmasterOf(cluster())
  expect(groupOf(postmaster)).toBe(postmaster)
  expect(groupOf(server.process.pid ?? 0)).not.toBe(postmaster)
})

test('a killed server takes its database with it', async () => {
  const server = await start().ready()
  expect(processesIn(cluster()).length).toBeGreaterThan(1)
  await server.stop('SIGKILL')
  await waitFor(() => expect(processesIn(cluster())).toEqual([]))
})

/** The server as root in a container, where it may not look into the processes of other users. */
const CONTAINED = ['setpriv', '--bounding-set=-sys_ptrace', process.execPath, START]

const LEFT_BEHIND: [NodeJS.Signals, string, string[]?][] = [
  ['SIGCONT', 'a server'],
  ['SIGSTOP', 'a server'],
]
if (isRoot) LEFT_BEHIND.push(['SIGSTOP', 'root in a container', CONTAINED])

test.each(sampleOf(LEFT_BEHIND, 1, 'left behind'))(
  'a database that outlived its server is ended before the next one starts (%s, %s)',
  async (state, _, command) => {
    const server = await start().ready()
    const headers = await server.register('mia@example.com')
    await addTo(server, headers)
    const postmaster = postmasterOf(cluster())
    process.kill(guardOf(postmaster), 'SIGKILL')
    await server.stop('SIGKILL')
    process.kill(postmaster, state)
    expect(isRunning(postmaster)).toBe(true)
    const next = await start(command).ready()
    expect(isRunning(postmaster)).toBe(false)
    expect(await count(next, headers)).toBe(1)
  },
)

if (isRoot)
  longTest('root in a container stops with a database that hangs', async () => {
    const server = await start(CONTAINED).ready()
    for (const pid of processesIn(cluster())) process.kill(pid, 'SIGSTOP')
    expect((await server.call('GET', '/readyz')).status).toBe(503)
    expect(await server.stop('SIGTERM')).toBe(0)
    expect(processesIn(cluster())).toEqual([])
  })

longTest('a database that keeps ending ends the server with one clear line', async () => {
  const server = await start().ready()
  rmSync(join(cluster(), 'global'), { recursive: true })
  process.kill(postmasterOf(cluster()), 'SIGKILL')
  const { code, output } = await server.waitForExit()
  expect(code).toBe(1)
  expect(output.trim().split('\n').at(-1)).toMatch(
    /^The database ended 6 times in ten minutes, the last time with: .+\. Giving up\.$/,
  )
})

longTest(
  'a database that hangs is reported by /healthz and /readyz within seconds, and restarted after a minute',
  async () => {
    const server = await start().ready()
    const headers = await server.register('mia@example.com')
    for (const pid of processesIn(cluster())) process.kill(pid, 'SIGSTOP')
    const stopped = performance.now()
    for (const path of ['/healthz', '/readyz']) {
      const { status, json } = await server.call('GET', path)
      expect([path, status, json.message]).toEqual([path, 503, NOT_RESPONDING])
    }
    // Long before a transaction gives up.
    expect(performance.now() - stopped).toBeLessThan(15_000)
    await waitFor(() => expect(server.output).toContain('database restarted'), 150_000)
    expect((await server.call('GET', '/healthz')).status).toBe(200)
    expect((await addTo(server, headers)).status).toBe(201)
  },
)

test('calls are answered with 503 while the folder of the database is gone', async () => {
  const server = await start().ready()
  const headers = await server.register('mia@example.com')
  // The mail of the registration would make the folder again.
  await waitFor(() => expect(server.output).toContain('mail sent'))
  rmSync(folder.data, { recursive: true })
  const { status, json } = await addTo(server, headers)
  expect([status, json.message]).toEqual([503, NOT_RESPONDING])
})

longTest('without a package for the platform the embedded database is used', async () => {
  rmSync(folder.data, { recursive: true })
  const hidden = [process.execPath, '--import', HIDE, START]
  const server = await start(hidden).ready()
  const headers = await server.register('mia@example.com')
  expect((await addTo(server, headers)).status).toBe(201)
  expect((await server.call('GET', '/healthz')).status).toBe(200)
  expect(existsSync(cluster())).toBe(false)
  expect(existsSync(join(folder.data, 'database'))).toBe(true)
})

test('a folder that needs PostgreSQL is refused in one line where it cannot run', async () => {
  const { code, output } = await start([process.execPath, '--import', HIDE, START]).waitForExit()
  expect(code).toBe(1)
  expect(output).toMatch(
    /^The database in \S+ needs PostgreSQL, which cannot run here: the package \S+ is not installed\n$/,
  )
})

test('a database of another major version is refused with what to do', async () => {
  writeFileSync(join(cluster(), 'PG_VERSION'), '17\n')
  const { code, output } = await start().waitForExit()
  expect([code, output]).toEqual([
    1,
    `The database in ${cluster()} is of PostgreSQL 17, and this version of the server has another one. Make a backup with the version that made it, and restore that.\n`,
  ])
})

test('a database that panics on a full disk writes again when there is room', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'cairn-panic-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', disk])
  try {
    mkdirSync(join(disk, 'dist'))
    writeFileSync(join(disk, 'dist/index.html'), '<!doctype html>')
    const server = await start(undefined, disk).ready()
    const headers = await server.register('mia@example.com')
    expect((await addTo(server, headers)).status).toBe(201)
    const postmaster = postmasterOf(join(disk, 'data/postgres'))
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'filling'), Buffer.alloc(bavail * bsize - MEGABYTE))
    const fillLog = `select pg_logical_emit_message(true, 'x', repeat('x', ${MEGABYTE})) from generate_series(1, 200)`
    await expect(asOwner(join(disk, 'data'), fillLog)).rejects.toThrow()
    await waitFor(async () => expect((await addTo(server, headers)).status).toBe(503))
    await waitFor(() => expect(isRunning(postmaster)).toBe(false))
    rmSync(join(disk, 'filling'))
    await waitFor(async () => expect((await addTo(server, headers)).status).toBe(201))
    expect(await count(server, headers)).toBe(2)
    expect(await server.stop('SIGTERM')).toBe(0)
  } finally {
    for (const child of children.splice(0)) await child.stop('SIGKILL')
    execFileSync('umount', ['--lazy', disk])
    await rm(disk, { recursive: true, force: true })
  }
})
