// @vitest-environment jsdom
// A response of a provider is accepted only if this browser asked for it.
import { expect, test } from 'vitest'
import {
  consumeAuthRequest,
  goToGoogle,
  googlePage,
  readAnswer,
  type AuthRequest,
} from '../../../src/features/session/social/auth-request.ts'
import { returnPathFor } from '../../../src/features/session/return-path.ts'
import { sessionMessages } from '../../../src/features/session/messages.ts'

const REQUEST = { state: 's-1', nonce: 'n-1', redirect: null, invite: '' }
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (claims: object) => `${part({ alg: 'RS256' })}.${part(claims)}.signature`
const TOKEN = tokenOf({ nonce: 'n-1', email_verified: true, name: 'Zoë Ångström ÿ?>' })
const responseWith = (fields: Record<string, string>, errand: AuthRequest | null = REQUEST) =>
  readAnswer(`#${new URLSearchParams(fields).toString()}`, errand)

test('accepts the token for the state that was sent', () => {
  expect(responseWith({ id_token: TOKEN, state: 's-1', authuser: '0' })).toEqual({
    provider: 'google',
    nonce: 'n-1',
    token: TOKEN,
  })
})

test('rejects a response with another state, or that was never requested', () => {
  for (const state of ['s-2', ''])
    expect(responseWith({ id_token: TOKEN, state })).toEqual({ failure: 'foreign' })
  expect(responseWith({ id_token: TOKEN })).toEqual({ failure: 'foreign' })
  expect(responseWith({ id_token: TOKEN, state: 's-1' }, null)).toEqual({ failure: 'foreign' })
  expect(responseWith({ error: 'access_denied', state: 's-2' })).toEqual({ failure: 'foreign' })
})

test('rejects the code of another issuer with another state', () => {
  const request = { ...REQUEST, code_verifier: 'v-1' }
  expect(responseWith({ code: 'c-1', state: 's-1' }, request)).toEqual({
    provider: 'oidc',
    nonce: 'n-1',
    code: 'c-1',
    code_verifier: 'v-1',
  })
  for (const state of ['s-2', ''])
    expect(responseWith({ code: 'c-1', state }, request)).toEqual({ failure: 'foreign' })
})

test('an answer counts once', () => {
  // An address that the page does not leave for.
  const config = { googleAuthorizationUrl: 'about:blank' }
  expect(goToGoogle(config, { redirect: '/accounts', invite: '' })).toBe(false)
  expect(consumeAuthRequest()).toMatchObject({ redirect: '/accounts', invite: '' })
  expect(consumeAuthRequest()).toBeNull()
})

test('rejects a token with another nonce, or none', () => {
  for (const claims of [{ nonce: 'n-2', email_verified: true }, { email_verified: true }])
    expect(responseWith({ id_token: tokenOf(claims), state: 's-1' })).toEqual({
      failure: 'foreign',
    })
})

test('rejects a token whose e-mail address is not verified', () => {
  for (const email_verified of [false, 'true', undefined])
    expect(
      responseWith({ id_token: tokenOf({ nonce: 'n-1', email_verified }), state: 's-1' }),
    ).toEqual({
      failure: 'unverified',
    })
})

test('tells a cancelled sign-in from a failed one', () => {
  expect(responseWith({ error: 'access_denied', state: 's-1' })).toEqual({ failure: 'cancelled' })
  expect(responseWith({ error: 'server_error', state: 's-1' })).toEqual({ failure: 'failed' })
})

test('fails on malformed tokens', () => {
  for (const id_token of ['', 'made-up', 'a.b.c', 'a.bnVsbA.c', '..'])
    expect(responseWith({ id_token, state: 's-1' })).toEqual({ failure: 'failed' })
  expect(responseWith({ state: 's-1' })).toEqual({ failure: 'failed' })
})

test('sends Google only what sign-in needs', () => {
  const config = {
    googleClientId: 'cairn.apps.example.com',
    googleAuthorizationUrl: 'https://accounts.example/auth?hl=en',
  }
  const page = new URL(googlePage(config, REQUEST, 'https://cairn.example'))
  expect(page.origin + page.pathname).toBe('https://accounts.example/auth')
  expect(Object.fromEntries(page.searchParams)).toEqual({
    hl: 'en',
    client_id: 'cairn.apps.example.com',
    redirect_uri: 'https://cairn.example/auth',
    response_type: 'id_token',
    scope: 'openid email profile',
    prompt: 'select_account',
    state: 's-1',
    nonce: 'n-1',
  })
})

test('returns to the previous path only for the same user', () => {
  const ann = { user: { id: 'ann' } }
  expect(returnPathFor('/accounts', undefined, ann)).toBe('/accounts')
  expect(returnPathFor('/accounts', { user_id: 'ann' }, ann)).toBe('/accounts')
  expect(returnPathFor('/accounts', { user_id: 'bob' }, ann)).toBe('/')
  expect(returnPathFor('https://evil.example', undefined, ann)).toBe('/')
})

test('states a waiting time in minutes, at least one', () => {
  expect(sessionMessages.limited(15 * 60_000)).toBe('Too many attempts. Try again in 15 minutes.')
  expect(sessionMessages.limited(400)).toBe('Too many attempts. Try again in 1 minute.')
})
