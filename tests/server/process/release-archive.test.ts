// A release that lacks a file, differs between two runs, or needs more than Node to start.
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { schemaVersion } from '../../../server/database/migrate.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import project from '../../../package.json' with { type: 'json' }
import { writeRelease } from '../../../server/ops/release.ts'
import { ServerProcess, newFolder } from '../fixtures/server-process.ts'

// Packs 60 MB twice.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const run = promisify(execFile)
const MOST_BYTES = 60_000_000

let app: Awaited<ReturnType<typeof newFolder>>
let folder: string
let archive: string
let command: string
beforeAll(async () => {
  app = await newFolder()
  folder = await mkdtemp(join(tmpdir(), 'cairn-release-'))
  // As root, PostgreSQL runs as a user that must be able to read its programs.
  await chmod(folder, 0o755)
  archive = await writeRelease(join(app.path, 'dist'), folder)
  await mkdir(join(folder, 'unpacked'))
  await run('tar', ['-xzf', archive, '-C', join(folder, 'unpacked')])
  command = join(folder, 'unpacked', `cairn-${project.version}`, 'cairn')
})
afterAll(async () => {
  await app.remove()
  await rm(folder, { recursive: true, force: true })
})

test('the unpacked archive starts with Node alone, and serves the app', async () => {
  await app.reset()
  const server = new ServerProcess(app.path, { DIST: '' }, [process.execPath, command])
  try {
    await server.ready()
    expect(await (await fetch(server.url)).text()).toBe('<!doctype html>')
    const headers = await server.register('mia@example.com')
    expect((await server.call('GET', '/api/v1/success-plans', undefined, headers)).status).toBe(200)
  } finally {
    await server.stop('SIGTERM')
  }
  const backup = join(folder, 'cairn.backup')
  const env = { DATA_DIR: app.data }
  const { stdout } = await run(process.execPath, [command, 'backup', backup], { env })
  expect(stdout).toBe(`Backup written to ${backup}.\n`)
})

test('the command tells its version, and what it can do', async () => {
  expect((await run(process.execPath, [command, '--version'])).stdout).toBe(
    `Cairn ${project.version}, schema ${schemaVersion()}\n`,
  )
  await expect(run(process.execPath, [command, 'nonsense'])).rejects.toMatchObject({
    code: 1,
    stderr: 'Usage: node cairn [start | admin | backup | restore | conform | --version]\n',
  })
  await expect(run(process.execPath, [command, 'backup'])).rejects.toMatchObject({
    stderr: 'Usage: node cairn backup <file>, node cairn restore <file>.\n',
  })
  await expect(run(process.execPath, [command, 'conform'])).rejects.toMatchObject({
    stderr: expect.stringMatching(/^Usage: node cairn conform https:\S+ --email .+\n$/) as string,
  })
  const { stdout } = await run(process.execPath, [command, 'admin', '--help'])
  expect(stdout).toMatch(/^Usage: node cairn admin <command>/)
})

test('the archive has at most 60 MB, and the same bytes each time', async () => {
  const first = await readFile(archive)
  expect(first.length).toBeLessThan(MOST_BYTES)
  // Copied files have other times.
  const again = join(folder, 'again')
  await cp(join(app.path, 'dist'), join(again, 'dist'), { recursive: true })
  const second = await readFile(await writeRelease(join(again, 'dist'), again))
  expect(first.equals(second)).toBe(true)
})
