// Signing in with Google: a real issuer on the loopback, and ID tokens that must be rejected.
import { createServer, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SignJWT, UnsecuredJWT, exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import type { Tokens } from '../../../contract/schemas/people.ts'
import { createGoogleVerifier } from '../../../server/auth/google.ts'
import { appConfig } from '../../../server/configuration/configuration.ts'
import { ApiUser, ApiFixture } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'

const CLIENT_ID = 'cairn.apps.example.com'
const NONCE = 'n-1'

/** An issuer of ID tokens: discovery, keys, and a signature on any claims. */
class Issuer {
  readonly server: Server
  url = ''
  isDown = false
  /** The issuer's name in the discovery document. */
  alias: string | undefined
  #keys: { kid: string; pair: CryptoKeyPair }[] = []

  constructor() {
    this.server = createServer((request, response) => void this.#answer(request.url, response))
  }

  async start(): Promise<void> {
    await this.rotate('first')
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async rotate(kid: string): Promise<void> {
    this.#keys = [...this.#keys, { kid, pair: await generateKeyPair('RS256') }]
  }

  async #answer(path: string | undefined, response: ServerResponse) {
    if (this.isDown) {
      response.writeHead(500).end('<html>Down</html>')
      return
    }
    const keys = this.#keys.map(async ({ kid, pair }) => ({
      ...(await exportJWK(pair.publicKey)),
      kid,
      alg: 'RS256',
      use: 'sig',
    }))
    const body =
      path === '/keys'
        ? { keys: await Promise.all(keys) }
        : { issuer: this.alias ?? this.url, jwks_uri: `${this.url}/keys` }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }

  /** The claims of a user who has just signed in. */
  claims(more: Record<string, unknown> = {}) {
    const now = Math.floor(world.now.getTime() / 1000)
    const sub = uuidv7()
    return {
      iss: this.url,
      aud: CLIENT_ID,
      iat: now,
      exp: now + 3600,
      sub,
      email: `${sub}@example.com`,
      email_verified: true,
      name: 'Gina Google',
      nonce: NONCE,
      jti: uuidv7(),
      ...more,
    }
  }

  sign(claims: Record<string, unknown>, { kid, pair } = this.newest): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(pair.privateKey)
  }

  get newest() {
    const newest = this.#keys.at(-1)
    if (!newest) throw new Error('There is no key yet.')
    return newest
  }
}

let world: ApiFixture
let issuer: Issuer
beforeAll(async () => {
  issuer = new Issuer()
  await issuer.start()
  world = await ApiFixture.open({
    google: createGoogleVerifier({ clientId: CLIENT_ID, issuer: issuer.url, now: () => world.now }),
  })
})
afterAll(async () => {
  issuer.server.close()
  await world.close()
})

const signIn = (token: unknown, more: object = {}, app = world.app) =>
  world.token({ grant_type: 'social', provider: 'google', token, nonce: NONCE, ...more }, app)
const tokenOf = async (more: Record<string, unknown> = {}) => issuer.sign(issuer.claims(more))
async function userOf(token: string) {
  const tokens = (await signIn(token)).json as unknown as Tokens
  const person = new ApiUser(world, { id: '', email: '', tokens })
  return (await person.get('/api/v1/userinfo')).data<{ id: string; email: string; name: string }>()
}
const REFUSED = {
  status: 400,
  body: {
    error: 'invalid_grant',
    error_description: 'This sign-in is not valid. Please try again.',
    message: 'This sign-in is not valid. Please try again.',
  },
}
const usersWith = (email: string) =>
  world.database.auth((tx) =>
    tx.selectFrom('users').select('id').where('email', '=', email).execute(),
  )

test('a new Google user gets an account and keeps it after changing the address at Google', async () => {
  const claims = issuer.claims({ email: 'Gina@Example.com', picture: 'https://example.com/g.png' })
  const user = await userOf(await issuer.sign(claims))
  expect(user).toMatchObject({
    email: 'gina@example.com',
    name: 'Gina Google',
    avatar_url: 'https://example.com/g.png',
  })
  const moved = await userOf(await issuer.sign({ ...claims, email: 'gina@elsewhere.example' }))
  expect(moved).toEqual(user)
  expect(await usersWith('gina@elsewhere.example')).toEqual([])
})

