// The server in front of the API of another one: what must not get through, in either direction.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { startFrontEnd } from '../../../server/front-end.ts'
import type { ProxyLimits } from '../../../server/http/api-proxy.ts'
import { PlainServer } from '../../plain-server/plain-server.ts'
import { makeCertificate } from '../fixtures/certificate.ts'
import { ServerProcess } from '../fixtures/server-process.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-front-'))
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html><title>Cairn</title>')
})
afterAll(() => rm(folder, { recursive: true }))

type Handler = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => void

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: http.IncomingHttpHeaders
  body: string
}

const ok: Handler = (_incoming, outgoing) => {
  outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":[]}')
}

async function listen(server: http.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return (server.address() as AddressInfo).port
}

/** An API, and the front end that passes calls through to it. */
async function setUp(
  handle: Handler = ok,
  env: Record<string, string> = {},
  limits: Partial<ProxyLimits> = {},
) {
  const seen: Seen[] = []
  const api = http.createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.once('end', () => {
      const { method, url, headers } = incoming
      seen.push({ method, url, headers, body: Buffer.concat(parts).toString() })
      handle(incoming, outgoing)
    })
  })
  const port = await listen(api)
  const url = await startFront({ API_URL: `http://127.0.0.1:${port}`, ...env }, limits)
  return { api, port, seen, url }
}

async function startFront(env: Record<string, string>, limits: Partial<ProxyLimits> = {}) {
  vi.spyOn(console, 'error').mockReturnValue()
  const { api, app, ...options } = readConfiguration({ API_PROXY: '1', PORT: '0', ...env })
  if (!api) throw new Error('API_URL is missing.')
  const dist = join(folder, 'dist')
  const server = await startFrontEnd({ ...options, port: 0, api, dist, config: app, limits })
  onTestFinished(() => server.stop())
  return server.url
}

/** The answer to raw bytes. */
async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let output = ''
  socket.on('data', (part: Buffer) => (output += part.toString()))
  socket.write(bytes)
  await once(socket, 'close')
  return output
}

const requestLine = (url: string, line: string, headers = '') =>
  raw(url, `${line} HTTP/1.1\r\nHost: cairn.test\r\nConnection: close\r\n${headers}\r\n`)

const POLICY = "sandbox; default-src 'none'"

test('a call reaches the API with its query, body and headers, and its answer comes back', async () => {
  const { seen, url } = await setUp((_incoming, outgoing) => {
    outgoing.writeHead(201, {
      'Content-Type': 'application/json',
      ETag: '"7"',
      'Retry-After': '3',
      'Cairn-Capabilities': 'keys=60',
    })
    outgoing.end('{"data":{"id":7}}')
  })
  const answer = await fetch(`${url}/api/v1/accounts?filters[title]=R%26D&page=2`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer token',
      'Content-Type': 'application/json',
      'X-organisation': '9',
      'Idempotency-Key': 'key',
      'If-Match': '"6"',
      'Cairn-App': '1.2.3',
    },
    body: '{"name":"Äther"}',
  })
  expect([answer.status, await answer.json()]).toEqual([201, { data: { id: 7 } }])
  expect(answer.headers.get('Cairn-Capabilities')).toBe('keys=60')
  expect(answer.headers.get('ETag')).toBe('"7"')
  expect(answer.headers.get('Retry-After')).toBe('3')
  expect(seen).toMatchObject([
    {
      method: 'POST',
      url: '/api/v1/accounts?filters[title]=R%26D&page=2',
      headers: {
        authorization: 'Bearer token',
        'x-organisation': '9',
        'idempotency-key': 'key',
        'if-match': '"6"',
        'cairn-app': '1.2.3',
      },
      body: '{"name":"Äther"}',
    },
  ])
})

test.each([
  'GET /api/../admin',
  'GET /api/./v1/accounts',
  'GET /api/%2e%2e/admin',
  'GET /api/%2E%2E/admin',
  'GET /api/..%2fadmin',
  'GET /api/v1/..%5cadmin',
  'GET /api/v1\\..\\admin',
  'GET /api/%252e%252e/admin',
  'GET /api//evil.test/accounts',
  'GET /api/v1/a%00b',
  'GET /api/v1/a%0d%0aSet-Cookie:x',
  'GET /api/..;/admin',
  'GET /oauth/../admin',
  'GET /api/v1#/../admin',
])('a path that is not normalised is refused: %s', async (line) => {
  const { seen, url } = await setUp()
  const answer = await requestLine(url, line)
  expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\{"message":"This path is not normalised\."\}$/)
  expect(seen).toEqual([])
})

