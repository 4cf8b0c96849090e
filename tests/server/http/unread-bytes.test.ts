// Answers that their clients read slowly, or not at all, took any amount of the server's memory for any time. Those
// whose clients had gone were counted until a restart.
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Tokens } from '../../../contract/schemas/people.ts'
import { createHttpServer, listen } from '../../../server/http/http-server.ts'
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
    // Compressed they are large, too.
    sql`update accounts set notes = (
      select string_agg(md5(accounts.id::text || part), '') from generate_series(1, 32500) part
    )`.execute(tx),
  )
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => world.close())

/** A server that listens, and is asked over connections that read nothing. */
async function askOverConnections() {
  const app = world.appWith({})
  const answers: Promise<Response>[] = []
  let toAnswer = Promise.resolve()
  const fetch: typeof app.fetch = (request, env) => {
    const answer = toAnswer.then(() => app.fetch(request, env))
    answers.push(answer)
    return answer
  }
  const server = createHttpServer(fetch, '127.0.0.1', () => false)
  await listen(server, 0, '127.0.0.1')
  const { port } = server.address() as AddressInfo
  const headers = [
    'Host: localhost',
    `Authorization: Bearer ${mia.tokens.access_token}`,
    `X-organisation: ${mia.organisation}`,
  ]
  const request = [`GET ${LARGE} HTTP/1.1`, ...headers, '\r\n'].join('\r\n')
  return {
    server,
    /** The statuses of `times` answers on one connection, made before the client goes, or `after` that. */
    ask: async (times: number, { after = false } = {}) => {
      const gone = Promise.withResolvers<void>()
      toAnswer = after ? gone.promise : Promise.resolve()
      answers.length = 0
      const connected = once(server, 'connection') as Promise<[Socket]>
      const client = connect(port, '127.0.0.1').pause()
      client.write(request.repeat(times))
      const [socket] = await connected
      // Which may be reset.
      const closed = new Promise((resolve) => socket.once('close', resolve))
      const answered = async () => (await Promise.all(answers)).map(({ status }) => status)
      await expect.poll(() => answers.length).toBe(times)
      if (!after) await answered()
      client.destroy()
      await closed
      gone.resolve()
      return answered()
    },
  }
}

/** Each test has a server of its own. */
function serve() {
  const app = world.appWith({})
  /** An answer that is not read until its connection is closed. */
  async function ask(
    path = LARGE,
    {
      by = mia,
      address = '203.0.113.1',
      method = 'GET',
      scheme = 'Bearer',
      accept = '',
      type = 'application/json',
    } = {},
  ) {
    const socket = Object.assign(new Writable(), { remoteAddress: address }) as unknown as Socket
    const incoming = new IncomingMessage(socket)
    const outgoing = new ServerResponse(incoming)
    outgoing.assignSocket(socket)
    const headers = {
      Authorization: `${scheme} ${by.tokens.access_token}`,
      'X-organisation': mia.organisation,
      'Content-Type': 'application/json',
      Accept: type,
      ...(accept && { 'Accept-Encoding': accept }),
    }
    const body = method === 'POST' ? JSON.stringify({ name: 'New' }) : null
    const answer = await app.request(path, { method, headers, body }, { incoming, outgoing })
    return { status: answer.status, answer, socket }
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
  await once(first.socket.destroy(), 'close')
  expect((await ask()).status).toBe(200)
})

test('another spelling of the scheme of its token makes no other session', async () => {
  const { ask } = serve()
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'BeAReR'])
    expect((await ask(LARGE, { scheme })).status).toBe(200)
  expect((await ask(LARGE, { scheme: 'bEARER' })).status).toBe(503)
})

test('clients that go before their answers are made, or read, leave nothing counted', async () => {
  const { server, ask } = await askOverConnections()
  try {
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await ask(4, { after: true })).toEqual([200, 200, 200, 200])
      expect(await ask(4)).toEqual([200, 200, 200, 200])
    }
  } finally {
    server.close()
  }
})

