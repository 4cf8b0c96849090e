// After a restore, an organisation of more than one page of changes could not be read any more.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { versionsOf } from '../../../server/database/change-bus.ts'
import type { Database } from '../../../server/database/database.ts'
import { perform } from '../../../server/ops/admin/perform.ts'
import { dump, restore, writeBackup } from '../../../server/ops/backup.ts'
import { readEvent } from '../../../server/routes/changes.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { emptyDatabase } from '../fixtures/empty-database.ts'
import { waitFor } from '../../wait-for.ts'

/** More than two pages. */
const ACCOUNTS = 2_500

let folder: string
let world: ApiFixture
const open: Database[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-restored-'))
  world = await ApiFixture.open()
})
afterAll(async () => {
  for (const database of open) await database.close()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

/** Backs a database up, and restores it to another one after `meanwhile`; returns the user there. */
async function restored(
  user: ApiUser,
  meanwhile = async (): Promise<unknown> => undefined,
  from = world.database,
): Promise<{ there: ApiUser; database: Database }> {
  const file = join(folder, 'backup')
  await writeBackup(file, (write) => dump(from, write))
  await meanwhile()
  const database = await emptyDatabase()
  open.push(database)
  await restore(database, file)
  return { there: user.atApp(world.appWith({ database })), database }
}

interface Page {
  data: { accounts: { id: string; name: string; version: number }[]; deleted: { id: string }[] }
  version: number
  more: boolean
  latest: number
}

async function readPages(user: ApiUser): Promise<Page[]> {
  const pages: Page[] = []
  for (let since = 0; ;) {
    const { status, json } = await user.get(`/api/v1/changes?since=${since}`)
    expect(status).toBe(200)
    const page = json as unknown as Page
    pages.push(page)
    if (!page.more) return pages
    since = page.version
  }
}

/** Their names in the order of their versions, and what was deleted. */
async function contentOf(user: ApiUser) {
  const pages = await readPages(user)
  const accounts = pages.flatMap(({ data }) => data.accounts)
  return {
    pages: pages.length,
    names: accounts.toSorted((a, b) => a.version - b.version).map(({ name }) => name),
    deleted: pages.flatMap(({ data }) => data.deleted.map(({ id }) => id)),
  }
}

async function ownerOfMany(): Promise<ApiUser> {
  const mia = await world.createOwner('Mia')
  const gone = await mia.createPlan()
  await mia.call('DELETE', `/api/v1/success-plans/${gone}`)
  await world.database.system((tx) =>
    sql`with counted as (
        update organisations set version = version + ${sql.lit(ACCOUNTS)}
        where id = ${mia.organisation} returning version - ${sql.lit(ACCOUNTS)} as before
      )
      insert into accounts
        (organisation_id, id, name, status, currency, version, created_by, created_at, updated_at)
      select ${mia.organisation}, gen_random_uuid(), 'Account ' || place, 'active', 'EUR',
        counted.before + place, ${mia.id}, now(), now()
      from counted, generate_series(1, ${sql.lit(ACCOUNTS)}) as place`.execute(tx),
  )
  return mia
}

test('an organisation of several pages is read in full after a restore, and after one of the restored database', async () => {
  const mia = await ownerOfMany()
  const before = await contentOf(mia)
  expect(before.pages).toBeGreaterThan(2)
  expect(before.names).toHaveLength(ACCOUNTS)
  expect(before.deleted).toHaveLength(1)
  const once = await restored(mia)
  expect(await contentOf(once.there)).toEqual(before)
  const twice = await restored(mia, undefined, once.database)
  expect(await contentOf(twice.there)).toEqual(before)
})

test('an organisation that an earlier version restored is read in full after a restore', async () => {
  const mia = await ownerOfMany()
  const before = await contentOf(mia)
  await world.database.system((tx) =>
    sql`update organisations set version = version + 5e11, first_version = version + 5e11
      where id = ${mia.organisation}`.execute(tx),
  )
  expect((await mia.get('/api/v1/changes?since=1000')).status).toBe(410)
  const { there } = await restored(mia)
  expect(await contentOf(there)).toEqual(before)
})

test('after “versions raise” devices are notified, do not go on from before, and read all pages', async () => {
  const mia = await ownerOfMany()
  const before = await contentOf(mia)
  const { version } = (await readPages(mia)).at(-1) ?? { version: 0 }
  const notified = vi.fn()
  onTestFinished(world.database.changes.subscribe(versionsOf(mia.organisation), notified))
  const context = { database: world.database, now: () => world.now, publicUrl: () => '' }
  expect(await perform(context, { action: 'versions raise' })).toMatchObject({
    message: expect.stringMatching(/^The versions of \d+ organisations? were raised\. /) as string,
  })
  await waitFor(() => expect(notified).toHaveBeenCalled())
  expect((await mia.get(`/api/v1/changes?since=${version}`)).status).toBe(410)
  expect(await contentOf(mia)).toEqual(before)
})

test('an event across “versions raise” has no records: a device that took them would not begin again', async () => {
  const mia = await world.createOwner('Mia')
  await mia.createPlan()
  const latest = async () => (await readPages(mia)).at(-1)?.version ?? 0
  const since = await latest()
  const context = { database: world.database, now: () => world.now, publicUrl: () => '' }
  await perform(context, { action: 'versions raise' })
  const until = await latest()
  const eventAfter = (version: number) =>
    world.database.tenantSnapshot(mia.organisation, (tx) =>
      readEvent(tx, mia.organisation, { since: version, until }),
    )
  expect(await eventAfter(since)).toEqual({ version: until })
  expect(await eventAfter(until - 1)).toHaveProperty('changes')
})

test('a version from before a restore is stale, and one from after it is compared by field', async () => {
  const mia = await world.createOwner('Mia')
  const plan = await mia.createPlan()
  const url = `/api/v1/success-plans/${plan}`
  const read = async (user: ApiUser) => (await user.get(url)).data<{ version: number }>().version
  const edit = (user: ApiUser, version: number, body: object) =>
    user.call('PATCH', url, { body, headers: { 'If-Match': `"${version}"` } })
  let lost = 0
  const { there } = await restored(mia, async () => {
    await mia.call('PATCH', url, { body: { title: 'Lost' } })
    lost = await read(mia)
  })
  const stale = await edit(there, lost, { title: 'Based on what was lost' })
  expect(stale.status).toBe(412)
  expect(stale.json).not.toHaveProperty('changed_by')
  const seen = await read(there)
  expect((await edit(there, seen, { title: 'Based on what is there' })).status).toBe(200)
  const compared = await edit(there, seen, { description: 'Behind' })
  expect(compared.status).toBe(412)
  expect(compared.json).toMatchObject({ changed_by: { title: mia.id } })
})
