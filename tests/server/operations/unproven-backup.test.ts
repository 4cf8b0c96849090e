// A backup that does not restore is noticed when it is made, and never replaces one that does.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { restore } from '../../../server/ops/backup.ts'
import { requireBackupFolder, startBackups } from '../../../server/ops/backups/schedule.ts'
import {
  lastProven,
  readBackupStatus,
  writeBackupStatus,
} from '../../../server/ops/backups/status.ts'
import { createProductMetrics } from '../../../server/ops/product-metrics.ts'
import { isRoot } from '../../browser/fixtures/find-program.ts'
import { emptyDatabase } from '../fixtures/empty-database.ts'
import { HOUR_MS, openBackedUpDatabase } from '../fixtures/backed-up-database.ts'

const NOBODY_UID = 65_534
const OPS = join(import.meta.dirname, '../../../server/ops')

let world: Awaited<ReturnType<typeof openBackedUpDatabase>>
beforeAll(async () => {
  world = await openBackedUpDatabase()
})
afterAll(() => world.close())

const namesIn = async () => (await readdir(world.configuration.dir)).toSorted()
const newestFile = async () => {
  const { writing } = await readBackupStatus(world.configuration.dir)
  return join(world.configuration.dir, writing ?? '')
}
const replaceInFile = async (from: string | RegExp, to: string) => {
  const file = await newestFile()
  const text = await readFile(file, 'utf8')
  expect(text).toMatch(from)
  await writeFile(file, text.replace(from, to))
}

test('the first backup is made at once, proven, and readable by the owner only', async () => {
  const status = await world.backUp()
  expect(status).toMatchObject({ last_failure: null, writing: null })
  expect(status?.backups).toMatchObject([
    { proven: true, reason: null, written_at: '2026-11-24T03:00:00.000Z' },
  ])
  const [backup] = status?.backups ?? []
  const file = join(world.configuration.dir, backup?.file ?? '')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(world.configuration.dir)).mode & 0o777).toBe(0o700)
  expect((await stat(file)).size).toBe(backup?.bytes)
  const database = await emptyDatabase()
  expect(await restore(database, file)).toBe(backup?.rows)
  await database.close()
})

test('no second one is made before it is due', async () => {
  expect(await world.backUp()).toBeUndefined()
  world.advance(24 * HOUR_MS - 1)
  expect(await world.backUp()).toBeUndefined()
})

