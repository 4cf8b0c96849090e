// A real PostgreSQL for the run: its own cluster in a temporary folder, reached by a socket there.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chownSync,
  constants,
  createWriteStream,
  existsSync,
  readdirSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installPackages, isRoot } from '../../browser/fixtures/find-program.ts'
import { createTemplate } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the cluster's socket and log; undefined when tests run on the embedded database. */
    postgres: { folder: string; bin: string } | undefined
  }
}

const DEBIANS = '/usr/lib/postgresql'

/** Some installations link a part of them into another folder. */
const PROGRAMS = ['initdb', 'postgres', 'pg_controldata', 'pg_rewind']

const isProgram = (file: string) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function find(): string | undefined {
  const debians = existsSync(DEBIANS)
    ? readdirSync(DEBIANS)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(DEBIANS, version, 'bin'))
    : []
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...debians]
  return folders.find((folder) => PROGRAMS.every((p) => isProgram(join(folder, p))))
}

/**
 * The folder of PostgreSQL's programs: from PATH, else Debian's package, which root may install. Throws
 * a one-line error with the command to run where there is none.
 */
export function findPostgres(): string {
  const found = find()
  if (found !== undefined) return found
  installPackages(
    ['postgresql'],
    'These tests need PostgreSQL 15 or newer. Install it (on Debian: sudo apt-get install postgresql) or have its initdb and postgres in PATH.',
    'postgresql',
  )
  const installed = find()
  if (installed === undefined) throw new Error('PostgreSQL was installed, and is not found.')
  return installed
}

/** PostgreSQL refuses to run as root: it then runs as the user that its package created. */
export function userOfPostgres(): { uid: number; gid: number } | undefined {
  if (!isRoot) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

const FOR_TESTS = {
  // PostgreSQL's own durability is not under test.
  fsync: 'off',
  full_page_writes: 'off',
  shared_preload_libraries: 'auto_explain',
  log_line_prefix: '%d ',
}

const settingsOf = (folder: string, more: Record<string, string>) =>
  Object.entries({
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '200',
    ...more,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

export default async function setUp(project: TestProject) {
  const { folder, bin, stop } = await startCluster(FOR_TESTS)
  project.provide('postgres', { folder, bin })
  return stop
}

/** Starts a new cluster with these settings besides the defaults; returns how to stop and delete it. */
export async function startCluster(settings: Record<string, string> = {}) {
  const bin = findPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'cairn-pg-'))
  const data = join(folder, 'data')
  const user = userOfPostgres()
  if (user) chownSync(folder, user.uid, user.gid)
  const as = { cwd: folder, ...user }
  const superuser = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  execFileSync(join(bin, 'initdb'), ['--no-sync', ...superuser, data], { ...as, stdio: 'pipe' })
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settingsOf(folder, settings)], {
    ...as,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  server.stderr.pipe(createWriteStream(join(folder, 'log')))
  const endWithUs = () => server.kill('SIGQUIT')
  process.once('exit', endWithUs)
  await createTemplate(folder)
  const stop = async () => {
    process.off('exit', endWithUs)
    const exited = once(server, 'exit')
    // Stops without waiting for open sessions.
    server.kill('SIGINT')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, bin, pid: server.pid ?? 0, stop }
}
