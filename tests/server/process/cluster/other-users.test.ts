// Other users of the machine reach the database of a server of root: by its path, through `/proc`, or by its socket.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readPidFile } from '../../../../server/database/cluster/processes.ts'
import { unprivilegedUsers } from '../../../../server/database/cluster/unprivileged.ts'
import { ServerProcess, newFolder } from '../../fixtures/server-process.ts'
import { isRoot } from '../../../browser/fixtures/find-program.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const OTHER_USER = 65_534
const OPS = join(import.meta.dirname, '../../../../server/ops')
const PG = import.meta.resolve('pg')

let folder: Awaited<ReturnType<typeof newFolder>>
let server: ServerProcess
const cluster = () => join(folder.data, 'postgres')
const start = async () => {
  server = new ServerProcess(folder.path)
  await server.ready()
  return Number(readPidFile(cluster())[0])
}
beforeAll(async () => {
  folder = await newFolder()
})
beforeEach(() => folder.reset())
afterEach(() => server.stop('SIGKILL'))
afterAll(() => folder.remove())

/** Runs a program as that user, who may enter no folder of the test. */
function as(id: number, program: string, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    cwd: '/',
    uid: id,
    gid: id,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}
const list = (id: number, path: string) => as(id, 'ls', '--', path)
/** Reads a secret as the owner of the tables, through the socket in that folder. */
const connect = (id: number, path: string) =>
  as(
    id,
    process.execPath,
    '--input-type=module',
    '--eval',
    `import pg from '${PG}'
     const client = new pg.Client({ host: '${path}', user: 'cairn_owner', database: 'cairn' })
     await client.connect()
     const { rows } = await client.query('select password_hash from users')
     console.log('read', rows.length)
     await client.end()`,
  )
/** Everything in a folder. */
const allIn = (path: string): string[] =>
  lstatSync(path).isDirectory()
    ? [path, ...readdirSync(path).flatMap((name) => allIn(join(path, name)))]
    : [path]

test.runIf(isRoot)('no other process of nobody reads its files or connects to it', async () => {
  const pid = await start()
  for (const path of [cluster(), `/proc/${pid}/cwd/`]) {
    expect([path, list(OTHER_USER, path)]).toEqual([
      path,
      { status: 2, output: expect.stringContaining('Permission denied') as string },
    ])
    const connection = connect(OTHER_USER, path)
    expect([path, connection.status]).toEqual([path, 1])
    expect(connection.output).toContain('EACCES')
  }
})

test.runIf(isRoot)('a command of another user at the running server says whose it is', async () => {
  await start()
  for (const [file, ...parameters] of [
    ['admin-command.ts', 'user', 'list'],
    ['backup-command.ts', 'backup', join(tmpdir(), 'cairn-of-another-user')],
  ])
    expect(
      as(
        OTHER_USER,
        'env',
        `DATA_DIR=${folder.data}`,
        process.execPath,
        join(OPS, file ?? ''),
        ...parameters,
      ),
    ).toEqual({
      status: 1,
      output: `The data folder ${folder.data} belongs to another user. Run the command as that user.\n`,
    })
})

test.runIf(isRoot)('who reaches its socket is asked who it is', async () => {
  const pid = await start()
  const { uid } = lstatSync(cluster())
  const reached = `/proc/${pid}/cwd/`
  expect(list(uid, reached).status).toBe(0)
  expect(connect(uid, reached).output).toContain('Peer authentication failed')
  expect(connect(0, cluster()).output).toBe('read 0\n')
})

test.runIf(isRoot)('a folder of an earlier build changes its owner', async () => {
  for (const path of allIn(cluster())) lchownSync(path, OTHER_USER, OTHER_USER)
  writeFileSync(join(cluster(), 'pg_hba.conf'), 'local all all trust\n')
  await start()
  const owners = new Set(allIn(cluster()).map((path) => lstatSync(path).uid))
  expect(owners.size).toBe(1)
  const [uid = 0] = owners
  expect([0, OTHER_USER]).not.toContain(uid)
  expect(connect(uid, `/proc/${readPidFile(cluster())[0]}/cwd/`).output).toContain(
    'Peer authentication failed',
  )
})

test.runIf(isRoot)('a user id with which another program runs is not taken', async () => {
  const { user } = unprivilegedUsers(folder.data)
  const other = spawn('sleep', ['60'], { cwd: '/', ...user })
  try {
    await once(other, 'spawn')
    expect(unprivilegedUsers(folder.data).user.uid).not.toBe(user.uid)
  } finally {
    other.kill()
  }
  await once(other, 'exit')
  expect(unprivilegedUsers(folder.data).user).toEqual(user)
})

test.runIf(isRoot)('root in a container takes no user id of another program either', async () => {
  const { user } = unprivilegedUsers(folder.data)
  const MODULE = import.meta.resolve('../../../../server/database/cluster/unprivileged.ts')
  const ask = `const { unprivilegedUsers } = await import('${MODULE}')
    console.log(unprivilegedUsers('${folder.data}').user.uid)`
  const contained = ['--bounding-set=-sys_ptrace', process.execPath, '--input-type=module', '-e']
  const taken = () => Number(as(0, 'setpriv', ...contained, ask).output)
  expect(taken()).toBe(user.uid)
  const other = spawn('sleep', ['60'], { cwd: '/', uid: user.uid, gid: user.gid })
  try {
    await once(other, 'spawn')
    expect(taken()).not.toBe(user.uid)
  } finally {
    other.kill()
  }
})

const KEEP_PRIVATE = `
  const { keepPrivate } = await import('${import.meta.resolve('../../../../server/database/data-dir-permissions.ts')}')
  try { keepPrivate(process.argv[1]) } catch (error) { console.log(error.message) }`

test.runIf(isRoot)(
  'a data folder that its owner cannot keep private, or write, is named with the cause',
  () => {
    const place = join(folder.path, 'place')
    mkdirSync(join(place, 'backups'), { recursive: true })
    // The user passes through it.
    chmodSync(folder.path, 0o711)
    const ofRoot = join(place, 'backups/made-with-sudo.backup')
    writeFileSync(ofRoot, '', { mode: 0o644 })
    for (const path of [place, join(place, 'backups')]) chownSync(path, OTHER_USER, OTHER_USER)
    const keep = () =>
      as(OTHER_USER, process.execPath, '--input-type=module', '--eval', KEEP_PRIVATE, place)
    expect(keep().output).toBe(
      `Other users can read ${ofRoot}, and its rights cannot be changed (EPERM). It belongs to another user, is immutable, or its disk keeps no rights.\n`,
    )
    rmSync(ofRoot)
    chmodSync(place, 0o500)
    expect(keep().output).toBe(
      `The data folder ${place} cannot be used (EACCES). Set DATA_DIR to a folder that the server may read and write.\n`,
    )
    chmodSync(place, 0o700)
    expect(keep()).toEqual({ status: 0, output: '' })
    rmSync(place, { recursive: true })
  },
)