test.each([
  ['a row with another value', /"title": "/, '"title": "X', 'it is damaged'],
  ['another value and no digest', /"title": "([^]*\n)sha256 .*\n$/, '"title": "X$1', 'differ'],
  ['a row that is not there', /\nsuccess_plan_updates\t.*\n/, '\n', 'it is incomplete'],
  ['a cut-off end', /\nend\t\d+\n.*\n$/, '\n', 'it is incomplete'],
])('%s is not proven, says why, and replaces no proven one', async (_, from, to, reason) => {
  world.advance(24 * HOUR_MS)
  const before = await readBackupStatus(world.configuration.dir)
  const status = await world.backUp({ beforeProof: () => replaceInFile(from, to) })
  const backup = status?.backups.at(-1)
  expect(backup).toMatchObject({ proven: false })
  expect(backup?.reason).toContain(reason)
  expect(status?.last_failure).toBe(`${backup?.file} is not proven: ${backup?.reason}`)
  expect(lastProven(status ?? before)).toBe('2026-11-24T03:00:00.000Z')
  expect(status?.backups).toEqual([...before.backups, backup])
  expect(await namesIn()).toEqual(
    [...(status?.backups ?? []).map(({ file }) => file), 'backups.json'].toSorted(),
  )
})

test('after a failure the next attempt is an hour later', async () => {
  world.advance(HOUR_MS - 1)
  expect(await world.backUp()).toBeUndefined()
  world.advance(1)
  expect((await world.backUp())?.backups.at(-1)).toMatchObject({ proven: true })
})

test('only the newest proven backups are kept, and nothing of others is deleted', async () => {
  const foreign = 'cairn-20200101-000000-00000000.backup'
  await writeFile(join(world.configuration.dir, foreign), 'not ours')
  for (let turn = 0; turn < 3; turn += 1) {
    world.advance(24 * HOUR_MS)
    await world.backUp()
  }
  const { backups } = await readBackupStatus(world.configuration.dir)
  expect(backups.map(({ proven }) => proven)).toEqual([true, true])
  expect(await namesIn()).toEqual(
    [...backups.map(({ file }) => file), foreign, 'backups.json'].toSorted(),
  )
})

test('what a killed process left is deleted or listed as not proven', async () => {
  const { dir } = world.configuration
  const status = await readBackupStatus(dir)
  const writing = 'cairn-20261201-000000-0000abcd.backup'
  await writeFile(join(dir, `${writing}.part`), 'half')
  await writeFile(join(dir, writing), 'whole')
  await writeFile(join(dir, 'backups.json'), JSON.stringify({ ...status, writing }))
  world.advance(24 * HOUR_MS)
  const after = await world.backUp({
    beforeProof: () => replaceInFile(/"title": "/, '"title": "X'),
  })
  expect(after?.backups.map(({ file }) => file)).toContain(writing)
  expect(await namesIn()).not.toContain(`${writing}.part`)
})

test('a backup without room for its proof is not proven, and says how much it needs', async () => {
  world.advance(24 * HOUR_MS)
  const status = await world.backUp({ freeBytes: 64 * 2 ** 20 })
  expect(status?.backups.at(-1)).toMatchObject({ proven: false })
  expect(status?.last_failure).toMatch(
    /is not proven: there is no room for the proof: it needs \d\d MB on the disk of the database, and 64 MB are free\.$/,
  )
  // The next one is proven again.
  world.advance(24 * HOUR_MS)
  expect((await world.backUp())?.last_failure).toBeNull()
})

test('no backup is begun without room for one as large as the last', async () => {
  const { dir } = world.configuration
  const status = await readBackupStatus(dir)
  const [last] = status.backups
  const large = { ...status, backups: last ? [{ ...last, bytes: 2 ** 50 }] : [] }
  await writeFile(join(dir, 'backups.json'), JSON.stringify(large))
  const before = await namesIn()
  world.advance(24 * HOUR_MS)
  expect((await world.backUp())?.last_failure).toMatch(
    /^There is no room for a backup: it needs 1073741888 MB in \S+, and \d+ MB are free\.$/,
  )
  expect(await namesIn()).toEqual(before)
  await writeFile(join(dir, 'backups.json'), JSON.stringify(status))
})

test('a backup ends before it takes the room that the database needs', async () => {
  world.advance(24 * HOUR_MS)
  const before = await namesIn()
  const statfs = vi.spyOn(fs, 'statfsSync')
  try {
    const status = await world.backUp({
      beforeRows() {
        statfs.mockReturnValue({ bavail: 63, bsize: 2 ** 20 } as fs.StatsFs)
        syncBuiltinESMExports()
      },
    })
    expect(status?.last_failure).toMatch(
      /^There is no room for a backup: it needs 65 MB in \S+, and 63 MB are free\.$/,
    )
  } finally {
    statfs.mockRestore()
    syncBuiltinESMExports()
  }
  expect(await namesIn()).toEqual(before)
  world.advance(24 * HOUR_MS)
  expect((await world.backUp())?.last_failure).toBeNull()
})

test('nothing is restored where the backup has no room', async () => {
  const { backups } = await readBackupStatus(world.configuration.dir)
  const file = join(world.configuration.dir, backups.at(-1)?.file ?? '')
  const database = { ...(await emptyDatabase()), freeBytes: () => 64 * 2 ** 20 }
  await expect(restore(database, file)).rejects.toThrow(
    /cannot be restored: it needs \d\d MB on the disk of the database, and 64 MB are free\.$/,
  )
  await database.close()
})

test('a restore ends before it takes the room that the database needs, and leaves nothing', async () => {
  const { backups } = await readBackupStatus(world.configuration.dir)
  const file = join(world.configuration.dir, backups.at(-1)?.file ?? '')
  const database = await emptyDatabase()
  let looks = 0
  const freeBytes = () => ((looks += 1) < 5 ? Infinity : 63 * 2 ** 20)
  await expect(restore({ ...database, freeBytes }, file)).rejects.toThrow(
    'cannot be restored: the database’s disk has no room. Make room, then try again.',
  )
  expect(await restore(database, file)).toBe(backups.at(-1)?.rows)
  await database.close()
})

test('a restore ends before new versions of its records take the room that the database needs', async () => {
  const { backups } = await readBackupStatus(world.configuration.dir)
  const file = join(world.configuration.dir, backups.at(-1)?.file ?? '')
  const database = await emptyDatabase()
  // Enough for the file, and less than the tables.
  const freeBytes = () => 65 * 2 ** 20
  await expect(restore({ ...database, freeBytes }, file)).rejects.toThrow(
    /^There is no room for new versions of all records: that needs \d+ MB on the disk of the database, and 65 MB are free\.$/,
  )
  expect(await restore(database, file)).toBe(backups.at(-1)?.rows)
  await database.close()
})

test('an encrypted backup is proven, and restores with its passphrase only', async () => {
  world.advance(24 * HOUR_MS)
  const status = await world.backUp({ passphrase: 'correct horse' })
  expect(status?.backups.at(-1)).toMatchObject({ proven: true })
  const file = join(world.configuration.dir, status?.backups.at(-1)?.file ?? '')
  expect((await readFile(file)).includes('success_plans')).toBe(false)
  const database = await emptyDatabase()
  const restoreWith = (passphrase: string | undefined) =>
    restore(database, file, { passphrase: async () => passphrase })
  await expect(restoreWith(undefined)).rejects.toThrow('it is encrypted; set BACKUP_PASSPHRASE')
  await expect(restoreWith('correct house')).rejects.toThrow(
    'the passphrase is not the one that it was encrypted with',
  )
  expect(await restoreWith('correct horse')).toBe(status?.backups.at(-1)?.rows)
  await database.close()
})

test('each backup begins when it is due, however often that is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-schedule-'))
  const configuration = { ...world.configuration, everyMs: 1_500, dir: folder }
  const backups = startBackups(configuration, {
    database: world.database,
    dataDir: folder,
    now: () => new Date(),
  })
  const attempts = new Set<string | null>()
  try {
    await expect
      .poll(async () => attempts.add((await readBackupStatus(folder)).last_attempt_at).size)
      .toBeGreaterThan(3)
  } finally {
    await backups.stop()
    await rm(folder, { recursive: true })
  }
})

