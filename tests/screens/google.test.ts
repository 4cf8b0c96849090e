// What comes back from Google is believed only where it was asked for here.
import { expect, test } from 'vitest'
import { googlePage, readAnswer } from '../../src/features/session/google.ts'
import { returnPathFor } from '../../src/features/session/return-path.ts'
import { sessionMessages } from '../../src/features/session/words.ts'

const ERRAND = { state: 's-1', nonce: 'n-1', redirect: null, invite: '' }
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (claims: object) => `${part({ alg: 'RS256' })}.${part(claims)}.signature`
const TOKEN = tokenOf({ nonce: 'n-1', email_verified: true, name: 'Zoë Ångström ÿ?>' })
const answered = (fields: Record<string, string>, errand: typeof ERRAND | null = ERRAND) =>
  readAnswer(`#${new URLSearchParams(fields).toString()}`, errand)

test('answer-is-lost', () => {
  expect(answered({ id_token: TOKEN, state: 's-1', authuser: '0' })).toEqual({ token: TOKEN })
})

test('answer-of-a-stranger-signs-in', () => {
  for (const state of ['s-2', ''])
    expect(answered({ id_token: TOKEN, state })).toEqual({ failure: 'foreign' })
  expect(answered({ id_token: TOKEN })).toEqual({ failure: 'foreign' })
  expect(answered({ id_token: TOKEN, state: 's-1' }, null)).toEqual({ failure: 'foreign' })
  expect(answered({ error: 'access_denied', state: 's-2' })).toEqual({ failure: 'foreign' })
})

test('token-of-another-sign-in-is-slipped-in', () => {
  for (const claims of [{ nonce: 'n-2', email_verified: true }, { email_verified: true }])
    expect(answered({ id_token: tokenOf(claims), state: 's-1' })).toEqual({ failure: 'foreign' })
})

test('address-that-is-not-confirmed', () => {
  for (const email_verified of [false, 'true', undefined])
    expect(answered({ id_token: tokenOf({ nonce: 'n-1', email_verified }), state: 's-1' })).toEqual(
      {
        failure: 'unverified',
      },
    )
})

test('cancelling-reads-as-a-fault', () => {
  expect(answered({ error: 'access_denied', state: 's-1' })).toEqual({ failure: 'cancelled' })
  expect(answered({ error: 'server_error', state: 's-1' })).toEqual({ failure: 'failed' })
})

test('answer-makes-no-sense', () => {
  for (const id_token of ['', 'made-up', 'a.b.c', 'a.bnVsbA.c', '..'])
    expect(answered({ id_token, state: 's-1' })).toEqual({ failure: 'failed' })
  expect(answered({ state: 's-1' })).toEqual({ failure: 'failed' })
})

test('google-is-told-more-than-it-needs', () => {
  const config = {
    googleClientId: 'cairn.apps.example.com',
    googleAuthorizationUrl: 'https://accounts.example/auth?hl=en',
  }
  const page = new URL(googlePage(config, ERRAND, 'https://cairn.example'))
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

test('somebody-else-goes-on-where-another-was', () => {
  const ann = { user: { id: 'ann' } }
  expect(returnPathFor('/accounts', undefined, ann)).toBe('/accounts')
  expect(returnPathFor('/accounts', { user_id: 'ann' }, ann)).toBe('/accounts')
  expect(returnPathFor('/accounts', { user_id: 'bob' }, ann)).toBe('/')
  expect(returnPathFor('https://evil.example', undefined, ann)).toBe('/')
})

test('a-quarter-of-an-hour-reads-as-days', () => {
  expect(sessionMessages.limited(15 * 60_000)).toBe('Too many tries. Try again in 15 minutes.')
  expect(sessionMessages.limited(400)).toBe('Too many tries. Try again in 1 minute.')
})