test.each(['', 'gzip'])(
  'a refusal has no headers of the answer in its place (%j)',
  async (accept) => {
    const { ask } = serve()
    for (let count = 0; count < 4; count += 1) await ask()
    for (const path of [LARGE, '/api/v1/changes?since=0']) {
      const { status, answer } = await ask(path, { accept })
      const sent = Buffer.from(await answer.arrayBuffer())
      expect([path, status]).toEqual([path, 503])
      expect(answer.headers.get('Content-Encoding')).toBe(accept || null)
      expect(answer.headers.get('Content-Length')).toBeNull()
      expect(answer.headers.get('ETag')).toBeNull()
      expect(JSON.parse(String(accept ? gunzipSync(sent) : sent))).toEqual({ message: MESSAGE })
    }
  },
)

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

test('a page of a download counts until it is taken, and ends the download where too much waits', async () => {
  const { ask } = serve()
  const download = async () => {
    const asked = { accept: 'gzip', type: 'text/event-stream' }
    const { answer } = await ask('/api/v1/changes?since=0', asked)
    expect(answer.headers.get('Content-Type')).toBe('text/event-stream')
    return answer.body?.getReader()
  }
  const reader = await download()
  await reader?.read()
  for (let count = 0; count < 3; count += 1) expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(503)
  await reader?.cancel()
  expect((await ask()).status).toBe(200)
  const refused = await download()
  const { value = '' } = (await refused?.read()) ?? {}
  expect(String(gunzipSync(value))).toBe('')
  expect(await refused?.read()).toMatchObject({ done: true })
})

test('all sign-ins of a user count together', async () => {
  const { ask } = serve()
  const again = mia.withTokens((await world.signIn(mia.email)).json as unknown as Tokens)
  for (let count = 0; count < 3; count += 1) expect((await ask()).status).toBe(200)
  expect((await ask(LARGE, { by: again })).status).toBe(200)
  expect((await ask(LARGE, { by: again })).status).toBe(503)
  expect((await ask()).status).toBe(503)
  expect((await ask('/api/v1/accounts', { by: again, method: 'POST' })).status).toBe(503)
})

test('where a network or all read too little, who has most unread gives way', async () => {
  const { ask } = serve()
  const people = await Promise.all(
    Array.from({ length: 10 }, async (_, index) =>
      world.addMember(await world.createUser(`User ${index}`), mia.organisation, 'member'),
    ),
  )
  const [another, last, ...others] = people as [ApiUser, ApiUser, ...ApiUser[]]
  const waiting: Socket[] = []
  const countEnded = () => waiting.filter(({ destroyed }) => destroyed).length
  const fill = async (users: readonly ApiUser[], address?: string) => {
    for (const by of users)
      for (let count = 0; count < 4; count += 1) {
        const { status, socket } = await ask(LARGE, { by, ...(address && { address }) })
        expect(status).toBe(200)
        waiting.push(socket)
      }
  }
  await fill(others.slice(0, 4))
  expect(countEnded()).toBe(0)
  for (let count = 1; count < 4; count += 1) {
    expect((await ask(LARGE, { by: another })).status).toBe(200)
    expect(countEnded()).toBe(count)
  }
  // A fourth one would make it one of those who have most.
  expect((await ask(LARGE, { by: another })).status).toBe(503)
  await fill(others.slice(4), '203.0.113.2')
  expect(countEnded()).toBe(3)
  expect((await ask(LARGE, { by: last, address: '203.0.113.3' })).status).toBe(200)
  expect((await ask(LARGE, { by: another, address: '203.0.113.3' })).status).toBe(503)
  expect(countEnded()).toBe(4)
})

test('an answer that is not read after the time of a slow line is ended', async () => {
  const { ask } = serve()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { socket } = await ask()
  // 4 MB at 50 kbit/s, for three devices at once.
  vi.advanceTimersByTime(3 * 11 * 60_000)
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(5 * 60_000)
  expect(socket.destroyed).toBe(true)
})
