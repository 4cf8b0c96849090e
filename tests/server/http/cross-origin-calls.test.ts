// Calls of other origins: only those of CORS_ORIGINS may make them, without credentials.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hono } from 'hono'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { ApiFixture } from '../fixtures/api-fixture.ts'

const APP = 'https://app.example.com'
let world: ApiFixture
let app: Hono
beforeAll(async () => {
  world = await ApiFixture.open()
  const { corsOrigins } = readConfiguration({ CORS_ORIGINS: `${APP}, http://localhost:5173` })
  app = world.appWith({ corsOrigins })
})
afterAll(() => world.close())

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
const call = async (method: string, path: string, headers: Record<string, string>, from = app) =>
  await world.call(method, path, { headers }, from)
const preflight = (Origin: string, path = '/api/v1/accounts', from = app) =>
  call('OPTIONS', path, { Origin, 'Access-Control-Request-Method': 'POST' }, from)

const EXPOSED = 'Cairn-Capabilities, Retry-After, ETag, Location, X-Request-Id'

test.each(['/api/v1/accounts', '/oauth/token', '/healthz'])(
  'a preflight of a configured origin is answered: %s',
  async (path) => {
    const answer = await preflight(APP, path)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('Vary')).toContain('Origin')
    expect(corsOf(answer.headers)).toEqual({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Accept, X-organisation, Idempotency-Key, If-Match, Cairn-App',
      'access-control-expose-headers': EXPOSED,
      'access-control-max-age': '7200',
    })
  },
)

test.each([
  ['an answer', 'GET', '/healthz', 200],
  ['a call without a token', 'GET', '/api/v1/accounts', 401],
  ['a missing route', 'GET', '/api/v1/nothing', 404],
  ['a sign-in without a body', 'POST', '/oauth/token', 415],
])('%s can be read, with the headers that the app needs', async (_what, method, path, status) => {
  const answer = await call(method, path, { Origin: APP })
  expect(answer.status).toBe(status)
  expect(corsOf(answer.headers)).toEqual({
    'access-control-allow-origin': APP,
    'access-control-expose-headers': EXPOSED,
  })
  expect(answer.headers.get('Vary')).toContain('Origin')
})

test.each([
  'https://app.example.com.evil.test',
  'https://evil.test',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://sub.app.example.com',
  'HTTPS://APP.EXAMPLE.COM',
  'null',
  '*',
])('another origin may not: %s', async (Origin) => {
  expect(corsOf((await preflight(Origin)).headers)).toEqual({})
  const answer = await call('GET', '/healthz', { Origin })
  expect(corsOf(answer.headers)).toEqual({})
  // A cache must not give this answer to an origin that may.
  expect(answer.headers.get('Vary')).toContain('Origin')
})

test('pages and the configuration are for the own origin only', async () => {
  for (const path of ['/config.json', '/openapi.json', '/api-docs'])
    expect(corsOf((await call('GET', path, { Origin: APP })).headers)).toEqual({})
})

test('without CORS_ORIGINS no origin may', async () => {
  const closed = world.appWith({ corsOrigins: readConfiguration({}).corsOrigins })
  expect(corsOf((await preflight(APP, '/api/v1/accounts', closed)).headers)).toEqual({})
  const answer = await call('GET', '/healthz', { Origin: APP }, closed)
  expect([corsOf(answer.headers), answer.headers.get('Vary')]).toEqual([{}, null])
})

test.each(['*', 'app.example.com', 'https://app.example.com/', 'https://*.example.com', 'null'])(
  'what is no origin stops the start: %s',
  (CORS_ORIGINS) => {
    expect(() => readConfiguration({ CORS_ORIGINS })).toThrow(
      `CORS_ORIGINS must be origins such as https://app.example.com, not "${CORS_ORIGINS}".`,
    )
  },
)
