// A backup must restore: every row, while requests run.
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBackup, dump, restore } from '../../../server/ops/backup.ts'
import type { Tx } from '../../../server/database/connection.ts'
import type { Database } from '../../../server/database/database.ts'
import { seedWhenEmpty } from '../../../server/demo/seed.ts'
import { emptyDatabase } from '../fixtures/empty-database.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let folder: string
let world: ApiFixture
const open: Database[] = []
const empty = async () => {
  const database = await emptyDatabase()
  open.push(database)
  return database
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-backup-'))
  world = await ApiFixture.open()
  await seedWhenEmpty(world.database, world.now)
})
afterAll(async () => {
  for (const database of open) await database.close()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const backUp = async (file: string, from = world.database) => {
  await writeBackup(file, (write) => dump(from, write))
  return file
}

/** Every row of every table, except the versions, which a restore changes. */
const everything = (database: Database) =>
  database.snapshot(async (tx: Tx) => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
        and relname not in ('migrations', 'fsync_probe') order by 1`.execute(tx)
    const all: Record<string, unknown[]> = {}
    for (const { name } of rows) {
      const found = sql<{ row: Record<string, unknown> }>`
        select to_jsonb(entry) as row from ${sql.table(name)} as entry order by to_jsonb(entry)::text`
      all[name] = (await found.execute(tx)).rows.map(({ row }) =>
        'version' in row ? { ...row, version: 0, first_version: 0 } : row,
      )
    }
    return all
  })

test('a restore brings back every row and session of the backup', async () => {
  const mia = await world.createOwner('Mia')
  const description = 'Umlaute äöü, "quotes", \\ and\ttabs\nand lines, 日本'
  const plan = await mia.createPlan({ description })
  const headers = { 'Idempotency-Key': uuidv7() }
  const url = `/api/v1/success-plans/${plan}/updates`
  const first = await mia.post(url, { body: 'Posted once' }, headers)
  const file = await backUp(join(folder, 'whole'))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const before = await everything(world.database)
  const database = await empty()
  const count = await restore(database, file)
  const after = await everything(database)
  expect(after).toEqual(before)
  expect(count).toBe(Object.values(before).flat().length)
  const elsewhere = mia.atApp(world.appWith({ database }))
  // Sessions and stored idempotent answers survive.
  expect((await elsewhere.post(url, { body: 'Posted once' }, headers)).text).toBe(first.text)
})

const instant = '2026-11-23T08:00:00.000Z'

/** One row in each table that migration 007 renamed or whose columns it renamed. */
async function fillRenamedTables(user: ApiUser): Promise<void> {
  const { organisation: organisation_id, id: user_id } = user
  await world.database.system(async (tx) => {
    const job = { attempts: 1, next_attempt_at: instant, expires_at: instant }
    const ids = { organisation_id, user_id }
    const mail = { ...job, id: uuidv7(), ciphertext: Buffer.from([0, 255, 7]) }
    await tx.insertInto('mails').values(mail).execute()
    const push = { ...job, organisation_id, id: uuidv7(), update_id: uuidv7() }
    await tx.insertInto('pushes').values(push).execute()
    const reminder = { action_id: uuidv7(), kind: 'action_due', due_date: '2026-11-24' } as const
    await tx
      .insertInto('sent_reminders')
      .values({ ...ids, ...reminder, sent_at: instant })
      .execute()
    await tx
      .insertInto('digests')
      .values({ user_id, day: '2026-11-23', sent_at: instant })
      .execute()
    const customer = { customer_id: 'cus_1', request_seq: 7, entitled_until: instant }
    await tx
      .insertInto('stripe_customers')
      .values({ organisation_id, ...customer })
      .execute()
    await tx.insertInto('stripe_events').values({ id: 'evt_1', received_at: instant }).execute()
    const attempt = { account_hash: Buffer.from([1]), address: '192.0.2.1', attempted_at: instant }
    await tx
      .insertInto('sign_in_attempts')
      .values({ id: uuidv7(), ...attempt })
      .execute()
  })
}

/** The table and column names before migration 007. */
const OLD_NAMES: Record<string, { table?: string; columns: [now: string, before: string][] }> = {
  mails: {
    columns: [
      ['ciphertext', 'sealed'],
      ['next_attempt_at', 'due_at'],
      ['expires_at', 'gives_up_at'],
    ],
  },
  pushes: {
    columns: [
      ['next_attempt_at', 'due_at'],
      ['expires_at', 'gives_up_at'],
    ],
  },
  sent_reminders: { table: 'pushes_told', columns: [['sent_at', 'at']] },
  digests: { columns: [['sent_at', 'at']] },
  stripe_customers: {
    columns: [
      ['request_seq', 'turn'],
      ['entitled_until', 'holds_until'],
    ],
  },
  stripe_events: { columns: [['received_at', 'at']] },
  sign_in_attempts: { columns: [['attempted_at', 'at']] },
}

/** A backup as the version before migration 007 wrote it. */
function beforeRenames(backup: string): string {
  const renamed = new Set<string>()
  const lines = backup.split('\n').map((line) => {
    const [name = ''] = line.split('\t', 1)
    const old = OLD_NAMES[name]
    if (!old) return line.replace(',"007-column-names.sql"', '')
    renamed.add(name)
    const row = old.columns.reduce((text, [now, before]) => {
      expect(text).toContain(`"${now}":`)
      return text.replace(`"${now}":`, `"${before}":`)
    }, line.slice(name.length))
    return `${old.table ?? name}${row}`
  })
  expect([...renamed].toSorted()).toEqual(Object.keys(OLD_NAMES).toSorted())
  expect(lines[0]).not.toContain('007')
  return lines.join('\n')
}

test('a backup written before columns were renamed restores every row', async () => {
  await fillRenamedTables(await world.createOwner('Old'))
  const current = await readFile(await backUp(join(folder, 'current')), 'utf8')
  const file = join(folder, 'before-renames')
  // Those had no digest either.
  await writeFile(file, beforeRenames(current.slice(0, current.lastIndexOf('sha256 '))))
  const database = await empty()
  await restore(database, file)
  expect(await everything(database)).toEqual(await everything(world.database))
})

test('a backup from before former members were kept restores their names', async () => {
  const mia = await world.createOwner('Mia')
  const jonas = await world.addMember(await world.createUser('Jonas'), mia.organisation, 'member')
  await jonas.post('/api/v1/organisations', { name: 'Elsewhere' })
  const plan = await mia.createPlan()
  await jonas.post(`/api/v1/success-plans/${plan}/updates`, { body: 'Words' })
  await jonas.post('/api/v1/leave-organisation', { organisation_id: mia.organisation })
  const current = await readFile(await backUp(join(folder, 'with-former-members')), 'utf8')
  const lines = current.slice(0, current.lastIndexOf('end\t')).split('\n').slice(0, -1)
  const [header = '', ...rows] = lines.filter((line) => !line.startsWith('former_members\t'))
  expect(lines.length).toBeGreaterThan(rows.length + 1)
  const file = join(folder, 'before-former-members')
  const old = header.replace(',"021-former-members.sql"', '')
  await writeFile(file, [old, ...rows, `end\t${rows.length}\n`].join('\n'))
  const database = await empty()
  await restore(database, file)
  const former = await database.system((tx) =>
    tx
      .selectFrom('former_members')
      .select(['user_id', 'name'])
      .where('organisation_id', '=', mia.organisation)
      .execute(),
  )
  expect(former).toEqual([{ user_id: jonas.id, name: 'Jonas' }])
})

test('a device ahead of a restored backup downloads again', async () => {
  const mia = await world.createOwner('Ahead')
  await mia.createPlan()
  const file = await backUp(join(folder, 'behind'))
  await mia.createPlan({ title: 'After the backup' })
  const { version } = (await mia.get('/api/v1/changes?since=0')).json as { version: number }
  const database = await empty()
  await restore(database, file)
  const elsewhere = mia.atApp(world.appWith({ database }))
  await elsewhere.createPlan({ title: 'In its place' })
  expect((await elsewhere.get(`/api/v1/changes?since=${version}`)).status).toBe(410)
  const second = await elsewhere.get('/api/v1/changes?since=0')
  expect(second.text).toContain('In its place')
  expect(second.text).not.toContain('After the backup')
})

test('a device ahead of a first restore downloads again after a second one of the same backup', async () => {
  const mia = await world.createOwner('Twice')
  await mia.createPlan()
  const latest = async (user: ApiUser) =>
    ((await user.get('/api/v1/changes?since=0')).json as { version: number }).version
  const before = await latest(mia)
  const file = await backUp(join(folder, 'twice'))
  const restored = async (titles: readonly string[]) => {
    const database = await empty()
    await restore(database, file)
    const there = mia.atApp(world.appWith({ database }))
    for (const title of titles) await there.createPlan({ title })
    return there
  }
  const first = await restored(['First life'])
  const cursor = await latest(first)
  const second = await restored(['Second life', 'And more', 'And more'])
  expect((await second.get(`/api/v1/changes?since=${cursor}`)).status).toBe(410)
  // Versions are compared as numbers. They begin below 9e14, and stay exact over thousands of restores.
  const raised = (await latest(second)) - before
  expect(9e14 + 8_000 * raised).toBeLessThan(Number.MAX_SAFE_INTEGER)
})

test('a backup taken during writes is a consistent snapshot', async () => {
  const mia = await world.createOwner('Busy')
  const writing = async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      const plan = await mia.createPlan()
      await mia.post(`/api/v1/success-plans/${plan}/updates`, { body: 'Words' })
      await mia.call('DELETE', `/api/v1/success-plans/${plan}`)
    }
  }
  const [file] = await Promise.all([backUp(join(folder, 'busy')), writing()])
  // A backup without a consistent snapshot would violate foreign keys.
  expect(await restore(await empty(), file)).toBeGreaterThan(100)
})

test('restore rejects a target that is not empty', async () => {
  const file = await backUp(join(folder, 'again'))
  await expect(restore(world.database, file)).rejects.toThrow('the database is not empty')
})

test.each([
  ['it is incomplete', (text: string) => text.slice(0, text.lastIndexOf('end'))],
  ['it is incomplete', (text: string) => text.replace(/\nsuccess_plan_updates\t.*\n/, '\n')],
  ['its rows are inconsistent', (text: string) => text.replace(/\naccounts\t.*\n/, '\n')],
  [
    'it is damaged',
    (text: string) => text.replace(/(?<=\nsuccess_plans\t.*)in-progress/, 'paused'),
  ],
  ['it is not a Cairn backup', () => 'Something else\n'],
  ['it is not a Cairn backup', () => '{"cairn":1}\n'],
  ['it is damaged', (text: string) => text.replace(/\nusers\t.*/, '\nusers\tnull')],
  ['it is damaged', (text: string) => text.replace('\nusers\t{', '\nusers\t{{')],
  ['it was made by a newer server', (text: string) => text.replace('001-', '999-')],
  ['rows of unknown tables', (text: string) => text.replace('\naccounts\t', '\nunknown_rows\t')],
])('a damaged file leaves the database empty: %s', async (words, spoil) => {
  const file = join(folder, uuidv7())
  await writeFile(file, spoil(await readFile(await backUp(join(folder, 'spoilt')), 'utf8')))
  const database = await empty()
  await expect(restore(database, file)).rejects.toThrow(words)
  expect((await everything(database)).organisations).toEqual([])
})

test('a missing file is reported in one line', async () => {
  const file = join(folder, 'nowhere')
  await expect(restore(world.database, file)).rejects.toThrow(`${file} cannot be restored: ENOENT`)
  await expect(writeBackup(join(folder, 'none/file'), () => Promise.resolve())).rejects.toThrow(
    'ENOENT',
  )
})

test('a folder in place of the file is reported in one line, and no rows are left beside it', async () => {
  const place = join(folder, 'place')
  await mkdir(place)
  await expect(backUp(place)).rejects.toThrow(`The file ${place} cannot be written: EISDIR`)
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  await expect(restore(await empty(), place)).rejects.toThrow(`${place} cannot be restored: EISDIR`)
})