test.each([
  'GET http://evil.test/api/v1/accounts',
  'GET //evil.test/api/v1/accounts',
  'GET /apiary',
  'GET /admin',
  'GET /x/../api/v1/accounts',
  'GET /%61pi/v1/accounts',
  'GET /.well-known/openid-configuration',
])('what is not below /api and /oauth is not passed on: %s', async (line) => {
  const { seen, url } = await setUp()
  expect(await requestLine(url, line)).toMatch(/^HTTP\/1\.1 40[04] /)
  expect(seen).toEqual([])
})

test('the API is fixed: neither Host nor a forwarded host chooses another', async () => {
  const { port, seen, url } = await setUp()
  const headers = 'Host: evil.test\r\nX-Forwarded-Host: evil.test\r\n'
  await raw(url, `GET /api/v1/userinfo HTTP/1.1\r\nConnection: close\r\n${headers}\r\n`)
  expect(seen[0]?.headers.host).toBe(`127.0.0.1:${port}`)
  expect(JSON.stringify(seen)).not.toContain('evil')
})

test('no cookie, forwarded, hop-by-hop or unknown header reaches the API', async () => {
  const { seen, url } = await setUp()
  const headers = [
    'Cookie: session=secret',
    'X-Forwarded-For: 6.6.6.6',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: evil.test',
    'X-Forwarded-User: admin',
    'Forwarded: for=6.6.6.6',
    'X-Real-IP: 6.6.6.6',
    'X-HTTP-Method-Override: DELETE',
    'X-Original-URL: /admin',
    'Proxy-Authorization: Basic x',
    'Keep-Alive: timeout=600',
    'TE: trailers',
    'Origin: https://evil.test',
  ].join('\r\n')
  await requestLine(url, 'GET /api/v1/userinfo', `${headers}\r\n`)
  const [request] = seen
  expect(Object.keys(request?.headers ?? {}).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'connection',
    'host',
    'x-forwarded-for',
    'x-forwarded-proto',
  ])
  expect(request?.headers).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
  })
})

test('with TRUST_PROXY the API learns the last address that the proxy in front has added', async () => {
  const { seen, url } = await setUp(ok, { TRUST_PROXY: '1' })
  const headers = { 'X-Forwarded-For': '6.6.6.6, 10.0.0.7', 'X-Forwarded-Proto': 'https' }
  await fetch(`${url}/api/v1/userinfo`, { headers })
  expect(seen[0]?.headers).toMatchObject({
    'x-forwarded-for': '10.0.0.7',
    'x-forwarded-proto': 'https',
  })
})

test('no cookie, policy or other power over this origin comes back', async () => {
  const { url } = await setUp((_incoming, outgoing) => {
    outgoing.writeHead(200, {
      'Content-Type': 'text/html',
      'Set-Cookie': ['a=1', 'b=2'],
      'Clear-Site-Data': '"*"',
      'Service-Worker-Allowed': '/',
      'Content-Security-Policy': 'default-src *',
      'Content-Security-Policy-Report-Only': 'default-src *',
      'Permissions-Policy': 'camera=*',
      'Cross-Origin-Opener-Policy': 'unsafe-none',
      'Access-Control-Allow-Origin': '*',
      'Strict-Transport-Security': 'max-age=0',
      'Referrer-Policy': 'unsafe-url',
      'X-Content-Type-Options': 'none',
      'WWW-Authenticate': 'Basic realm="Password?"',
      Refresh: '0; url=https://evil.test',
      Link: '<https://evil.test/a.css>; rel=stylesheet',
      'Alt-Svc': 'h3="evil.test:443"',
      'Cache-Control': 'public, max-age=31536000',
      'Keep-Alive': 'timeout=600',
      Connection: 'close, X-Secret',
      'X-Secret': 'x',
    })
    outgoing.end('<script>alert(1)</script>')
  })
  const { headers } = await fetch(`${url}/api/v1/userinfo`, { headers: { Connection: 'close' } })
  const names = [...headers.keys()].filter((name) => !/^(?:connection|date|keep-alive)$/.test(name))
  expect(names).toEqual([
    'cache-control',
    'content-security-policy',
    'content-type',
    'cross-origin-resource-policy',
    'referrer-policy',
    'transfer-encoding',
    'x-content-type-options',
    'x-frame-options',
  ])
  expect(headers.get('Content-Security-Policy')).toBe(POLICY)
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('Referrer-Policy')).toBe('no-referrer')
})

