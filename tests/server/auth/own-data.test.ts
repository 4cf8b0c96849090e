// All that a user had written was read into the server's memory for a file with it, as often as it was asked for.
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { endSessions } from '../../../server/auth/end-sessions.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'

const PATH = '/api/v1/own-data'
const UPDATES = 250

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
})
beforeEach(async () => {
  mia = await world.createOwner('Mia')
  await postUpdates(mia)
})
afterAll(() => world.close())

async function postUpdates(by: ApiUser) {
  const plan = await mia.createPlan()
  await world.database.system((tx) =>
    sql`insert into success_plan_updates
        (organisation_id, id, success_plan_id, user_id, body, written_at, created_at, version)
      select ${mia.organisation}, gen_random_uuid(), ${plan}, ${by.id}, 'Words ' || place, now(),
        now() + place * interval '1 second', place
      from generate_series(1, ${sql.lit(UPDATES)}) as place`.execute(tx),
  )
}

/** A server that counts how often it reads an organisation. */
function counting() {
  const counted = { calls: 0 }
  const { database } = world
  const app = world.appWith({
    database: {
      ...database,
      tenant: (...call) => {
        counted.calls += 1
        return database.tenant(...call)
      },
    },
  })
  return { app, counted }
}

async function download(app = world.app, env = {}, method = 'GET', by = mia) {
  const headers = { Authorization: `Bearer ${by.tokens.access_token}` }
  const answer = await app.request(PATH, { method, headers }, env)
  return { status: answer.status, answer, reader: answer.body?.getReader() }
}
type Download = Awaited<ReturnType<typeof download>>

test('the file has all that a user has written, in its order', async () => {
  const { organisations } = (await mia.get(PATH)).json as {
    organisations: { updates: { body: string }[] }[]
  }
  expect(organisations.map(({ updates }) => updates.map(({ body }) => body))).toEqual([
    Array.from({ length: UPDATES }, (_, index) => `Words ${index + 1}`),
  ])
})

test('what a user has written is read as the device takes it', async () => {
  const { app, counted } = counting()
  const { reader } = await download(app)
  expect(counted.calls).toBe(0)
  const read = []
  for (let part = 0; part < 4; part += 1) {
    await reader?.read()
    read.push(counted.calls)
  }
  expect(read).toEqual([0, 1, 2, 3])
  await reader?.cancel()
})

test('a user has one download at a time', async () => {
  const { reader } = await download()
  const second = await download()
  expect(second.status).toBe(429)
  expect(second.answer.headers.get('Retry-After')).toBe('10')
  await reader?.cancel()
  expect((await download(world.app, {}, 'HEAD')).status).toBe(200)
  const third = await download()
  expect(third.status).toBe(200)
  while (!(await third.reader?.read())?.done);
  expect((await mia.get(PATH)).status).toBe(200)
})

/** How many updates the rest of a download has, before each part of which `meanwhile` happens. */
async function updatesIn({ reader }: Download, meanwhile: () => void) {
  let text = ''
  const decoder = new TextDecoder()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += decoder.decode(part.value)
    meanwhile()
  }
  const { organisations } = JSON.parse(text) as { organisations: { updates: object[] }[] }
  return organisations.map(({ updates }) => updates.length)
}

test('a download outlasts its access token', async () => {
  const begun = await download()
  expect(await updatesIn(begun, () => world.advance({ minutes: 16 }))).toEqual([UPDATES])
  expect((await download()).status).toBe(401)
})

test('a download goes on when its user has made too many requests', async () => {
  const begun = await download()
  world.advance({ seconds: 2 })
  while ((await download(world.app, {}, 'HEAD')).status === 200);
  expect((await download(world.app, {}, 'HEAD')).status).toBe(429)
  expect(await updatesIn(begun, () => undefined)).toEqual([UPDATES])
})

test('a download that its device cancels during a read is no error, and frees only its own place', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let goOn = () => {}
  const isRead = new Promise<void>((resolve) => (goOn = resolve))
  const reads: Promise<unknown>[] = []
  const { database } = world
  const app = world.appWith({
    database: {
      ...database,
      tenant: (...call) => {
        const read = isRead.then(() => database.tenant(...call))
        reads.push(read)
        return read
      },
    },
  })
  const outgoing = new Writable()
  const { reader } = await download(app, { outgoing })
  await reader?.read()
  void reader?.read()
  await waitFor(() => expect(reads).toHaveLength(1))
  await reader?.cancel()
  const second = await download()
  expect(second.status).toBe(200)
  goOn()
  await Promise.all(reads)
  await new Promise(setImmediate)
  expect((await download()).status).toBe(429)
  expect(outgoing.destroyed).toBe(false)
  expect(logged).not.toHaveBeenCalled()
  logged.mockRestore()
  await second.reader?.cancel()
})

test('a download that failed frees its place once', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const app = world.appWith({
    database: { ...world.database, tenant: () => Promise.reject(new Error('No database.')) },
  })
  const outgoing = new Writable()
  const { reader } = await download(app, { outgoing })
  await reader?.read()
  void reader?.read()
  await waitFor(() => expect(outgoing.destroyed).toBe(true))
  expect(logged).toHaveBeenCalledOnce()
  logged.mockRestore()
  const second = await download()
  expect(second.status).toBe(200)
  // As the server does for a connection that has ended.
  await reader?.cancel()
  expect((await download()).status).toBe(429)
  await second.reader?.cancel()
})

test('a download ends with the session', async () => {
  const outgoing = new Writable()
  const { reader } = await download(world.app, { outgoing })
  await reader?.read()
  await reader?.read()
  await world.database.auth((tx) => endSessions(tx, mia.id, world.now.toISOString()))
  world.advance({ seconds: 2 })
  void reader?.read()
  await expect.poll(() => outgoing.destroyed).toBe(true)
})

/** A member who has posted in two organisations, of which the first one is that of the owner. */
async function memberWithUpdates() {
  const jonas = await world.addMember(await world.createUser('Jonas'), mia.organisation, 'member')
  await postUpdates(jonas)
  await jonas.post('/api/v1/organisations', { name: 'Own' })
  const remove = async () => {
    const members = (await mia.get('/api/v1/organisation-users')).data<
      { id: string; user_id: string }[]
    >()
    const { id } = members.find(({ user_id }) => user_id === jonas.id) ?? { id: '' }
    expect((await mia.call('DELETE', `/api/v1/organisation-users/${id}`)).status).toBe(204)
  }
  const outgoing = new Writable()
  const begun = await download(world.app, { outgoing }, 'GET', jonas)
  await begun.reader?.read()
  return { begun, outgoing, remove }
}

test('a download has nothing of an organisation whose membership has ended meanwhile', async () => {
  const { begun, remove } = await memberWithUpdates()
  await remove()
  let text = ''
  for (let part = await begun.reader?.read(); part && !part.done; part = await begun.reader?.read())
    text += new TextDecoder().decode(part.value)
  expect(text).not.toContain('Words')
  expect(text).toMatch(/^\{"id":[^[]*"name":"Own"[^]*\]\}$/)
})

test('a download ends where the membership ends among the updates of its organisation', async () => {
  const { begun, outgoing, remove } = await memberWithUpdates()
  await begun.reader?.read()
  const { value } = (await begun.reader?.read()) ?? {}
  expect(new TextDecoder().decode(value)).toContain('Words 1')
  await remove()
  void begun.reader?.read()
  await waitFor(() => expect(outgoing.destroyed).toBe(true))
})
