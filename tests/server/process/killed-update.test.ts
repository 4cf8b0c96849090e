// An update is killed half way, and leaves a database that neither version understands; or it cannot be undone.
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { clusterFolder } from '../../../server/database/cluster/folders.ts'
import { killProcesses } from '../../../server/database/cluster/processes.ts'
import { migrationNames, schemaVersion } from '../../../server/database/migrate.ts'
import { requireBackup } from '../../../server/ops/backups/read-backup.ts'
import { copyFolder } from '../../browser/fixtures/copy-folder.ts'
import { previousData, unpackPreviousData } from '../../fixtures/previous-build.ts'
import { ServerProcess, asOwner } from '../fixtures/server-process.ts'
import { longTest } from '../../long-test.ts'
import { sampleOf } from '../../sample.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const START = join(import.meta.dirname, '../../../server/start.ts')
const KILLING = join(import.meta.dirname, '../fixtures/killed-at-file.ts')
const CLOCK = join(import.meta.dirname, '../fixtures/shifted-clock.ts')
const RESTORE = join(import.meta.dirname, '../../../server/ops/backup-command.ts')
const { made_at, people, password, organisations, answers } = previousData['0.1.0']
const ADMIN = join(import.meta.dirname, '../../../server/ops/admin-command.ts')
/** The last migration that the previous build knows. */
const PREVIOUS = '006-push.sql'
const { json: listed } = answers.find(({ path }) => path === '/api/v1/success-plans') ?? {}
const titles = (listed as { data: { title: string }[] }).data.map(({ title }) => title)
const UPDATED = `The database is updated from 006-push to ${schemaVersion()}.`

let folder: string
let server: ServerProcess
const data = () => join(folder, 'data')
const backup = () => join(data(), `before-${schemaVersion()}.backup`)
const spawned = (parameters: string[], env: Record<string, string> = {}) => {
  const CLOCK_OFFSET_MS = String(Date.parse(made_at) - Date.now())
  const command = [process.execPath, '--import', CLOCK, ...parameters]
  server = new ServerProcess(folder, { CLOCK_OFFSET_MS, ...env }, command)
  return server
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-update-'))
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html>')
  await unpackPreviousData('0.1.0', join(folder, 'template'))
})
beforeEach(async () => {
  // The database of a killed server writes files until it ends by itself.
  if (existsSync(clusterFolder(data()))) await killProcesses(clusterFolder(data()))
  await rm(data(), { recursive: true, force: true })
  await copyFolder(join(folder, 'template'), data())
})
afterEach(() => server.stop('SIGKILL'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Titles of the plans of the first organisation. */
async function readPlans() {
  const headers = await server.signIn(people.owner, password)
  const there = { ...headers, 'X-organisation': organisations.first }
  const { json } = await server.call('GET', '/api/v1/success-plans', undefined, there)
  return (json.data as { title: string }[]).map(({ title }) => title)
}

/** While the backup is empty, and when it is complete and has not its name yet. */
const WRITING = ['write', 'rename'].map((step) => `${step} before-${schemaVersion()}.backup.part`)
const pendingAfter = (name: string) => migrationNames().filter((other) => other > name)
const readingEach = (names: string[]) => names.map((name) => `read ${name}`)

/** Kills an update at each of the steps, which killed-at-file.ts names. */
async function killAtEach(steps: string[]) {
  for (const KILL_AT of steps) {
    const updating = spawned(['--import', KILLING, START], { KILL_AT })
    // One that is past that step.
    void updating.ready().then(
      () => updating.stop('SIGTERM'),
      () => undefined,
    )
    const { output } = await updating.waitForExit()
    expect([KILL_AT, updating.process.signalCode]).toEqual([KILL_AT, 'SIGKILL'])
    const isWritten = !WRITING.includes(KILL_AT)
    expect([KILL_AT, output.includes('The database is updated from')]).toEqual([KILL_AT, isWritten])
    expect([KILL_AT, existsSync(`${backup()}.part`)]).toEqual([KILL_AT, !isWritten])
    if (isWritten) await requireBackup(backup(), undefined)
  }
}

/** Each kill takes a start, which takes seconds. */
const MANY_STARTS = { timeout: 900_000 }

test(
  'an update that is killed at any step did not happen, and the next start makes it whole',
  MANY_STARTS,
  async () => {
    const pending = pendingAfter(PREVIOUS)
    expect(pending.length).toBeGreaterThan(4)
    await killAtEach([
      ...sampleOf(WRITING, 1, 'kills while the backup is written'),
      ...readingEach(sampleOf(pending, 2, 'kills at a migration')),
    ])
    await spawned([START]).ready()
    expect(server.output).toContain(UPDATED)
    expect(await readPlans()).toEqual(expect.arrayContaining(titles))
    expect((await server.call('GET', '/healthz')).json).toMatchObject({ schema: schemaVersion() })
    expect(existsSync(`${backup()}.part`)).toBe(false)
    await server.stop('SIGTERM')
    await spawned([START]).ready()
    expect(server.output).not.toContain('updated')
  },
)

/** The last migration that is left when the later ones are taken from a database. */
const LEFT = '018-renewals.sql'
const OUTDATE = `
  drop table former_members, saved_views, unpublished_users;
  alter table push_subscriptions drop column family_id;
  alter table stripe_customers drop column checkout_at, drop column stored_seq;
  alter table mails drop column sent_by;
  drop index pushes_subscription;
  delete from migrations where name > '${LEFT}' and name like '%.sql'`

longTest(
  'an update of the data folder of PostgreSQL that is killed at any step did not happen either',
  async () => {
    await rm(data(), { recursive: true })
    await spawned([START]).ready()
    const headers = await server.register('mia@example.com')
    const readAccounts = async () =>
      (await server.call('GET', '/api/v1/accounts', undefined, headers)).json
    const made = await server.call('POST', '/api/v1/accounts', { name: 'Customer' }, headers)
    expect(made.status).toBe(201)
    const accounts = await readAccounts()
    await asOwner(data(), OUTDATE)
    await server.stop('SIGTERM')
    const pending = pendingAfter(LEFT)
    expect(pending).toHaveLength(5)
    await killAtEach([...WRITING, ...readingEach(pending)])
    await spawned([START]).ready()
    expect(server.output).toContain(`from 018-renewals to ${schemaVersion()}. Backup of before:`)
    expect(await readAccounts()).toEqual(accounts)
    await server.stop('SIGTERM')
    await spawned([START]).ready()
    expect(server.output).not.toContain('updated')
  },
  MANY_STARTS,
)

longTest(
  'the backup from before the update is one that the previous version restores',
  async () => {
    await spawned([START]).ready()
    const found = await readPlans()
    await server.stop('SIGTERM')
    expect(statSync(backup()).mode & 0o777).toBe(0o600)
    const [header = ''] = readFileSync(backup(), 'utf8').split('\n', 1)
    expect(JSON.parse(header)).toMatchObject({
      migrations: migrationNames().filter((name) => name <= PREVIOUS),
    })
    // As docs/deploy.md says.
    const old = join(folder, 'old')
    await rename(data(), old)
    await mkdir(data())
    await cp(join(old, 'token-key'), join(data(), 'token-key'))
    const file = join(old, `before-${schemaVersion()}.backup`)
    const restored = await spawned([RESTORE, 'restore', file]).waitForExit()
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringMatching(/\d+ rows restored/) as string,
    })
    await spawned([START]).ready()
    expect(await readPlans()).toEqual(found)
  },
)