test('a stop during the proof breaks it off and is no failed backup', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-stopped-'))
  const configuration = { ...world.configuration, dir: folder }
  const { database } = world
  const proving = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  const backups = startBackups(configuration, {
    database: {
      ...database,
      async openThrowAway() {
        const throwAway = await database.openThrowAway()
        return (
          throwAway && {
            ...throwAway,
            async use(work) {
              proving.resolve()
              await going.promise
              return throwAway.use(work)
            },
          }
        )
      },
    },
    dataDir: folder,
    now: () => new Date(),
  })
  await proving.promise
  const stopped = backups.stop()
  going.resolve()
  await stopped
  const status = await readBackupStatus(folder)
  expect(status).toMatchObject({ backups: [], last_failure: null })
  expect(await readdir(folder)).toContain(status.writing)
  await rm(folder, { recursive: true })
})

test.each([
  ['written', '.part', 'the server ended before it was written.'],
  ['proven', '', 'the server ended before it was proven.'],
])('an attempt after one that was killed before it was %s records that', async (_, end, reason) => {
  const { dir } = world.configuration
  const writing = `cairn-20261201-000000-0000${end ? 'aaaa' : 'bbbb'}.backup`
  await writeFile(join(dir, `${writing}${end}`), 'half')
  const before = await readBackupStatus(dir)
  await writeBackupStatus(dir, { ...before, last_failure: null, writing })
  world.advance(24 * HOUR_MS)
  let during: string | null | undefined
  const status = await world.backUp({
    beforeProof: async () => void (during = (await readBackupStatus(dir)).last_failure),
  })
  expect(during).toBe(end ? reason : `${writing} is not proven: ${reason}`)
  expect(status?.last_failure).toBeNull()
})

