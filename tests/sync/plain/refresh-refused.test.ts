// Servers refuse a refresh in different words, and gateways answer in their place.
import { expect, test } from 'vitest'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

/** A tab whose tokens the server does not accept any more. `ahead` moves the device's clock. */
async function revoked(options: ConstructorParameters<typeof PlainFixture>[0]) {
  const stage = new PlainFixture(options)
  const began = Date.now()
  let ahead = 0
  const real = stage.ports.bind(stage)
  stage.ports = () => ({ ...real(), clock: { now: () => began + ahead } })
  const tab = await stage.readTab()
  stage.plain.tokens.revokeAll()
  const isSignedIn = () => tab.session.current().session !== null
  const pullAfter = async (ms: number) => {
    ahead += ms
    await tab.pullScheduler.pullAgain()
  }
  return { stage, tab, isSignedIn, pullAfter }
}

test('a token that ends soon after one call alone refused it is renewed at once', async () => {
  const stage = new PlainFixture({ capabilities: 'changes' })
  stage.plain.refuse({ path: /changes/ }, 401)
  const tab = await stage.readTab()
  const token = () => tab.session.current().session?.access_token
  const ended = token()
  stage.network = (request) =>
    request.headers.Authorization === `Bearer ${ended}`
      ? {
          status: 401,
          headers: { 'content-type': 'application/json' },
          text: '{"message":"Unauthenticated."}',
        }
      : stage.answer(request)
  await tab.pullScheduler.pullAgain()
  expect(token()).not.toBe(ended)
})

test('a server without a refresh is asked for one once by all lists of a reading, and again later', async () => {
  const { isSignedIn, pullAfter, stage } = await revoked({})
  stage.plain.refuse({ path: /oauth/ }, 404, '{"message":"Not found."}')
  const refreshes = () =>
    stage.plain.requests.filter(({ path }) => path.includes('/oauth/token')).length
  const before = refreshes()
  await pullAfter(0)
  expect(refreshes() - before).toBe(1)
  await pullAfter(5_000)
  expect(refreshes() - before).toBe(2)
  expect(isSignedIn()).toBe(true)
})

test('an error of the token endpoint signs out at once', async () => {
  const { isSignedIn, pullAfter } = await revoked({ refusedRefresh: 'oauth' })
  await pullAfter(0)
  expect(isSignedIn()).toBe(false)
})

test('Laravel’s own 401 signs out when a later one agrees', async () => {
  const { isSignedIn, pullAfter, tab } = await revoked({ refusedRefresh: 'message' })
  await pullAfter(0)
  await pullAfter(0)
  expect(isSignedIn()).toBe(true)
  expect(tab.state.connection.get()).not.toBe('offline')
  await pullAfter(10_000)
  await waitFor(() => expect(isSignedIn()).toBe(false))
})

test('400 without the member `error` signs out when one at least 10 s later agrees', async () => {
  const { isSignedIn, pullAfter, stage } = await revoked({})
  stage.plain.refuse({ path: /^\/oauth/ }, 400, '{"message":"Bad Request"}')
  await pullAfter(0)
  await pullAfter(6_000)
  expect(isSignedIn()).toBe(true)
  await pullAfter(6_000)
  await waitFor(() => expect(isSignedIn()).toBe(false))
})

test('400 without the member `error` signs no one out while the calls are not refused by the server itself', async () => {
  const { isSignedIn, pullAfter, stage, tab } = await revoked({})
  stage.plain.refuse({ path: /^\/oauth/ }, 400, '{"message":"Bad Request"}')
  stage.plain.refuse({ path: /^\/api/ }, 401, '<h1>Sign in to the train</h1>')
  await pullAfter(0)
  await pullAfter(20_000)
  expect(isSignedIn()).toBe(true)
  expect(tab.session.caller()).toBeDefined()
})

test('a page in place of the calls’ own refusal is no agreement', async () => {
  const { isSignedIn, pullAfter, stage } = await revoked({ refusedRefresh: 'message' })
  stage.plain.refuse({ path: /^\/api/ }, 401, '<h1>Sign in to the train</h1>')
  await pullAfter(0)
  await pullAfter(20_000)
  expect(isSignedIn()).toBe(true)
})