longTest(
  'a backup by the new version and its doctor leave the database to the previous version',
  async () => {
    const file = join(folder, 'by-new.backup')
    const made = await spawned([RESTORE, 'backup', file]).waitForExit()
    expect(made).toMatchObject({ code: 0 })
    expect(made.output).toContain(`Backup written to ${file}.\n`)
    expect(made.output).not.toContain('The database is updated')
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n', 1)[0] ?? '')).toMatchObject({
      migrations: migrationNames().filter((name) => name <= PREVIOUS),
    })
    for (const _ of ['first', 'second']) {
      const { output } = await spawned([ADMIN, 'doctor']).waitForExit()
      expect(output).toMatch(
        /^database +warning +It answers, with the schema 006-push of an earlier version\. The next start updates it\.$/m,
      )
      expect(output).toMatch(/^superadmin /m)
    }
    expect(existsSync(backup())).toBe(false)
  },
)

longTest('the backup from before the update is encrypted like the others', async () => {
  await spawned([START], { BACKUP_PASSPHRASE: 'correct horse' }).ready()
  const text = readFileSync(backup(), 'latin1')
  expect(text).not.toContain('migrations')
  await requireBackup(backup(), () => Promise.resolve('correct horse'))
})

longTest('where the disk is full, the refusal to update says to make room', async () => {
  await symlink('/dev/full', `${backup()}.part`)
  const { output } = await spawned([START]).waitForExit()
  expect(output).toMatch(
    /The file .* cannot be written: ENOSPC.* Nothing was updated: make room, or start the previous version\.\n$/m,
  )
})

test('nothing is updated where the backup cannot be written', async () => {
  // A folder in the place of the file that is being written.
  await mkdir(`${backup()}.part`)
  const refused = await spawned([START]).waitForExit()
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(
    /The file .* cannot be written: .* Nothing was updated: remove the cause, or start the previous version\.\n$/m,
  )
  await rm(`${backup()}.part`, { recursive: true })
  await spawned([START]).ready()
  expect(server.output).toContain(UPDATED)
})

longTest('nothing is updated where the configuration keeps the server from starting', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const refusals: [Record<string, string>, string][] = [
    [{ PORT: String(port) }, `Port ${port} is in use.`],
    [{ HOST: '203.0.113.1' }, 'HOST 203.0.113.1 with PORT 0 cannot be used'],
    [{ BACKUP_EVERY: '12h', BACKUP_DIR: '/proc/cairn' }, 'The folder /proc/cairn for backups'],
  ]
  for (const [env, line] of refusals) {
    const refused = await spawned([START], env).waitForExit()
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(line) as string })
    expect(refused.output).not.toContain('The database is updated')
  }
  other.close()
  const key = join(data(), 'token-key')
  const saved = readFileSync(key)
  await writeFile(key, 'damaged')
  const refused = await spawned([START]).waitForExit()
  expect(refused.output).toMatch(/^The key in \S+ is damaged\..*\n$/)
  await writeFile(key, saved)
  await spawned([START]).ready()
  expect(server.output).toContain(UPDATED)
})
