// A sign-in that did not succeed leaves a half session, or the user without the reason.
import { expect, onTestFinished, test } from 'vitest'
import type { SignInResult } from '../../../src/sync/core/token-client.ts'
import { EngineFixture, offline } from '../engine-fixture.ts'

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

const JSON_HEADERS = { 'content-type': 'application/json' }

/** The result of a sign-in whose calls of `path` get that answer, and who is signed in afterwards. */
async function signInWith(path: string, { status, headers = {}, body = {} }: Answer) {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.tab()
  stage.network = (request, answer) =>
    request.url.startsWith(path)
      ? { status, headers: { ...JSON_HEADERS, ...headers }, text: JSON.stringify(body) }
      : answer()
  return { result: await signIn(tab), session: tab.session.current().session }
}

const signIn = (tab: Awaited<ReturnType<EngineFixture['tab']>>): Promise<SignInResult> =>
  tab.signIn({ grant_type: 'password', username: 'ann', password: 'secret of ann' })

test('says that the password is wrong, with the server’s words', async () => {
  const message = 'These credentials do not match our records.'
  const body = { error: 'invalid_grant', message }
  expect(await signInWith('/oauth/token', { status: 400, body })).toEqual({
    result: { ok: false, reason: 'refused', message },
    session: null,
  })
})

test('says how long to wait after too many attempts', async () => {
  const limited = { status: 429, headers: { 'retry-after': '90' }, body: { message: 'Slow down.' } }
  expect(await signInWith('/oauth/token', limited)).toEqual({
    result: { ok: false, reason: 'limited', message: 'Slow down.', retryAfterMs: 90_000 },
    session: null,
  })
})

test('says how long to wait where the server limits the call that follows', async () => {
  const limited = { status: 429, headers: { 'retry-after': '90' }, body: { message: 'Slow down.' } }
  expect(await signInWith('/api/v1/userinfo', limited)).toEqual({
    result: { ok: false, reason: 'limited', message: 'Slow down.', retryAfterMs: 90_000 },
    session: null,
  })
})

test('says that too many attempts were made when the server names no time', async () => {
  const { result } = await signInWith('/oauth/token', { status: 429 })
  expect(result).toEqual({ ok: false, reason: 'limited', message: '' })
})

test.for([500, 503])('takes a %i for a server that cannot be reached', async (status) => {
  const { result } = await signInWith('/oauth/token', { status })
  expect(result).toMatchObject({ ok: false, reason: 'unreachable' })
})

test.for([
  [401, 'not-understood'],
  [403, 'not-understood'],
  [500, 'unreachable'],
] as const)(
  'signs no one in when the user’s data is answered with %i: %s',
  async ([status, reason]) => {
    expect(await signInWith('/api/v1/userinfo', { status })).toEqual({
      result: { ok: false, reason, message: '' },
      session: null,
    })
  },
)

test.for<[number, object, string]>([
  [401, { error: 'invalid_client' }, 'not-understood'],
  [400, { error: 'unsupported_grant_type' }, 'not-understood'],
  [403, {}, 'not-understood'],
  [404, {}, 'not-understood'],
  [405, {}, 'not-understood'],
  [401, { message: 'Unauthenticated.' }, 'refused'],
  [401, { error: 'Unauthorized', statusCode: 401 }, 'refused'],
  [400, { error: { message: 'The password is wrong.' } }, 'refused'],
  [422, { errors: { username: ['Unknown.'] } }, 'refused'],
])('a sign-in answered with %i %o is %s', async ([status, body, reason]) => {
  const { result } = await signInWith('/oauth/token', { status, body })
  expect(result).toMatchObject({ ok: false, reason })
})

test.for([400, 401])('a page with %i says nothing about the password', async (status) => {
  const headers = { 'content-type': 'text/html' }
  const { result } = await signInWith('/oauth/token', { status, headers, body: '<h1>Proxy</h1>' })
  expect(result).toEqual({ ok: false, reason: 'not-understood', message: '' })
})

test('signs no one in without a network, and the user in with one', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.tab()
  stage.network = offline
  expect(await signIn(tab)).toEqual({ ok: false, reason: 'unreachable', message: '' })
  stage.network = (_request, answer) => answer()
  expect(await signIn(tab)).toEqual({ ok: true })
  expect(tab.session.current().session).toMatchObject({
    user: { id: 'ann' },
    active_organisation: null,
  })
  expect(tab.session.caller()).toEqual({ user_id: 'ann', organisation_id: null })
})

test('shows that the device was signed in before, so that others’ attempts do not keep it out', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.tab()
  const sent = async () => {
    await signIn(tab)
    const request = stage.requests.findLast(({ url }) => url === '/oauth/token')
    return JSON.parse(request?.body ?? '') as object
  }
  expect(await sent()).not.toHaveProperty('device_token')
  stage.deviceTokens = 'first.second'
  expect(await sent()).toMatchObject({ device_token: 'first.second' })
})