test('a fault of the client’s configuration is not understood, and signs no one out', async () => {
  const { isSignedIn, pullAfter, tab } = await revoked({ refusedRefresh: 'invalid_client' })
  await pullAfter(0)
  await pullAfter(20_000)
  expect(isSignedIn()).toBe(true)
  expect(tab.state.connection.get()).toBe('not-understood')
})

test.for([403, 404, 405, 422])(
  'a token endpoint that answers %i signs no one out',
  async (status) => {
    const { isSignedIn, pullAfter, stage, tab } = await revoked({})
    stage.plain.refuse({ path: /^\/oauth/ }, status)
    await pullAfter(0)
    await pullAfter(20_000)
    expect(isSignedIn()).toBe(true)
    expect(tab.state.connection.get()).toBe('not-understood')
  },
)

test.for<[string, object]>([
  ['a text', { error: 'Unauthorized', message: 'The token has expired.', statusCode: 401 }],
  ['an object', { error: { code: 401, message: 'The token has expired.' } }],
  ['null', { error: null }],
])('a refusal with %s in `error` signs out when a later one agrees', async ([, rejection]) => {
  const { isSignedIn, pullAfter, stage } = await revoked({})
  stage.plain.refuse({ path: /^\/oauth/ }, 401, JSON.stringify(rejection))
  await pullAfter(0)
  expect(isSignedIn()).toBe(true)
  await pullAfter(10_000)
  await waitFor(() => expect(isSignedIn()).toBe(false))
})

test.for<[string, (tokens: Record<string, unknown>) => object]>([
  ['no refresh token', ({ access_token }) => ({ access_token })],
  ['a refresh token that is null', (tokens) => ({ ...tokens, refresh_token: null })],
  ['neither, in an envelope', ({ access_token }) => ({ data: { access_token } })],
])('after a refresh that answers %s the one in use stays good', async ([, change]) => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const before = tab.session.current().session
  // Without rotation every refresh is made with the first token.
  const { text } = stage.answer({
    method: 'POST',
    url: '/oauth/token',
    headers: {},
    timeoutMs: 0,
    body: JSON.stringify({
      grant_type: 'password',
      username: 'ana@plain.test',
      password: 'a plain password',
    }),
  })
  const issued = JSON.parse(text) as Record<string, unknown>
  stage.network = (request) => {
    if (request.headers.Authorization === `Bearer ${before?.access_token}`)
      return { status: 401, headers: { 'content-type': 'application/json' }, text: '{}' }
    const real = stage.answer(request)
    return request.url === '/oauth/token'
      ? { ...real, status: 200, text: JSON.stringify({ ...change(issued), expires_in: '900' }) }
      : real
  }
  await tab.pullScheduler.pullAgain()
  const { session } = tab.session.current()
  expect(session?.access_token).toBe(issued.access_token)
  expect(session?.refresh_token).toBe(before?.refresh_token)
  expect(tab.state.connection.get()).toBe('online')
})

test('tokens that are refused as soon as they came are not replaced for each call', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const refreshes = () => stage.plain.seen('POST', /token$/).length
  const page = { status: 401, headers: { 'content-type': 'text/html' }, text: '<h1>Sign in</h1>' }
  stage.network = (request) => (/oauth/.test(request.url) ? stage.answer(request) : page)
  const before = refreshes()
  await tab.pullScheduler.pullAgain()
  await tab.pullScheduler.pullAgain()
  expect(refreshes()).toBe(before + 1)
  expect(tab.session.caller()).toBeDefined()
  stage.network = stage.answer
  stage.plain.tokens.expireAll()
  stage.aheadMs += 60_000
  await tab.pullScheduler.pullAgain()
  expect(refreshes()).toBe(before + 2)
  expect(tab.state.connection.get()).toBe('online')
})

test('a call that is denied with tokens that others are answered with asks for no others', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const refreshes = () => stage.plain.seen('POST', /token$/).length
  stage.plain.refuse({ path: /\/initiatives$/ }, 401)
  const before = refreshes()
  await tab.pullScheduler.pullAgain()
  expect(refreshes()).toBe(before + 1)
  stage.aheadMs += 60_000
  await tab.pullScheduler.pullAgain()
  expect(refreshes()).toBe(before + 1)
  expect(tab.session.caller()).toBeDefined()
})