test('two simultaneous sign-ins create one account', async () => {
  const claims = issuer.claims()
  const tokens = [await issuer.sign(claims), await issuer.sign({ ...claims, jti: 'other' })]
  const [one, other] = await Promise.all(tokens.map(userOf))
  expect(one?.id).toBe(other?.id)
})

test('a token is good for one sign-in', async () => {
  const token = await tokenOf()
  const both = await Promise.all([signIn(token), signIn(token)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect((await signIn(token)).statusAndBody).toEqual(REFUSED)
})

test('a token without the nonce of its request is rejected', async () => {
  const missing = await signIn(await tokenOf(), { nonce: undefined })
  const message = 'Send provider google, its token, and the nonce in it.'
  expect(missing.statusAndBody).toEqual({
    status: 400,
    body: { error: 'invalid_request', error_description: message, message },
  })
  expect((await signIn(await tokenOf({ nonce: undefined }))).statusAndBody).toEqual(REFUSED)
  expect((await signIn(await tokenOf(), { nonce: 'n-2' })).statusAndBody).toEqual(REFUSED)
})

test('form encoding is accepted', async () => {
  const token = await tokenOf()
  const form = new URLSearchParams({
    grant_type: 'social',
    provider: 'google',
    client_id: 'cairn-app',
    client_secret: 'cairn-app-is-public',
    token,
    scope: '',
    nonce: NONCE,
  })
  const answer = await world.app.request('/oauth/token', { method: 'POST', body: form })
  expect(answer.status).toBe(200)
})

test('a user verified by mail or by invitation is matched by address', async () => {
  const mia = await world.createUser('Mia')
  await world.call('POST', '/api/v1/forgot-password', { body: { email: mia.email } })
  await waitFor(() => expect(world.mails.at(-1)?.to).toBe(mia.email))
  const [, reset] = /reset_token=([\w-]+)/.exec(world.mails.at(-1)?.text ?? '') ?? []
  const password = 'a better password'
  const body = { token: reset, password, password_confirmation: password }
  expect((await world.call('POST', '/api/v1/reset-password', { body })).status).toBe(204)
  expect(await userOf(await tokenOf({ email: mia.email }))).toMatchObject({ id: mia.id })
  const owner = await world.createOwner('Olga')
  const jonas = await world.createUser('Jonas')
  await owner.post('/api/v1/organisation-invites', { email: jonas.email })
  const [, token] = /invite_token=([\w-]+)/.exec(world.mails.at(-1)?.text ?? '') ?? []
  expect((await jonas.post('/api/v1/organisation-invites/accept', { token })).status).toBe(200)
  expect(await userOf(await tokenOf({ email: jonas.email }))).toMatchObject({ id: jonas.id })
})

test('an account with an unverified address is not taken over', async () => {
  const squatter = await world.createUser('Squatter')
  const answer = await signIn(await tokenOf({ email: squatter.email }))
  expect(answer.status).toBe(400)
  expect(answer.json).toMatchObject({ error: 'invalid_grant' })
  expect(answer.json.message).toContain('belongs to an account with a password')
})

test('a link mailed to the present address does not verify a new one', async () => {
  const eve = await world.createUser('Eve')
  await world.call('POST', '/api/v1/forgot-password', { body: { email: eve.email } })
  await waitFor(() => expect(world.mails.at(-1)?.to).toBe(eve.email))
  const [, token] = /reset_token=([\w-]+)/.exec(world.mails.at(-1)?.text ?? '') ?? []
  const victim = `victim-${uuidv7()}@example.com`
  await eve.call('PUT', '/api/v1/userinfo', { body: { email: victim } })
  const password = 'a better password'
  const body = { token, password, password_confirmation: password }
  expect((await world.call('POST', '/api/v1/reset-password', { body })).status).toBe(204)
  expect(await userOf(await tokenOf({ email: eve.email }))).toMatchObject({ id: eve.id })
  expect((await userOf(await tokenOf({ email: victim }))).id).not.toBe(eve.id)
})

test('a user who asked for an address first does not share the account of its owner', async () => {
  const attacker = await signIn(await tokenOf({ email: 'attacker@example.com' }))
  const tokens = attacker.json as unknown as Tokens
  const eve = new ApiUser(world, { id: '', email: '', tokens })
  const victim = `ceo-${uuidv7()}@example.com`
  const asked = await eve.call('PUT', '/api/v1/userinfo', { body: { email: victim } })
  expect(asked.status).toBe(200)
  expect(asked.data()).toMatchObject({ email: 'attacker@example.com', pending_email: victim })
  const registered = await world.call('POST', '/api/v1/register', {
    body: {
      name: 'Ceo',
      email: victim,
      password: 'ceo of all',
      password_confirmation: 'ceo of all',
    },
  })
  expect(registered.status).toBe(201)
  const [, link] =
    /email_token=([\w-]+)/.exec(world.mails.find(({ to }) => to === victim)?.text ?? '') ?? []
  // The victim opens the attacker's link, and so does the attacker.
  const owner = (await world.signIn(victim, 'ceo of all')).json as unknown as Tokens
  const ceo = new ApiUser(world, { id: '', email: '', tokens: owner })
  for (const person of [ceo, eve])
    expect((await person.post('/api/v1/confirm-email', { token: link })).statusAndBody).toEqual({
      status: 404,
      body: { message: 'This link is no longer valid.' },
    })
  expect((await eve.get('/api/v1/userinfo')).data()).toMatchObject({
    email: 'attacker@example.com',
  })
})

test('proving an address ends a Google sign-in that was linked before', async () => {
  const mia = await world.createUser('Mia')
  const claims = issuer.claims({ email: 'someone-else@example.com' })
  // As previous versions allowed: linked to an account whose address was not proven.
  await world.database.auth((tx) =>
    tx
      .insertInto('social_sign_ins')
      .values({ provider: 'google', subject: claims.sub, user_id: mia.id })
      .execute(),
  )
  expect((await userOf(await issuer.sign(claims))).id).toBe(mia.id)
  await world.call('POST', '/api/v1/forgot-password', { body: { email: mia.email } })
  await waitFor(() => expect(world.mails.at(-1)?.to).toBe(mia.email))
  const [, token] = /reset_token=([\w-]+)/.exec(world.mails.at(-1)?.text ?? '') ?? []
  const password = 'a better password'
  const body = { token, password, password_confirmation: password }
  expect((await world.call('POST', '/api/v1/reset-password', { body })).status).toBe(204)
  await waitFor(() =>
    expect(world.mails.at(-1)).toMatchObject({
      to: mia.email,
      subject: 'Your email address is confirmed',
      text: 'You have confirmed that this is the email address of your Cairn account. Nobody had done so before, so everything else that opened the account has ended:\n- 2 other sign-ins\n- signing in with Google\n\nSign in again where you need it.',
    }),
  )
  const again = await userOf(await issuer.sign({ ...claims, jti: 'again' }))
  expect(again.id).not.toBe(mia.id)
})

test('only invited people get an account where registration is by invitation', async () => {
  const registration = (mode: 'invited' | 'closed') =>
    world.appWith({
      config: { ...appConfig({}), registration: mode },
      google: createGoogleVerifier({
        clientId: CLIENT_ID,
        issuer: issuer.url,
        now: () => world.now,
      }),
    })
  const closed = {
    status: 400,
    body: {
      error: 'invalid_grant',
      error_description: 'New accounts are by invitation only.',
      message: 'New accounts are by invitation only.',
    },
  }
  const invited = `invited-${uuidv7()}@example.com`
  const owner = await world.createOwner('Olga')
  await owner.post('/api/v1/organisation-invites', { email: invited })
  for (const [mode, email, status] of [
    ['invited', 'nobody@example.com', 400],
    ['closed', invited, 400],
    ['invited', invited, 200],
  ] as const) {
    const answer = await signIn(await tokenOf({ email }), {}, registration(mode))
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.statusAndBody).toEqual(closed)
  }
})

test('an account without a password rejects password sign-in', async () => {
  const { email } = await userOf(await tokenOf())
  for (const password of ['', 'null', 'undefined', 'a guess'])
    expect((await world.signIn(email, password)).json).toMatchObject({ error: 'invalid_grant' })
})

const invalidTokens: [string, () => Promise<unknown>][] = [
  ['for another client', () => tokenOf({ aud: 'other.apps.example.com' })],
  ['for this client among others', () => tokenOf({ aud: [CLIENT_ID, 'other.apps.example.com'] })],
  ['of another issuer', () => tokenOf({ iss: 'https://accounts.google.com.evil.example' })],
  ['that has expired', () => tokenOf({ exp: Math.floor(world.now.getTime() / 1000) - 31 })],
  ['that never expires', () => tokenOf({ exp: undefined })],
  ['from the future', () => tokenOf({ nbf: Math.floor(world.now.getTime() / 1000) + 3600 })],
  ['whose address is not verified', () => tokenOf({ email_verified: false })],
  ['whose address is verified in words', () => tokenOf({ email_verified: 'true' })],
  ['without a verification claim', () => tokenOf({ email_verified: undefined })],
  ['without an address', () => tokenOf({ email: undefined })],
  ['without a subject', () => tokenOf({ sub: '' })],
  ['with two addresses', () => tokenOf({ email: 'a@example.com,b@example.com' })],
  ['with no signature', async () => new UnsecuredJWT(issuer.claims()).encode()],
  [
    'signed with another key under a known name',
    async () =>
      issuer.sign(issuer.claims(), {
        kid: issuer.newest.kid,
        pair: await generateKeyPair('RS256'),
      }),
  ],
  [
    'signed with an unknown key',
    async () =>
      issuer.sign(issuer.claims(), { kid: 'unknown', pair: await generateKeyPair('RS256') }),
  ],
  [
    'signed with the client’s id as a secret',
    () =>
      new SignJWT(issuer.claims())
        .setProtectedHeader({ alg: 'HS256', kid: issuer.newest.kid })
        .sign(new TextEncoder().encode(CLIENT_ID)),
  ],
  ['that is cut off', async () => (await tokenOf()).slice(0, -6)],
  ['whose claims were changed', async () => tampered(await tokenOf())],
  ['that is no token', async () => 'made-up'],
  ['that is empty', async () => ''],
]

function tampered(token: string): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const changed = JSON.stringify({ ...claims, email: 'victim@example.com' })
  return [header, Buffer.from(changed).toString('base64url'), signature].join('.')
}

