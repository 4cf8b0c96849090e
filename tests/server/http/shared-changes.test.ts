// Pages of changes that are shared by devices: stale after a write, of another organisation, or kept after a failure.
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerPage, SharedPages } from '../../../server/http/sync/shared-pages.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const PATH = '/api/v1/changes?since=0'
const plansIn = ({ success_plans = [] }: { success_plans?: { id: string }[] }) =>
  success_plans.map(({ id }) => id)

test('devices that ask for the same page at the same time read it once', async () => {
  const { database } = world
  let transactions = 0
  const app = world.appWith({
    database: {
      ...database,
      tenant: (...all) => {
        transactions += 1
        return database.tenant(...all)
      },
      tenantSnapshot: (...all) => {
        transactions += 1
        return database.tenantSnapshot(...all)
      },
    },
  })
  const device = mia.atApp(app)
  await mia.createPlan()
  const pages = await Promise.all(Array.from({ length: 10 }, () => device.get(PATH)))
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
  // Each looks up the membership.
  expect(transactions).toBe(11)
})

test('a write is in the next page', async () => {
  await mia.get(PATH)
  const id = await mia.createPlan()
  const { json } = await mia.get(PATH)
  expect(plansIn(json.data as object)).toContain(id)
})

test('organisations never share a page, also at the same version', async () => {
  const other = await world.createOwner('Otto')
  await world.database.system(async (tx) => {
    const { version } = await tx
      .selectFrom('organisations')
      .select('version')
      .where('id', '=', mia.organisation)
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('organisations')
      .set({ version })
      .where('id', '=', other.organisation)
      .execute()
  })
  expect(plansIn((await mia.get(PATH)).json.data as object).length).toBeGreaterThan(0)
  expect(plansIn((await other.get(PATH)).json.data as object)).toEqual([])
})

test('a former member gets no page that is kept', async () => {
  const max = await world.addMember(await world.createUser('Max'), mia.organisation, 'member')
  expect((await max.get(PATH)).status).toBe(200)
  const { organisation: organisation_id } = mia
  expect((await max.post('/api/v1/leave-organisation', { organisation_id })).status).toBe(204)
  expect((await max.get(PATH)).status).toBe(403)
})

test('a page that could not be read is read again', async () => {
  const { database } = world
  let isAway = false
  const app = world.appWith({
    database: {
      ...database,
      tenantSnapshot: (...all) =>
        isAway
          ? Promise.reject(new Error('The database is away.'))
          : database.tenantSnapshot(...all),
    },
  })
  isAway = true
  expect((await mia.atApp(app).get(PATH)).status).toBe(500)
  isAway = false
  expect((await mia.atApp(app).get(PATH)).status).toBe(200)
})

test('a page is compressed only for those who understand it', async () => {
  for (let count = 0; count < 5; count += 1) await mia.createPlan()
  const plain = await mia.get(PATH)
  const headers = {
    Authorization: `Bearer ${mia.tokens.access_token}`,
    'X-organisation': mia.organisation,
    'Accept-Encoding': 'gzip, br',
  }
  const compressed = await world.app.request(PATH, { headers })
  expect(compressed.headers.get('Content-Encoding')).toBe('gzip')
  const body = gunzipSync(Buffer.from(await compressed.arrayBuffer())).toString()
  expect(JSON.parse(body)).toEqual(plain.json)
  expect(plain.headers.get('Content-Encoding')).toBeNull()
})

test('a record that is written while a page is read is in it, as it was or as it is', async () => {
  const { database } = world
  const id = await mia.createPlan()
  let isFirst = true
  const app = world.appWith({
    database: {
      ...database,
      // Between the look-up of the version and the reading of the page.
      tenantSnapshot: async (...all) => {
        if (isFirst) {
          isFirst = false
          const path = `/api/v1/success-plans/${id}/updates`
          expect((await mia.post(path, { body: 'Half way.', progress: 50 })).status).toBe(201)
        }
        return await database.tenantSnapshot(...all)
      },
    },
  })
  const { json } = await mia.atApp(app).get(PATH)
  expect(plansIn(json.data as object)).toContain(id)
})

test('pages of 60 MB that take less than a tenth of it when compressed are all kept', async () => {
  const pages = new SharedPages()
  let made = 0
  const read = async (since: number) => {
    const make = async () => {
      made += 1
      const data = Array.from({ length: 1_000 }, (_, index) => ({
        index,
        body: `${since}`.repeat(1_000),
      }))
      return { data, version: since + 1, more: true }
    }
    const answer = await answerPage(await pages.find('organisation', 1, since, make), 'gzip')
    return (await answer.arrayBuffer()).byteLength
  }
  const all = Array.from({ length: 30 }, (_, index) => index + 10)
  // Two megabytes each before they are compressed.
  for (const since of all) expect(await read(since)).toBeLessThan(100_000)
  for (const since of all) await read(since)
  expect(made).toBe(all.length)
})
