// A client that reads nothing of its answer keeps it in the memory of the server without a limit of time; or one that
// waits for a slow answer, or for events, is cut off. Over a real connection.
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Hono } from 'hono'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createHttpServer, listen } from '../../../server/http/http-server.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

const STALLED_MS = 200
/** More than the buffers of a connection take. */
const LARGE = new Uint8Array(64 * 1024 * 1024)

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open({ heartbeatMs: 600_000 })
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

async function serve(fetch: Hono['fetch']): Promise<Server> {
  const server = createHttpServer(fetch, '127.0.0.1', () => false, { stalledMs: STALLED_MS })
  await listen(server, 0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

/** Sends a request, and reads nothing. */
function ask(server: Server, path: string, headers: Record<string, string> = {}): Socket {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.pause().write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  return socket
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))

test('a client that never reads its answer is disconnected', async () => {
  const server = await serve(() => new Response(LARGE))
  ask(server, '/')
  await once(server, 'request')
  await expect.poll(() => countConnections(server)).toBe(0)
})

test('an answer that was not ready for that time is sent, and has to be read as well', async () => {
  const silent = (env: unknown) =>
    once((env as { incoming: IncomingMessage }).incoming.socket, 'timeout')
  const server = await serve(async (request, env) => {
    await silent(env)
    return new URL(request.url).pathname === '/small' ? new Response('ready') : new Response(LARGE)
  })
  const socket = ask(server, '/small')
  socket.resume()
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK[^]*ready$/)
  socket.destroy()
  await expect.poll(() => countConnections(server)).toBe(0)
  ask(server, '/large')
  await once(server, 'request')
  await expect.poll(() => countConnections(server)).toBe(0)
})

test('an event stream without events lives on', async () => {
  const server = await serve(world.app.fetch)
  let isSilent = false
  server.on('connection', (socket) => socket.on('timeout', () => (isSilent = true)))
  const stream = ask(server, '/api/v1/events', {
    Authorization: `Bearer ${mia.tokens.access_token}`,
    'X-organisation': mia.organisation,
  })
  let received = ''
  stream.on('data', (bytes: Buffer) => (received += bytes.toString()))
  const events = () => received.match(/^event: version$/gm)?.length ?? 0
  stream.resume()
  await expect.poll(events).toBeGreaterThan(0)
  const before = events()
  isSilent = false
  await expect.poll(() => isSilent).toBe(true)
  await mia.createPlan()
  await expect.poll(events).toBeGreaterThan(before)
})
