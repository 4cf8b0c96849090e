// Invalid request bodies on a real connection, and the headers that every answer has.
import { Buffer } from 'node:buffer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWN_CAPABILITIES } from '../../../contract/capabilities.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const PLANS = '/api/v1/success-plans'
const MIB = 1024 * 1024

/** Sends raw bytes. */
const send = (body: BodyInit, contentType = 'application/json', headers = {}) =>
  world.app.request(PLANS, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${mia.tokens.access_token}`,
      'X-organisation': mia.organisation,
      'Content-Type': contentType,
      ...headers,
    },
    body,
  })
const answer = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as unknown,
})

const NOT_JSON = { status: 400, body: { message: 'The request is not JSON.' } }
test.each(['{', '', '{"title":NaN}', '{"title":"a",}', '\u0000', "{'title':1}"])(
  'malformed JSON is rejected: %j',
  async (body) => {
    expect(await answer(await send(body))).toEqual(NOT_JSON)
  },
)

test('invalid UTF-8 is rejected, not replaced', async () => {
  const bytes = Uint8Array.from([...Buffer.from('{"title":"'), 0xff, 0xfe, ...Buffer.from('"}')])
  expect(await answer(await send(bytes))).toEqual({
    status: 400,
    body: { message: 'The request is not UTF-8.' },
  })
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
  'other media types are rejected: %j',
  async (type) => {
    expect(await answer(await send('{}', type))).toEqual({
      status: 415,
      body: { message: 'Send JSON, with Content-Type: application/json.' },
    })
  },
)

test('a body over one mebibyte is rejected, with and without a declared length', async () => {
  const large = { status: 413, body: { message: 'The request is larger than 1 MiB.' } }
  const body = JSON.stringify({ title: 'x'.repeat(MIB) })
  expect(await answer(await send(body))).toEqual(large)
  expect(
    await answer(await send('{}', 'application/json', { 'Content-Length': `${10 * MIB}` })),
  ).toEqual(large)
})

const anyonesForms = Object.values<Endpoint>(endpoints).filter(
  ({ who, body, method }) => who === 'anyone' && body && method === 'POST',
)
test.each(anyonesForms.map(({ path }) => path))(
  'a call without a sign-in holds no large body: %s',
  async (path) => {
    const response = await world.app.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': `${64 * 1024 + 1}` },
      body: '{}',
    })
    expect(response.status).toBe(413)
  },
)

test.each(['[]', 'null', '1', '"text"', '[{"title":"a","type":"project"}]'])(
  'JSON that is no object is rejected: %s',
  async (body) => {
    expect((await send(body)).status).toBe(422)
  },
)

test('a hundred thousand nested levels are ignored in an unknown field, and rejected in a known one', async () => {
  const deep = `{"title":"a","type":"project","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect((await send(deep)).status).toBe(201)
  const field = `{"type":"project","title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect((await send(field)).status).toBe(422)
})

const many = (element: unknown) => Array.from({ length: 50_000 }, () => element)
const LONG_LISTS: [string, string, object][] = [
  ['/api/v1/templates', 'initiatives', { initiatives: many({}) }],
  ['/api/v1/templates', 'initiatives.0.actions', { initiatives: [{ actions: many([]) }] }],
  ['/api/v1/accounts', 'tags', { name: 'A', tags: many(1) }],
  ['/api/v1/batch', 'operations', { operations: many({}) }],
]
test.each(LONG_LISTS)(
  'a list at %s is refused by its length alone: %s',
  async (path, field, body) => {
    const refused = await mia.post(path, body)
    expect(refused.status).toBe(422)
    const errors = refused.json.errors as Record<string, unknown>
    expect(Object.keys(errors)).toHaveLength(1)
    expect(errors).toEqual({ [field]: [expect.stringMatching(/^Use at most \d+ /)] })
  },
)

/** The lists in a schema that have no limit, by their paths. */
function endlessLists(schema: unknown, path: string): string[] {
  const { item, wrapped, entries, options, pipe } = schema as {
    item?: object
    wrapped?: object
    entries?: Record<string, object>
    options?: object[]
    pipe?: { type: string }[]
  }
  const isEndless = item && !pipe?.some(({ type }) => type === 'max_length')
  return [
    ...(isEndless ? [path] : []),
    ...[item, wrapped].flatMap((inner) => (inner ? endlessLists(inner, path) : [])),
    ...(options ?? []).flatMap((inner) =>
      typeof inner === 'object' ? endlessLists(inner, path) : [],
    ),
    ...Object.entries(entries ?? {}).flatMap(([name, inner]) =>
      endlessLists(inner, `${path}.${name}`),
    ),
  ]
}

test('every list in a request has a limit', () => {
  const bodies = Object.entries<Endpoint>(endpoints).flatMap(([name, { body }]) =>
    body ? endlessLists(body, name) : [],
  )
  expect(bodies).toEqual([])
})

test('__proto__ in a body or a query pollutes no prototype', async () => {
  await send('{"title":"a","type":"project","__proto__":{"polluted":true}}')
  expect((await mia.get(`${PLANS}?__proto__[polluted]=true`)).status).toBe(422)
  expect((await mia.get(`${PLANS}?filters[__proto__][polluted]=true`)).status).toBe(422)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('text is returned byte by byte, markup included', async () => {
  const title = `<script>alert('"')</script> & \u{1F9D7} é`
  const plan = await mia.createPlan({ title })
  const read = await mia.get(`${PLANS}/${plan}`)
  expect(read.data()).toMatchObject({ title })
  expect(read.headers.get('Content-Type')).toBe('application/json')
  expect(read.headers.get('X-Content-Type-Options')).toBe('nosniff')
})

test('an unknown path is a 404 in JSON, also under /api', async () => {
  for (const path of ['/api/v1/unknown', '/api/v2/accounts', '/oauth/authorize', '/nowhere']) {
    const unknown = await world.call('GET', path, { headers: { Accept: 'text/html' } })
    expect(unknown.statusAndBody).toEqual({ status: 404, body: { message: 'Not Found' } })
  }
})

test('a server error discloses nothing but its request id', async () => {
  const broken = await ApiFixture.open()
  const app = broken.appWith({
    database: {
      ...broken.database,
      system: () => Promise.reject(new Error('The password is swordfish.')),
    },
  })
  const logged: unknown[] = []
  const { error } = console
  console.error = (line: unknown) => logged.push(line)
  const failed = await app.request('/readyz')
  console.error = error
  const request_id = failed.headers.get('X-Request-Id')
  expect(failed.status).toBe(500)
  expect(await failed.json()).toEqual({ message: 'Internal Server Error', request_id })
  expect(String(logged[0])).toContain(request_id)
  await broken.close()
})

test('every response has a request id, no-store and the security headers', async () => {
  const csp =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
  const ids = new Set<string | null>()
  const answers = [
    await mia.get(PLANS),
    await world.call('GET', PLANS),
    await world.call('GET', '/nowhere'),
    await world.token({}),
    await world.call('GET', '/config.json'),
  ]
  for (const { headers } of answers) {
    ids.add(headers.get('X-Request-Id'))
    expect(headers.get('Cairn-Capabilities')).toBe(OWN_CAPABILITIES)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Content-Security-Policy')).toBe(csp)
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
    expect(headers.get('Permissions-Policy')).toContain('camera=()')
    expect(headers.get('Strict-Transport-Security')).toBeNull()
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  }
  expect(ids.size).toBe(answers.length)
  expect(ids.has(null)).toBe(false)
})

test('HSTS is sent on https, as a trusted proxy reports it', async () => {
  const strict = async (app: typeof world.app, url: string) =>
    (await app.request(url, { headers: { 'X-Forwarded-Proto': 'https' } })).headers.get(
      'Strict-Transport-Security',
    )
  const year = 'max-age=31536000; includeSubDomains'
  expect(await strict(world.app, 'https://cairn.example.com/healthz')).toBe(year)
  expect(await strict(world.app, 'http://cairn.example.com/healthz')).toBeNull()
  const trusting = world.appWith({ trustProxy: true })
  expect(await strict(trusting, 'http://cairn.example.com/healthz')).toBe(year)
})

test('the configuration contains no secret, and null for what is not configured', async () => {
  expect((await world.call('GET', '/config.json')).json).toEqual({
    apiBaseUrl: '',
    capabilities: OWN_CAPABILITIES,
    clientId: 'cairn-app',
    clientSecret: 'cairn-app-is-public',
    environment: 'production',
    posthogPublicKey: null,
    posthogHost: null,
    recaptchaKey: null,
    recaptchaScriptUrl: null,
    sentryDsn: null,
    sentryOrg: null,
    sentryProjectId: null,
    googleClientId: null,
    googleAuthorizationUrl: null,
    oidcName: null,
    professionalPrice: null,
    vapidPublicKey: null,
    formerApiBaseUrls: [],
    redirects: [],
    registration: 'open',
    mail: 'folder',
  })
})
