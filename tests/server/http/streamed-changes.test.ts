// A download as one answer: sent on after its access has ended, read ahead of the device, or other than single pages.
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { endSessions } from '../../../server/auth/end-sessions.ts'
import { TOKEN_LIFETIMES } from '../../../server/auth/tokens.ts'
import { membersOf, sessionsOf } from '../../../server/database/change-bus.ts'
import type { Database } from '../../../server/database/database.ts'
import { compressPart } from '../../../server/http/sync/gzip-parts.ts'
import { PageStreams } from '../../../server/http/sync/page-streams.ts'
import type { SharedPage } from '../../../server/http/sync/shared-pages.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

const PATH = '/api/v1/changes?since=0'
const UPDATES = 4_500

let world: ApiFixture
let mia: ApiUser
let plan: string
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  plan = await mia.createPlan()
  await world.database.system(async (tx) => {
    await sql`insert into success_plan_updates
        (organisation_id, id, success_plan_id, user_id, body, written_at, created_at, version)
      select ${mia.organisation}, gen_random_uuid(), ${plan}, ${mia.id}, 'Words', now(), now(),
        organisations.version + place
      from organisations, generate_series(1, ${sql.lit(UPDATES)}) as place
      where organisations.id = ${mia.organisation}`.execute(tx)
    await tx
      .updateTable('organisations')
      .set((row) => ({ version: row('version', '+', UPDATES) }))
      .where('id', '=', mia.organisation)
      .execute()
  })
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => world.close())

const addMember = async (name: string) =>
  world.addMember(await world.createUser(name), mia.organisation, 'member')

/** A server that counts how often it reads pages, and looks up members, of `database`. */
function counting(database: Database = world.database) {
  const counted = { pages: 0, access: 0 }
  const app = world.appWith({
    database: {
      ...database,
      tenant: (...call) => {
        counted.access += 1
        return database.tenant(...call)
      },
      tenantSnapshot: (...call) => {
        counted.pages += 1
        return database.tenantSnapshot(...call)
      },
    },
  })
  return { app, counted }
}

/** Asks for all pages in one answer. */
async function open(
  person: ApiUser,
  app = world.app,
  headers: Record<string, string> = {},
  env = {},
) {
  const asked = {
    headers: {
      Accept: 'text/event-stream',
      'Accept-Encoding': 'gzip',
      Authorization: `Bearer ${person.tokens.access_token}`,
      'X-organisation': person.organisation,
      ...headers,
    },
  }
  const answer = await app.request(PATH, asked, env)
  const reader = answer.body?.getReader()
  if (!reader) throw new Error('The answer has no body.')
  onTestFinished(() => reader.cancel())
  const chunks: Uint8Array[] = []
  /** Reads one page; false at the end. */
  const read = async () => {
    const { done, value } = await reader.read()
    if (value) chunks.push(value)
    return !done
  }
  const readAll = async () => {
    while (await read());
    return gunzipSync(Buffer.concat(chunks)).toString()
  }
  return { answer, read, readAll, cancel: () => reader.cancel() }
}

/** The pages of a stream that ended, as they would be answered by themselves. */
const pagesIn = (text: string): string[] =>
  text.split('\n\n').flatMap((event) => /^event: page\ndata: (.*)$/.exec(event)?.[1] ?? [])

/** The pages that a device asks for one after the other. */
async function singlePages(): Promise<string[]> {
  const pages: string[] = []
  for (let page = { version: 0, more: true }; page.more;) {
    const { text } = await mia.get(`/api/v1/changes?since=${page.version}`)
    page = JSON.parse(text) as typeof page
    pages.push(text)
  }
  return pages
}

test('one answer has the bytes of all pages', async () => {
  const { answer, readAll } = await open(mia)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'content-encoding': 'gzip',
    vary: 'Accept, Accept-Encoding',
  })
  const pages = pagesIn(await readAll())
  expect(pages.length).toBeGreaterThan(UPDATES / 1_000)
  expect(pages).toEqual(await singlePages())
})

test('a page is read when the device has taken the one before, and once for all devices', async () => {
  const { app, counted } = counting()
  const device = await open(mia, app)
  expect(counted.pages).toBe(1)
  await device.read()
  await device.read()
  expect(counted.pages).toBe(2)
  await device.readAll()
  const { pages, access } = counted
  expect(access).toBe(1)
  await (await open(mia, app)).readAll()
  expect(counted).toEqual({ pages, access: access + 1 })
})

test('a download whose next page is not asked for is ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const outgoing = new Writable()
  const device = await open(await addMember('Max'), world.app, {}, { outgoing })
  for (let page = 0; page < 3; page += 1) {
    await device.read()
    vi.advanceTimersByTime(59_000)
  }
  expect(outgoing.destroyed).toBe(false)
  vi.advanceTimersByTime(600_000)
  expect(outgoing.destroyed).toBe(true)
})

test('a device that does not take the last page keeps its place, and is ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const lea = await addMember('Lea')
  const outgoing = new Writable()
  for (let count = 0; count < 4; count += 1) {
    const device = await open(lea, world.app, {}, { outgoing })
    for (let page = 0; page * 1_000 < UPDATES; page += 1) await device.read()
  }
  expect((await open(lea)).answer.headers.get('Content-Type')).toBe('application/json')
  expect(outgoing.destroyed).toBe(false)
  vi.advanceTimersByTime(600_000)
  expect(outgoing.destroyed).toBe(true)
})

