// Bodies that are sent slowly took any amount of the server's memory: one user could hold 600 of a mebibyte.
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpServer, listen } from '../../../server/http/http-server.ts'
import { ApiFixture, CLIENT, type ApiUser } from '../fixtures/api-fixture.ts'

const ACCOUNTS = '/api/v1/accounts'
const MIB = 2 ** 20
const TOO_MANY = {
  status: 503,
  body: { message: 'Too many requests are being sent at once. Please try again.' },
}

let world: ApiFixture
let mia: ApiUser
let tom: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open({ trustProxy: true })
  mia = await world.createOwner('Mia')
  tom = await world.addMember(await world.createUser('Tom'), mia.organisation, 'member')
})
afterAll(() => world.close())

const JSON_HEADERS = { 'Content-Type': 'application/json' }
const headersOf = (user: ApiUser) => ({
  ...JSON_HEADERS,
  Authorization: `Bearer ${user.tokens.access_token}`,
  'X-organisation': user.organisation,
})

/** Begins a call and sends `bytes` of its body, which does not end before `end` is called. */
async function begin(path: string, headers: Record<string, string>, bytes: number) {
  const taken = Promise.withResolvers<void>()
  let end = () => undefined as void
  let isSent = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isSent) {
          taken.resolve()
          return new Promise<void>(() => undefined)
        }
        isSent = true
        end = () => controller.close()
        controller.enqueue(new Uint8Array(bytes).fill(32))
        return undefined
      },
    },
    { highWaterMark: 0 },
  )
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  const answer = Promise.resolve(world.app.request(path, init))
  // An answer means that it was refused.
  await Promise.race([taken.promise, answer])
  return { answer, end: () => end() }
}
const statusOf = async (answer: Promise<Response>) => (await answer).status
const large = { name: 'Large', padding: 'x'.repeat(MIB / 4) }

test('a user holds at most 8 MiB of bodies, and keeps no one else out', async () => {
  const length = { 'Content-Length': `${MIB}` }
  const held = []
  for (let count = 0; count < 8; count += 1)
    held.push(await begin(ACCOUNTS, { ...headersOf(mia), ...length }, MIB))
  const refused = await mia.post(ACCOUNTS, large)
  expect(refused.statusAndBody).toEqual(TOO_MANY)
  expect(refused.headers.get('Retry-After')).toBe('10')
  expect((await mia.post(ACCOUNTS, { name: 'Small' })).status).toBe(201)
  expect((await tom.post(ACCOUNTS, large)).status).toBe(201)
  for (const { end } of held) end()
  for (const { answer } of held) expect(await statusOf(answer)).toBe(400)
  expect((await mia.post(ACCOUNTS, large)).status).toBe(201)
})

test('a refusal reaches its client, who still sends', async () => {
  const server = createHttpServer(world.app.fetch, '127.0.0.1', () => false)
  await listen(server, 0, '127.0.0.1')
  const { port } = server.address() as AddressInfo
  const held = []
  for (let count = 0; count < 8; count += 1) held.push(await begin(ACCOUNTS, headersOf(mia), MIB))
  const headers = { ...headersOf(mia), 'Content-Length': MIB }
  const call = request({ port, method: 'POST', path: ACCOUNTS, headers })
  call.write(Buffer.alloc(MIB / 2, 32))
  const [incoming] = (await once(call, 'response')) as [{ statusCode: number }]
  expect(incoming.statusCode).toBe(503)
  call.destroy()
  for (const { end } of held) end()
  await Promise.all(held.map(({ answer }) => answer))
  server.close()
  server.closeAllConnections()
})

test('those who are not signed in hold as much as one user in their network', async () => {
  const from = (address: string) => ({ ...JSON_HEADERS, 'X-Forwarded-For': address })
  const held = []
  for (let count = 0; count < 128; count += 1)
    held.push(await begin('/oauth/token', from('203.0.113.7'), 64 * 1024))
  const call = async (address: string, headers: Record<string, string>, padding: string) => {
    const body = JSON.stringify({ ...CLIENT, grant_type: 'none', padding })
    const all = { ...from(address), ...headers, 'Content-Length': `${body.length}` }
    return statusOf(
      Promise.resolve(world.app.request('/oauth/token', { method: 'POST', headers: all, body })),
    )
  }
  const padding = 'x'.repeat(32 * 1024)
  expect(await call('203.0.113.7', {}, padding)).toBe(503)
  // A made-up token is not another user.
  expect(await call('203.0.113.7', { Authorization: 'Bearer made-up' }, padding)).toBe(503)
  expect(await call('203.0.113.7', {}, '')).toBe(400)
  expect(await call('203.0.113.8', {}, padding)).toBe(400)
  for (const { end } of held) end()
  for (const { answer } of held) expect(await statusOf(answer)).toBe(400)
  expect(await call('203.0.113.7', {}, padding)).toBe(400)
})
