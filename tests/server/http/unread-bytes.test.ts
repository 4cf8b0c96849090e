// Answers that their clients read slowly, or not at all, took any amount of the server's memory for any time.
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

const LARGE = '/api/v1/accounts?per_page=4&sort=name'
const MESSAGE = 'Too many answers have not been read yet. Please try again.'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  for (let count = 0; count < 4; count += 1) await mia.post('/api/v1/accounts', { name: 'Large' })
  await world.database.system((tx) =>
    sql`update accounts set notes = repeat('x', 1040000)`.execute(tx),
  )
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => world.close())

/** Each test has a server of its own. */
function serve() {
  const app = world.appWith({})
  /** An answer that is not read until it is destroyed. */
  async function ask(path = LARGE, { by = mia, address = '203.0.113.1', method = 'GET' } = {}) {
    const outgoing = new Writable()
    const incoming = { socket: { remoteAddress: address } }
    const headers = {
      Authorization: `Bearer ${by.tokens.access_token}`,
      'X-organisation': mia.organisation,
      'Content-Type': 'application/json',
    }
    const body = method === 'POST' ? JSON.stringify({ name: 'New' }) : null
    const answer = await app.request(path, { method, headers, body }, { incoming, outgoing })
    return { status: answer.status, answer, outgoing }
  }
  return { ask }
}

test('a session that reads nothing gets no fifth answer of 4 MB, until it reads', async () => {
  const { ask } = serve()
  const first = await ask()
  for (let count = 1; count < 4; count += 1) expect((await ask()).status).toBe(200)
  const { status, answer } = await ask()
  expect(status).toBe(503)
  expect(answer.headers.get('Retry-After')).toBe('10')
  expect(await answer.json()).toEqual({ message: MESSAGE })
  expect((await ask('/api/v1/userinfo')).status).toBe(200)
  await once(first.outgoing.destroy(), 'close')
  expect((await ask()).status).toBe(200)
})

test('a write is refused before it is done while its session reads nothing', async () => {
  const { ask } = serve()
  const count = async () => {
    const rows = world.database.system((tx) =>
      tx.selectFrom('accounts').select('id').where('name', '=', 'New').execute(),
    )
    return (await rows).length
  }
  for (let asked = 0; asked < 3; asked += 1) await ask()
  expect((await ask('/api/v1/accounts', { method: 'POST' })).status).toBe(201)
  expect(await count()).toBe(1)
  await ask()
  expect((await ask('/api/v1/accounts', { method: 'POST' })).status).toBe(503)
  expect(await count()).toBe(1)
})

test('what all sessions of a network do not read is limited, and so is all together', async () => {
  const { ask } = serve()
  const people = await Promise.all(
    Array.from({ length: 9 }, async (_, index) =>
      world.addMember(await world.createUser(`User ${index}`), mia.organisation, 'member'),
    ),
  )
  const [outsider, ...others] = people as [ApiUser, ...ApiUser[]]
  for (const by of others.slice(0, 4))
    for (let count = 0; count < 4; count += 1) expect((await ask(LARGE, { by })).status).toBe(200)
  expect((await ask(LARGE, { by: outsider })).status).toBe(503)
  const address = '203.0.113.2'
  for (const by of others.slice(4))
    for (let count = 0; count < 4; count += 1)
      expect((await ask(LARGE, { by, address })).status).toBe(200)
  expect((await ask(LARGE, { by: outsider, address: '203.0.113.3' })).status).toBe(503)
})

test('an answer that is not read after the time of a slow line is ended', async () => {
  const { ask } = serve()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { outgoing } = await ask()
  // 4 MB at 50 kbit/s, for three devices at once.
  vi.advanceTimersByTime(3 * 11 * 60_000)
  expect(outgoing.destroyed).toBe(false)
  vi.advanceTimersByTime(5 * 60_000)
  expect(outgoing.destroyed).toBe(true)
})