test('a device that goes away has no further page read', async () => {
  const { app, counted } = counting()
  const device = await open(mia, app)
  await device.read()
  await device.cancel()
  expect(await device.read()).toBe(false)
  expect(counted.pages).toBe(1)
})

test('a page that is read after its device has gone is not counted as waiting', async () => {
  const page = Promise.withResolvers<SharedPage>()
  const asked = Promise.withResolvers<void>()
  const read = () => {
    asked.resolve()
    return page.promise
  }
  let counted = 0
  const count = () => {
    counted += 1
    return () => (counted -= 1)
  }
  const reader = new PageStreams(new AbortController().signal)
    .open(0, { read, count, end() {}, disconnect() {} })
    .getReader()
  const first = reader.read()
  await asked.promise
  await reader.cancel()
  const part = await compressPart('Words')
  page.resolve({ version: 1, more: true, event: part, json: part })
  expect(await first).toMatchObject({ done: true })
  await new Promise(setImmediate)
  expect(counted).toBe(0)
})

/** Resolves when this process is notified of `key`, which `work` publishes. */
async function notified(key: string, work: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const unsubscribe = world.database.changes.subscribe(key, () => resolve())
  await work()
  await promise
  unsubscribe()
}

test('a write that this process is notified of is in the pages that follow', async () => {
  const ada = await addMember('Ada')
  const device = await open(ada)
  await device.read()
  let id = ''
  await notified(ada.organisation, async () => {
    id = await ada.createPlan()
  })
  const last = JSON.parse(pagesIn(await device.readAll()).at(-1) ?? '') as {
    more: boolean
    data: { success_plans: { id: string }[] }
  }
  expect(last.more).toBe(false)
  expect(last.data.success_plans.map((one) => one.id)).toContain(id)
})

test('a page that cannot be read ends the stream after the pages before it', async () => {
  const { database } = world
  let reads = 0
  const { app } = counting({
    ...database,
    tenantSnapshot: (...call) =>
      (reads += 1) > 2
        ? Promise.reject(new Error('The database is away.'))
        : database.tenantSnapshot(...call),
  })
  const pages = pagesIn(await (await open(mia, app)).readAll())
  expect(pages).toHaveLength(2)
  expect(JSON.parse(pages[1] ?? '')).toMatchObject({ more: true })
})

test('a server that stops ends its streams', async () => {
  const closing = new AbortController()
  const device = await open(mia, world.appWith({ closing: closing.signal }))
  await device.read()
  closing.abort()
  expect(pagesIn(await device.readAll())).toHaveLength(1)
})

test('what is wrong is answered with its status', async () => {
  const outsider = await world.createUser('Otto')
  const statuses = [
    await open(outsider.inOrganisation(mia.organisation)),
    await open(outsider.withTokens({ ...outsider.tokens, access_token: 'made-up' })),
  ].map(({ answer }) => answer.status)
  expect(statuses).toEqual([403, 401])
})

test('a fifth stream of one user, and a device that does not understand gzip, get one page', async () => {
  const eve = await addMember('Eve')
  for (let count = 0; count < 4; count += 1)
    expect((await open(eve)).answer.headers.get('Content-Type')).toBe('text/event-stream')
  const { answer } = await open(eve)
  expect(answer.headers.get('Content-Type')).toBe('application/json')
  const plain = await open(mia, world.app, { 'Accept-Encoding': 'identity' })
  expect(plain.answer.headers.get('Content-Type')).toBe('application/json')
})

test('of many streams that one user opens at once four are given, and errors take no place', async () => {
  const eve = await addMember('Eva')
  const elsewhere = eve.inOrganisation((await world.createOwner('Otto')).organisation)
  for (let count = 0; count < 5; count += 1) expect((await open(elsewhere)).answer.status).toBe(403)
  const opened = await Promise.all(Array.from({ length: 12 }, () => open(eve)))
  const types = opened.map(({ answer }) => answer.headers.get('Content-Type'))
  expect(types.filter((type) => type === 'text/event-stream')).toHaveLength(4)
  for (const { cancel } of opened) await cancel()
  expect((await open(eve)).answer.headers.get('Content-Type')).toBe('text/event-stream')
})

const ends: Record<string, (person: ApiUser) => Promise<void>> = {
  'the end of the session': (person) =>
    notified(sessionsOf(person.id), () =>
      world.database.auth((tx) => endSessions(tx, person.id, world.now.toISOString())),
    ),
  'the end of the membership': (person) =>
    notified(membersOf(person.organisation), async () => {
      const { organisation: organisation_id } = person
      expect((await person.post('/api/v1/leave-organisation', { organisation_id })).status).toBe(
        204,
      )
    }),
  // Last, as the clock of all tests advances.
  'the expiry of the access token': async () => {
    world.advance({ seconds: TOKEN_LIFETIMES.accessTokenSeconds + 1 })
  },
}

for (const [end, work] of Object.entries(ends))
  test(`no page follows after ${end}`, async () => {
    const max = await addMember('Max')
    const device = await open(max)
    expect(await device.read()).toBe(true)
    await work(max)
    const pages = pagesIn(await device.readAll())
    expect(pages).toHaveLength(1)
    expect(JSON.parse(pages[0] ?? '')).toMatchObject({ more: true })
  })
