// What used to freeze the embedded server: a disk without room, and a backup whose reader goes away or
// stops reading. And who can read its files.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { keepPrivate } from '../../../server/database/data-dir-permissions.ts'
import { openDatabase } from '../../../server/database/database.ts'
import { purgeExpired } from '../../../server/jobs/purge.ts'
import { openWithAdminSocket } from '../../../server/ops/admin-socket.ts'
import { CLIENT, PASSWORD } from '../fixtures/api-fixture.ts'
import { emptyImage } from '../fixtures/empty-image.ts'
import { captureLog } from '../fixtures/mail-server.ts'
import { ServerProcess, asOwner, newFolder } from '../fixtures/server-process.ts'
import { waitFor } from '../../wait-for.ts'
import { longTest } from '../../long-test.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const MEGABYTE = 2 ** 20
const START = join(import.meta.dirname, '../../../server/start.ts')
const COMMAND = join(import.meta.dirname, '../../../server/ops/backup-command.ts')
const ADMIN = join(COMMAND, '../admin-command.ts')
const HIDE = join(import.meta.dirname, '../fixtures/without-postgres.ts')

let folder: Awaited<ReturnType<typeof newFolder>>
const children: ServerProcess[] = []
const run = (path: string, env: Record<string, string> = {}, command?: string[]) => {
  const child = new ServerProcess(path, env, command)
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

/** Files and folders that other users of the machine may use. */
function openToOthers(path: string): string[] {
  const entry = lstatSync(path)
  const own = (entry.mode & 0o077) === 0 ? [] : [path]
  if (!entry.isDirectory()) return own
  return [...own, ...readdirSync(path).flatMap((name) => openToOthers(join(path, name)))]
}

test('no other user can read the data folder, nor what an earlier build left open in it', async () => {
  chmodSync(folder.data, 0o755)
  writeFileSync(join(folder.data, 'postgres/left-open'), '', { mode: 0o644 })
  const server = await run(folder.path).ready()
  await server.register('mia@example.com')
  expect(openToOthers(folder.data)).toEqual([])
  expect(server.output).toContain('data folder made private')
  await server.stop('SIGTERM')
  expect((await run(folder.path).ready()).output).not.toContain('data folder made private')
})

test('a terminal says once that others could read the data folder', async () => {
  chmodSync(folder.data, 0o755)
  const onATerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true', START]
  const said = `Other users had rights in the data folder ${folder.data}, which are taken away now.\n`
  for (const times of [1, 0]) {
    const server = await run(folder.path, {}, [process.execPath, ...onATerminal]).ready()
    expect(server.output.split(said).length - 1).toBe(times)
    await server.stop('SIGTERM')
  }
})

test('no other user can read a data folder behind a symbolic link', async () => {
  const inside = join(folder.data, 'linked')
  const real = join(inside, 'real')
  const link = join(inside, 'link')
  const elsewhere = join(inside, 'elsewhere')
  mkdirSync(join(real, 'postgres'), { recursive: true, mode: 0o755 })
  mkdirSync(elsewhere, { mode: 0o755 })
  writeFileSync(join(real, 'postgres/PG_VERSION'), '', { mode: 0o644 })
  symlinkSync(real, link)
  symlinkSync(elsewhere, join(real, 'backups'))
  keepPrivate(link)
  // The rights of a link itself mean nothing.
  expect(openToOthers(real)).toEqual([join(real, 'backups')])
  expect(openToOthers(elsewhere)).toEqual([elsewhere])
  rmSync(inside, { recursive: true })
})

test('a folder with other files is refused, and left as it is', () => {
  const place = join(folder.path, 'place')
  const program = join(place, 'bin/program')
  mkdirSync(join(place, 'bin'), { recursive: true, mode: 0o755 })
  writeFileSync(program, '', { mode: 0o755 })
  // In /var, too.
  mkdirSync(join(place, 'backups'), { mode: 0o755 })
  const before = openToOthers(place)
  expect(before).toContain(program)
  expect(() => keepPrivate(place)).toThrow(
    `The folder ${place} holds other files (bin). Set DATA_DIR to an empty folder.`,
  )
  expect(openToOthers(place)).toEqual(before)
  rmSync(place, { recursive: true })
})

test('a backup from a folder without a database, and a restore from a missing file, are refused and create nothing', async () => {
  const DATA_DIR = join(folder.path, 'elsewhere')
  const file = join(folder.path, 'missing')
  const command = (name: string) =>
    run(folder.path, { DATA_DIR }, [process.execPath, COMMAND, name, file]).waitForExit()
  expect(await command('backup')).toEqual({
    code: 1,
    output: `There is no database in ${DATA_DIR}. Start the server once, or set DATA_DIR to its folder.\n`,
  })
  expect((await command('restore')).output).toMatch(`${file} cannot be restored: ENOENT`)
  expect([DATA_DIR, file, `${file}.part`].filter((path) => existsSync(path))).toEqual([])
})

test('a folder that was just mounted is taken, and one with a backup; files of others keep their rights', () => {
  const place = join(folder.path, 'place')
  mkdirSync(join(place, 'lost+found'), { recursive: true, mode: 0o755 })
  writeFileSync(join(place, 'cairn.backup'), '', { mode: 0o644 })
  keepPrivate(place)
  expect(openToOthers(place)).toEqual([join(place, 'lost+found')])
  // From now on it is the server's.
  writeFileSync(join(place, 'token-key'), '', { mode: 0o644 })
  writeFileSync(join(place, 'notes.txt'), '', { mode: 0o644 })
  keepPrivate(place)
  expect(openToOthers(place)).toEqual([join(place, 'lost+found'), join(place, 'notes.txt')])
  rmSync(place, { recursive: true })
})

test('a start deletes what a killed server was sending, and no backup that was stored in the data folder', async () => {
  const stored = join(folder.data, 'backup-2026-11-25.backup')
  const sending = join(folder.data, '.backup-being-sent-a1b2c3')
  writeFileSync(stored, 'rows')
  mkdirSync(sending)
  await run(folder.path).ready()
  expect(readFileSync(stored, 'utf8')).toBe('rows')
  expect(existsSync(sending)).toBe(false)
})

test('a database that a newer server has migrated is refused, naming both versions', async () => {
  const server = await run(folder.path).ready()
  await asOwner(folder.data, "insert into migrations values ('999-later.sql')")
  await server.stop('SIGTERM')
  const { code, output } = await run(folder.path).waitForExit()
  expect(code).toBe(1)
  expect(output).toMatch(
    /^The database was migrated by a newer server \(999-later\.sql; Cairn [\d.]+ ends with \d{3}-\S+\.sql\)\. Start the newer version, or restore a backup from before the update\.$/m,
  )
})

/** The folders with what is being sent. */
const spooled = () => readdirSync(folder.data).filter((name) => name.startsWith('.backup-being'))

/** Asks for a backup; resolves when its first bytes are there, of which it reads none. */
async function readerOfBackup() {
  const outgoing = request({ socketPath: join(folder.data, 'operator'), path: '/backup' })
  outgoing.on('error', () => undefined).end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return incoming
}

/** More than what the sockets of both sides hold. */
const fillBackup = () =>
  asOwner(
    folder.data,
    `insert into rate_limit_hits
       select gen_random_uuid(), decode(repeat('ab', 32), 'hex'), now() from generate_series(1, 20000)`,
  )

async function leaveReadersAlone(server: ServerProcess, headers: Record<string, string>) {
  const [gone] = await Promise.all([readerOfBackup(), readerOfBackup()])
  expect(spooled()).toHaveLength(2)
  gone.destroy()
  await waitFor(() => expect(spooled()).toHaveLength(1))
  const answer = await server.call('GET', '/api/v1/accounts', undefined, headers)
  expect(answer.status).toBe(200)
  const added = await server.call('POST', '/api/v1/accounts', { name: 'One more' }, headers)
  expect(added.status).toBe(201)
  await server.stop('SIGTERM')
  expect(server.process.exitCode).toBe(0)
}

test('a reader that goes away or stops reading leaves the server and its stop alone', async () => {
  const server = await run(folder.path).ready()
  await fillBackup()
  await leaveReadersAlone(server, await server.register('mia@example.com'))
})

longTest('such a reader leaves the database in WebAssembly alone as well', async () => {
  await rm(folder.data, { recursive: true })
  await (await openDatabase(folder.data, await emptyImage())).close()
  const server = await run(folder.path, {}, [process.execPath, '--import', HIDE, START]).ready()
  expect(existsSync(join(folder.data, 'postgres'))).toBe(false)
  const headers = await server.register('mia@example.com')
  const plan = { id: uuidv7(), title: 'A plan', type: 'project' }
  const description = 'x'.repeat(10_000)
  for (const [path, body, times] of [
    ['success-plans', plan, 1],
    ['actions', { title: 'An action', success_plan_id: plan.id, description }, 100],
  ] as const)
    for (let at = 0; at < times; at += 1) {
      const made = await server.call('POST', `/api/v1/${path}`, body, headers)
      expect([path, made.status]).toEqual([path, 201])
    }
  await leaveReadersAlone(server, headers)
})

test('a reader that takes nothing for the timeout is ended, and what it was sent is deleted', async () => {
  const context = { now: () => new Date(), publicUrl: () => '' }
  const timeoutMs = 1_000
  const database = await openWithAdminSocket(folder.data, context, timeoutMs)
  try {
    await fillBackup()
    const began = performance.now()
    const log = await captureLog(async () => {
      const frozen = await readerOfBackup()
      expect(spooled()).toHaveLength(1)
      await waitFor(() => expect(spooled()).toEqual([]))
      expect(performance.now() - began).toBeGreaterThan(timeoutMs)
      // It reads on, and has not all of it.
      await expect(frozen.toArray()).rejects.toThrow('aborted')
    })
    expect(log).toMatchObject([{ event: 'backup failed', code: 'ERR_STREAM_PREMATURE_CLOSE' }])
  } finally {
    await database.close()
  }
})

test('an export ends when a stop has cut off its reader, and not after all of it was written', async () => {
  const context = { now: () => new Date(), publicUrl: () => '' }
  const database = await openWithAdminSocket(folder.data, context)
  const organisation = uuidv7()
  await asOwner(
    folder.data,
    `with owner as (
       insert into users (id, email, password_hash, name, created_at, updated_at)
         values (gen_random_uuid(), 'mia@example.com', '-', 'Mia', now(), now()) returning id
     )
     insert into organisations (id, name, user_id, version, first_version, created_at, updated_at)
       select '${organisation}', 'A team', id, 1, 1, now(), now() from owner`,
  )
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = database.system(async (tx) => {
    await sql`lock table organisation_users in access exclusive mode`.execute(tx)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const reader = request({
    socketPath: join(folder.data, 'operator'),
    path: '/admin',
    method: 'POST',
  })
  const cutOff = new Promise((resolve) => reader.on('error', () => undefined).on('close', resolve))
  reader.end(JSON.stringify({ action: 'organisation export', organisation }))
  await waitFor(() => expect(spooled()).toHaveLength(1))
  const log = await captureLog(async () => {
    const closed = database.close()
    await cutOff
    released.resolve()
    await Promise.all([holding, closed])
  })
  expect(log).toMatchObject([{ event: 'admin failed', message: 'The reader has gone.' }])
})

/** A disk of that size, unmounted and removed by the returned function. */
async function mountDisk(
  megabytes: number,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'cairn-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  return {
    path,
    async remove() {
      execFileSync('umount', ['--lazy', path])
      await rm(path, { recursive: true, force: true })
    },
  }
}

test('a damaged lock is named, with what to do', async () => {
  const lock = join(folder.data, 'lock.db')
  writeFileSync(lock, 'Something else is in here. '.repeat(200))
  const { code, output } = await run(folder.path).waitForExit()
  expect([code, output]).toEqual([
    1,
    `${lock}, which only keeps other servers away, is damaged. Delete it.\n`,
  ])
  rmSync(lock)
  await run(folder.path).ready()
})

test('a disk that is mounted read-only is reported in one line', async () => {
  const disk = await mountDisk(1)
  try {
    execFileSync('mount', ['-o', 'remount,ro,mode=700', disk.path])
    const server = new ServerProcess(folder.path, { DATA_DIR: disk.path })
    const { code, output } = await server.waitForExit()
    expect([code, output]).toEqual([
      1,
      `The data folder ${disk.path} is on a disk that is mounted read-only. Mount it writable.\n`,
    ])
  } finally {
    await disk.remove()
  }
})

test('a start on a disk without any room says that it is full', async () => {
  const disk = await mountDisk(1)
  try {
    chmodSync(disk.path, 0o700)
    // Of an earlier start.
    writeFileSync(join(disk.path, 'lock.db'), '', { mode: 0o600 })
    const { bavail, bsize } = statfsSync(disk.path)
    writeFileSync(join(disk.path, 'last-backup'), Buffer.alloc(bavail * bsize), { mode: 0o600 })
    const { code, output } = await run(folder.path, { DATA_DIR: disk.path }).waitForExit()
    expect([code, output]).toEqual([1, `The disk of ${disk.path} is full. Make room first.\n`])
  } finally {
    await disk.remove()
  }
})

test('a first start on a disk with room for the database alone ends in one line', async () => {
  const disk = await mountDisk(90)
  try {
    chmodSync(disk.path, 0o700)
    const env = { DATA_DIR: join(disk.path, 'data'), DEMO_DATA: '0' }
    const { code, output } = await run(folder.path, env).waitForExit()
    expect([code, output]).toEqual([
      1,
      'The database takes no writes, which a first start needs: less than 64 MB are free on its disk, or it is a replica. Make room first.\n',
    ])
  } finally {
    await disk.remove()
  }
})

longTest(
  'a full disk refuses writes with 503, still answers reads, and takes writes again when there is room',
  async () => {
    const disk = await mountDisk(220)
    try {
      await (await openDatabase(join(disk.path, 'data'))).close()
      mkdirSync(join(disk.path, 'dist'))
      writeFileSync(join(disk.path, 'dist/index.html'), '<!doctype html>')
      const server = await run(disk.path).ready()
      const headers = await server.register('mia@example.com')
      const filling = join(disk.path, 'filling')
      const add = () => server.call('POST', '/api/v1/accounts', { name: 'Customer' }, headers)
      expect((await add()).status).toBe(201)
      const { bavail, bsize } = statfsSync(disk.path)
      writeFileSync(filling, Buffer.alloc(bavail * bsize - 60 * MEGABYTE))
      const refused = await add()
      expect([refused.status, refused.json.message]).toEqual([
        503,
        'The server has no room left on its disk.',
      ])
      const made = run(disk.path, {}, [
        process.execPath,
        ADMIN,
        'user',
        'create',
        'ada@example.com',
      ])
      expect(await made.waitForExit()).toEqual({
        code: 1,
        output: 'The disk of the database is nearly full. Make room first.\n',
      })
      const grant = {
        ...CLIENT,
        grant_type: 'password',
        username: 'mia@example.com',
        password: PASSWORD,
      }
      const signedIn = await server.call('POST', '/oauth/token', grant)
      expect(signedIn.status).toBe(200)
      const { refresh_token } = signedIn.json
      const refresh = { ...CLIENT, grant_type: 'refresh_token', refresh_token }
      const refreshed = await server.call('POST', '/oauth/token', refresh)
      expect(refreshed.status).toBe(200)
      const read = await server.call('GET', '/api/v1/accounts', undefined, {
        ...headers,
        Authorization: `Bearer ${String(refreshed.json.access_token)}`,
      })
      expect([read.status, (read.json.data as unknown[]).length]).toEqual([200, 1])

      // Sessions end earlier than the room that the database itself needs.
      writeFileSync(join(disk.path, 'more'), Buffer.alloc(30 * MEGABYTE))
      expect((await server.call('POST', '/oauth/token', refresh)).status).toBe(503)
      expect((await server.call('GET', '/api/v1/accounts', undefined, headers)).status).toBe(200)

      // A backup that does not fit is one line, and freezes nothing.
      const rest = statfsSync(disk.path)
      writeFileSync(join(disk.path, 'rest'), Buffer.alloc(rest.bavail * rest.bsize))
      const file = join(disk.path, 'backup')
      const command = [process.execPath, COMMAND, 'backup', file]
      expect(await run(disk.path, {}, command).waitForExit()).toEqual({
        code: 1,
        output: expect.stringMatching(
          /^There is no room for a backup: it needs \d+ MB in \S+\/data, and 0 MB are free\.\n$/,
        ) as string,
      })
      expect(existsSync(file)).toBe(false)
      rmSync(join(disk.path, 'rest'))
      rmSync(join(disk.path, 'more'))
      rmSync(filling)
      await waitFor(async () => expect((await add()).status).toBe(201))
      await server.stop('SIGTERM')
      expect(server.process.exitCode).toBe(0)
    } finally {
      await disk.remove()
    }
  },
)

test('a nearly full disk is purged, as far as that leaves room for sessions', async () => {
  const disk = await mountDisk(220)
  const dataDir = join(disk.path, 'data')
  const database = await openDatabase(dataDir)
  try {
    const hit_at = new Date().toISOString()
    const rows = Array.from({ length: 3_000 }, () => ({
      id: uuidv7(),
      subject_hash: Buffer.alloc(32),
      hit_at,
    }))
    await database.system((tx) => tx.insertInto('rate_limit_hits').values(rows).execute())
    const fillUpTo = (name: string, megabytes: number) => {
      const { bavail, bsize } = statfsSync(disk.path)
      writeFileSync(join(disk.path, name), Buffer.alloc(bavail * bsize - megabytes * MEGABYTE))
    }
    const count = () =>
      database.auth(async (tx) => {
        const found = await tx.selectFrom('rate_limit_hits').select('id').execute()
        return found.length
      })
    const purge = () => purgeExpired(database, new Date(Date.now() + 2 * 86_400_000))
    fillUpTo('filling', 60)
    // Subscriptions end when there is room for that.
    await expect(purge()).rejects.toMatchObject({ code: '25006' })
    expect(await count()).toBe(0)
    fillUpTo('more', 46)
    await expect(purge()).rejects.toMatchObject({ code: '25006' })
    const { bavail, bsize } = statfsSync(disk.path)
    expect(bavail * bsize).toBeGreaterThan(40 * MEGABYTE)
  } finally {
    await database.close()
    await disk.remove()
  }
})

longTest('a backup and an export at a running server leave the database its room', async () => {
  const disk = await mountDisk(320)
  try {
    await (await openDatabase(join(disk.path, 'data'))).close()
    mkdirSync(join(disk.path, 'dist'))
    writeFileSync(join(disk.path, 'dist/index.html'), '<!doctype html>')
    const server = await run(disk.path).ready()
    const headers = await server.register('mia@example.com')
    const made = await server.call('POST', '/api/v1/accounts', { name: 'Customer' }, headers)
    const { id } = made.json.data as { id: string }
    // 40 MB as text, of which the database compresses nearly all.
    await asOwner(
      join(disk.path, 'data'),
      `create temporary table copied as select * from accounts where id = '${id}';
       update copied set notes = repeat('x', 100000);
       insert into accounts select (jsonb_populate_record(copied, jsonb_build_object('id', gen_random_uuid()))).*
         from copied, generate_series(1, 400)`,
    )
    const filling = join(disk.path, 'filling')
    const leave = (megabytes: number) => {
      rmSync(filling, { force: true })
      const { bavail, bsize } = statfsSync(disk.path)
      writeFileSync(filling, Buffer.alloc(bavail * bsize - megabytes * MEGABYTE))
    }
    const organisation = headers['X-organisation'] ?? ''
    const commands = (at: string) => [
      [COMMAND, 'backup', join(at, 'written')],
      [ADMIN, 'organisation', 'export', organisation, join(at, 'written')],
    ]
    // The first fits nowhere, the second beside the database but not twice.
    for (const [megabytes, at, place] of [
      [84, folder.path, '\\S+being-sent-\\w+'],
      [124, disk.path, `${disk.path}\\S*`],
    ] as const)
      for (const command of commands(at)) {
        leave(megabytes)
        const { code, output } = await run(disk.path, {}, [
          process.execPath,
          ...command,
        ]).waitForExit()
        expect([command[1], code, output]).toEqual([
          command[1],
          1,
          expect.stringMatching(
            new RegExp(`^There is no room for a backup: it needs 65 MB in ${place}, and \\d+ MB`),
          ),
        ])
        expect(existsSync(join(at, 'written'))).toBe(false)
      }
    const removed = await server.call('DELETE', `/api/v1/accounts/${id}`, undefined, headers)
    expect(removed.status).toBeLessThan(300)
  } finally {
    for (const child of children.splice(0)) await child.stop('SIGKILL')
    await disk.remove()
  }
})