test('a backup that cannot be begun is tried again after an hour, and metrics show it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-not-begun-'))
  const configuration = { ...world.configuration, dir: folder }
  let attempts = 0
  let isWrong = true
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const hourly = () => timers.mock.calls.filter(([, ms]) => ms === HOUR_MS)
  const running = startBackups(configuration, {
    database: {
      ...world.database,
      openThrowAway() {
        attempts += 1
        return isWrong ? Promise.reject(new Error('no password')) : Promise.resolve(undefined)
      },
    },
    dataDir: folder,
    now: () => new Date(),
  })
  const registry = new Registry()
  const metrics = createProductMetrics(registry, {
    database: world.database,
    now: () => new Date(),
    folders: {},
    backups: { dir: folder, haveFailedToBegin: () => running.hasFailedToBegin() },
    openStreams: () => 0,
    appVersions: () => new Map(),
  })
  const gauge = async () => {
    await metrics.refresh()
    return (await registry.getSingleMetric('cairn_backup_last_attempt_failed')?.get())?.values
  }
  try {
    await expect.poll(hourly).toHaveLength(1)
    expect(attempts).toBe(1)
    expect(await gauge()).toMatchObject([{ value: 1 }])
    isWrong = false
    hourly()[0]?.[0]()
    await expect.poll(() => running.hasFailedToBegin()).toBe(false)
    expect(attempts).toBe(2)
    expect(await gauge()).toMatchObject([{ value: 0 }])
  } finally {
    timers.mockRestore()
    await running.stop()
    await rm(folder, { recursive: true })
  }
})

test('a proven backup after which nothing can be tidied up is no failed one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-untidy-'))
  const configuration = { ...world.configuration, keep: 1, dir: folder }
  const { backups } = await readBackupStatus(world.configuration.dir)
  const written_at = '2026-11-24T03:00:00.000Z'
  const old = backups.slice(0, 1).map((backup) => ({ ...backup, written_at, proven: true }))
  const before = { backups: old, writing: null, last_attempt_at: written_at, last_failure: null }
  await writeBackupStatus(folder, before)
  // Nothing but a folder cannot be deleted by root as a file.
  await mkdir(join(folder, old[0]?.file ?? ''))
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const running = startBackups(configuration, {
    database: {
      ...world.database,
      async openThrowAway() {
        const throwAway = await world.database.openThrowAway()
        return (
          throwAway && {
            ...throwAway,
            async close() {
              await throwAway.close()
              throw new Error('The connection is gone.')
            },
          }
        )
      },
    },
    dataDir: folder,
    now: () => new Date('2026-11-28T03:00:00.000Z'),
  })
  try {
    await expect.poll(() => errors.mock.calls.join()).toContain('The connection is gone.')
    await running.stop()
    const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)) as { event: string })
    expect(lines.map(({ event }) => event)).toEqual([
      'old backups not deleted',
      'proof of a backup not closed',
    ])
    expect(running.hasFailedToBegin()).toBe(false)
    const status = await readBackupStatus(folder)
    expect(status).toMatchObject({ backups: [...old, { proven: true }], last_failure: null })
  } finally {
    await running.stop()
    errors.mockRestore()
    await rm(folder, { recursive: true })
  }
})

test('a folder for backups that cannot be written ends the start, and the doctor says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-not-writable-'))
  await chmod(folder, 0o555)
  const script = `
    import { requireBackupFolder } from '${OPS}/backups/schedule.ts'
    import { examine } from '${OPS}/admin/doctor.ts'
    const env = { DATA_DIR: '/nowhere', BACKUP_EVERY: '1d', BACKUP_DIR: '${folder}' }
    const status = async () => ({ message: '', details: {} })
    const { rows } = await examine(env, status)
    console.log(rows.find(({ check }) => check === 'disk of backups').finding)
    requireBackupFolder('${folder}')`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    // No rights keep root from writing.
    { cwd: '/', encoding: 'utf8', ...(isRoot && { uid: NOBODY_UID, gid: NOBODY_UID }) },
  )
  await rm(folder, { recursive: true })
  expect(stdout).toBe(`${folder} cannot be written. Check BACKUP_DIR and its rights.\n`)
  expect(stderr).toContain(
    `StartError: The folder ${folder} for backups cannot be created or written. Set BACKUP_DIR to one that can.`,
  )
})

test('a folder for backups that is a link to nothing ends the start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-link-'))
  const link = join(folder, 'link')
  await symlink(join(folder, 'missing'), link)
  for (const dir of [link, join(link, 'backups')])
    expect(() => requireBackupFolder(dir)).toThrow(
      `The folder ${dir} for backups cannot be created or written. Set BACKUP_DIR to one that can.`,
    )
  requireBackupFolder(join(folder, 'new/backups'))
  await rm(folder, { recursive: true })
})