test.each(invalidTokens)('a token %s is rejected', async (_what, make) => {
  expect((await signIn(await make())).statusAndBody).toEqual(REFUSED)
})

test('the server’s own tokens are rejected, and missing fields are named', async () => {
  const mia = await world.createUser('Mia')
  expect((await signIn(mia.tokens.access_token)).statusAndBody).toEqual(REFUSED)
  for (const more of [{ token: undefined }, { provider: 'github' }, { token: { a: 1 } }])
    expect((await signIn('x', more)).json).toMatchObject({ error: 'invalid_request' })
  expect((await signIn(await tokenOf(), { client_id: 'other' })).status).toBe(401)
})

test('a signing key published after the start is found', async () => {
  const patient = world.appWith({
    google: createGoogleVerifier({ clientId: CLIENT_ID, issuer: issuer.url, now: () => world.now }),
  })
  await issuer.rotate('second')
  expect((await signIn(await tokenOf(), {}, patient)).status).toBe(200)
})

test('an unreachable issuer is answered with retry later', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const google = createGoogleVerifier({
    clientId: CLIENT_ID,
    issuer: issuer.url,
    now: () => world.now,
  })
  const app = world.appWith({ google })
  issuer.isDown = true
  const away = await signIn(await tokenOf(), {}, app)
  expect(away.statusAndBody).toEqual({
    status: 503,
    body: { message: 'Google is not responding. Please try again.' },
  })
  expect(away.headers.get('Retry-After')).toBe('10')
  issuer.isDown = false
  issuer.alias = 'https://other.example'
  expect((await signIn(await tokenOf(), {}, app)).status).toBe(503)
  issuer.alias = undefined
  expect((await signIn(await tokenOf(), {}, app)).status).toBe(200)
  expect(spy).toHaveBeenCalledTimes(2)
  spy.mockRestore()
})

test('without a Google client the sign-in is not offered', async () => {
  const app = world.appWith({ google: undefined })
  expect((await signIn(await tokenOf(), {}, app)).json).toMatchObject({
    error: 'unsupported_grant_type',
  })
})