test.each([301, 302, 303, 307, 308])(
  'a redirect is neither followed nor passed on: %i',
  async (status) => {
    const { seen, url } = await setUp((_incoming, outgoing) => {
      outgoing.writeHead(status, { Location: '/api/v1/elsewhere' }).end()
    })
    const answer = await fetch(`${url}/api/v1/userinfo`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('Location')]).toEqual([502, null])
    expect(answer.headers.get('Content-Security-Policy')).toBe(POLICY)
    expect(seen).toHaveLength(1)
  },
)

test('no connection is upgraded, from either side', async () => {
  const { api, seen, url } = await setUp((incoming) => {
    incoming.socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    )
  })
  let upgrades = 0
  api.on('upgrade', () => (upgrades += 1))
  const answer = await requestLine(url, 'GET /api/v1/events', 'Upgrade: websocket\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 502 /)
  expect(seen[0]?.headers.upgrade).toBeUndefined()
  expect(upgrades).toBe(0)
  expect(await raw(url, 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n')).toBe('')
})

test.each(['OPTIONS', 'PROPFIND', 'TRACE'])('the method %s is not passed on', async (method) => {
  const { seen, url } = await setUp()
  expect(await requestLine(url, `${method} /api/v1/userinfo`)).toMatch(/^HTTP\/1\.1 405 /)
  expect(seen).toEqual([])
})

test('a body is passed on with its own length, and a second request in it is not', async () => {
  const { seen, url } = await setUp()
  const smuggled = 'GET /api/v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
  const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`
  await requestLine(url, 'POST /api/v1/accounts', `Transfer-Encoding: chunked\r\n\r\n${chunk}`)
  expect(seen.map(({ body, headers }) => [body, headers['content-length']])).toEqual([
    [smuggled, String(smuggled.length)],
  ])
  const both = `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`
  expect(await requestLine(url, 'POST /api/v1/accounts', both)).toMatch(/^HTTP\/1\.1 400 /)
  expect(seen).toHaveLength(1)
})

test('requests, answers, silence and the number of calls and streams are limited', async () => {
  const limits = { maxRequestBytes: 100, maxResponseBytes: 100, idleMs: 2_000 }
  let isSilent = false
  const { seen, url } = await setUp(
    (incoming, outgoing) => {
      const { url: path } = incoming
      if (path === '/api/large') outgoing.end('x'.repeat(10_000))
      if (path === '/api/small') ok(incoming, outgoing)
      if (path === '/api/stream') {
        outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' })
        outgoing.write(`data: ${'x'.repeat(10_000)}\n\n`)
        const beat = setInterval(() => isSilent || outgoing.write(':\n\n'), 20)
        outgoing.on('close', () => clearInterval(beat))
      }
      // Everything else gets no answer.
    },
    {},
    { ...limits, maxCalls: 1, maxStreams: 1 },
  )
  const body = 'x'.repeat(101)
  expect((await fetch(`${url}/api/a`, { method: 'POST', body })).status).toBe(413)
  await expect(fetch(`${url}/api/large`).then((answer) => answer.text())).rejects.toThrow()
  const stream = await fetch(`${url}/api/stream`)
  const first = await stream.body?.getReader().read()
  expect(first?.value?.length).toBeGreaterThan(100)
  expect((await fetch(`${url}/api/small`)).status).toBe(200)
  const second = await fetch(`${url}/api/stream`)
  expect([second.status, second.headers.get('Retry-After')]).toEqual([503, '10'])
  const unanswered = fetch(`${url}/api/b`)
  await expect.poll(() => seen.at(-1)?.url).toBe('/api/b')
  const another = await fetch(`${url}/api/small`)
  expect([another.status, another.headers.get('Retry-After')]).toEqual([503, '10'])
  isSilent = true
  expect((await unanswered).status).toBe(504)
  await expect.poll(async () => (await fetch(`${url}/api/stream`)).status).toBe(200)
})

test('a client that leaves while it reads an answer leaves its place to the next call', async () => {
  let sent = 0
  const { url } = await setUp(
    (incoming, outgoing) => {
      if (incoming.url === '/api/small') return ok(incoming, outgoing)
      outgoing.writeHead(200, { 'Content-Length': 1_000_000_000 })
      const read = function (this: Readable) {
        sent += 1
        this.push(Buffer.alloc(65_536))
      }
      new Readable({ read }).pipe(outgoing)
    },
    {},
    { maxCalls: 1 },
  )
  const { hostname, port } = new URL(url)
  for (let count = 0; count < 3; count += 1) {
    sent = 0
    const client = connect(Number(port), hostname).pause()
    client.write('GET /api/large HTTP/1.1\r\nHost: cairn.test\r\n\r\n')
    // Until nothing more is taken.
    let before = 0
    const isStalled = () => {
      const more = sent - before
      before = sent
      return sent > 0 && more === 0
    }
    await expect.poll(isStalled).toBe(true)
    expect((await fetch(`${url}/api/small`)).status).toBe(503)
    client.destroy()
    await expect.poll(async () => (await fetch(`${url}/api/small`)).status).toBe(200)
  }
})

test('an answer that is read in many parts leaves no listeners behind', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const { url } = await setUp((_incoming, outgoing) => void outgoing.end('x'.repeat(20_000_000)))
  expect((await (await fetch(`${url}/api/large`)).text()).length).toBe(20_000_000)
  expect(warnings).toEqual([])
})

/** A request whose body is not sent to its end; resolves when the server reads it. */
async function halfSent(url: string, bytes: number, client = '10.0.0.1') {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const sent = { socket, output: '' }
  socket.on('data', (part: Buffer) => (sent.output += part.toString()))
  socket.write(
    `POST /oauth/token HTTP/1.1\r\nHost: cairn.test\r\nX-Forwarded-For: ${client}\r\n` +
      'Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n',
  )
  await once(socket, 'data')
  socket.write('x'.repeat(bytes))
  return sent
}

test('requests that are not sent to their end take no place from calls', async () => {
  const { url } = await setUp(ok, {}, { maxCalls: 1 })
  for (let count = 0; count < 3; count += 1) await halfSent(url, 1)
  expect((await fetch(`${url}/api/v1/userinfo`)).status).toBe(200)
})

test('bodies in memory are limited, of a network and all together', async () => {
  const limits = { maxRequestBytes: 1_000, maxNetworkBytes: 1_500, maxAllBytes: 2_500 }
  const { url } = await setUp(ok, { TRUST_PROXY: '1' }, limits)
  const post = async (client: string, bytes: number) => {
    const headers = { 'X-Forwarded-For': client }
    const body = 'x'.repeat(bytes)
    return (await fetch(`${url}/oauth/token`, { method: 'POST', headers, body })).status
  }
  const refused = (sent: { output: string }[]) =>
    sent.filter(({ output }) => /HTTP\/1\.1 503 [^]*\r\nRetry-After: 10\r\n/.test(output)).length
  const ofOne = [await halfSent(url, 900), await halfSent(url, 900)]
  await expect.poll(() => refused(ofOne)).toBe(1)
  expect(await post('10.0.0.1', 700)).toBe(503)
  expect(await post('10.0.0.2', 700)).toBe(200)
  const headers = { 'X-Forwarded-For': '10.0.0.1' }
  expect((await fetch(`${url}/api/v1/userinfo`, { headers })).status).toBe(200)
  const ofOthers = [await halfSent(url, 900, '10.0.0.2'), await halfSent(url, 900, '10.0.0.3')]
  await expect.poll(() => refused(ofOthers)).toBe(1)
  expect(await post('10.0.0.4', 900)).toBe(503)
  for (const { socket } of [...ofOne, ...ofOthers]) socket.destroy()
  await expect.poll(() => post('10.0.0.1', 900)).toBe(200)
})

test('an API that cannot be reached, or breaks off, is an error in JSON', async () => {
  const { api, url } = await setUp((incoming) => incoming.socket.destroy())
  const broken = await fetch(`${url}/api/v1/userinfo`)
  expect([broken.status, await broken.json()]).toEqual([
    502,
    { message: 'The API did not answer.' },
  ])
  api.close()
  api.closeAllConnections()
  const gone = await fetch(`${url}/oauth/token`, { method: 'POST', body: '{}' })
  expect([gone.status, gone.headers.get('Content-Security-Policy')]).toEqual([502, POLICY])
})

test('an API whose certificate is not trusted is not called', async () => {
  const { key, cert } = makeCertificate(folder)
  let calls = 0
  const server = https.createServer(
    { key: await readFile(key), cert: await readFile(cert) },
    (_incoming, outgoing) => {
      calls += 1
      outgoing.end('{}')
    },
  )
  const port = await listen(server)
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const url = await startFront({ API_URL: `https://localhost:${port}` })
  expect((await fetch(`${url}/api/v1/userinfo`)).status).toBe(502)
  expect(calls).toBe(0)
})

test('npm start with API_URL serves the app alone: the API in its policy, and no data folder', async () => {
  const server = new ServerProcess(folder, {
    API_URL: 'https://api.example.com/behind/',
    DEMO_DATA: '1',
  })
  onTestFinished(() => void server.stop('SIGKILL'))
  await server.ready()
  const page = await fetch(`${server.url}/success-plans`, { headers: { Accept: 'text/html' } })
  expect(await page.text()).toContain('<title>Cairn</title>')
  expect(page.headers.get('Content-Security-Policy')).toContain(
    "connect-src 'self' https://api.example.com;",
  )
  const { json } = await server.call('GET', '/config.json')
  expect(json).toMatchObject({ apiBaseUrl: 'https://api.example.com/behind', capabilities: null })
  expect((await server.call('GET', '/api/v1/userinfo')).status).toBe(404)
  expect((await server.call('GET', '/readyz')).status).toBe(200)
  expect(existsSync(join(folder, 'data'))).toBe(false)
  expect(server.output).not.toContain('Sign in as')
  expect(await server.stop('SIGTERM')).toBe(0)
})

test('npm start with API_PROXY passes the calls of a signed-in user through', async () => {
  const plain = await PlainServer.start()
  onTestFinished(() => plain.stop())
  const API_CAPABILITIES = 'partial'
  const env = { API_URL: plain.url, API_PROXY: '1', API_CAPABILITIES }
  const server = new ServerProcess(folder, env)
  onTestFinished(() => void server.stop('SIGKILL'))
  await server.ready()
  const { json } = await server.call('GET', '/config.json')
  expect(json).toMatchObject({ apiBaseUrl: '', capabilities: 'partial' })
  const signedIn = await server.signIn('ana@plain.test', 'a plain password')
  const plans = await server.call('GET', '/api/v1/success-plans?page=1', undefined, {
    ...signedIn,
    'X-organisation': '1',
  })
  expect(plans).toMatchObject({ status: 200, json: { meta: { total: 4 } } })
  const page = await fetch(server.url, { headers: { Accept: 'text/html' } })
  expect(page.headers.get('Content-Security-Policy')).toContain("connect-src 'self';")
})

test.each([
  [{ API_PROXY: '1' }, 'API_URL missing: API_PROXY passes calls through to it.'],
  ...[
    'api.example.com',
    'ftp://api.example.com',
    'https://user@api.example.com',
    'https://api.example.com/?a',
    'https://api.example.com/a/../b',
    'https://api.example.com;script-src',
    "https://api.example.com 'unsafe-inline'",
  ].map((API_URL): [Record<string, string>, string] => [
    { API_URL },
    `API_URL must be like https://api.example.com, not "${API_URL}".`,
  ]),
])('a wrong address stops the start: %j', (env, words) => {
  expect(() => readConfiguration(env)).toThrow(words)
})
