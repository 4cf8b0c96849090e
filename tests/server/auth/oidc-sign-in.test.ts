// An answer of an OpenID Connect issuer that was not asked for, was used before or was forged signs someone in.
import { createHash, randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import type { Tokens } from '../../../contract/schemas/people.ts'
import { createOidcProvider } from '../../../server/auth/oidc.ts'
import { appConfig } from '../../../server/configuration/configuration.ts'
import type { OidcConfiguration } from '../../../server/configuration/integrations.ts'
import { ApiFixture, ApiUser } from '../fixtures/api-fixture.ts'
import { OIDC_CLIENT, OidcIssuer, type OidcAccount } from '../fixtures/oidc-issuer.ts'

let world: ApiFixture
let issuer: OidcIssuer
let app: Hono
const CONFIG = appConfig({ OIDC_NAME: 'Acme' })

/** A server for which the issuer is configured. */
const serverWith = (
  options: Partial<OidcConfiguration> = {},
  registration: 'open' | 'closed' = 'open',
) =>
  world.appWith({
    config: { ...CONFIG, registration },
    oidc: createOidcProvider(
      {
        issuer: issuer.url,
        clientId: OIDC_CLIENT.id,
        clientSecret: OIDC_CLIENT.secret,
        domains: undefined,
        ...options,
      },
      { publicUrl: () => 'https://cairn.example.com', now: () => world.now },
    ),
  })

beforeAll(async () => {
  issuer = await OidcIssuer.start()
  world = await ApiFixture.open()
  app = serverWith()
})
beforeEach(() => {
  issuer.signing = 'RS256'
  issuer.isDown = false
  issuer.discovered = {}
})
afterAll(async () => {
  issuer.close()
  await world.close()
})

const random = () => randomBytes(32).toString('base64url')
const newAccount = (claims: Record<string, unknown> = {}): OidcAccount => {
  const sub = uuidv7()
  const email = `${sub}@example.com`
  return { claims: { sub, email, email_verified: true, name: 'Olga Oidc', ...claims } }
}

/** As far as the return from the issuer: the parameters of the grant. */
async function authorize(account: OidcAccount, at = app) {
  const [state, nonce, code_verifier] = [random(), random(), random()]
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const body = { state, nonce, code_challenge }
  const asked = await world.call('POST', '/api/v1/oidc-sign-in', { body }, at)
  const { authorization_url = '' } = asked.json as Record<string, string>
  const back = issuer.choose(authorization_url, account).searchParams
  expect(back.get('state')).toBe(state)
  return { code: back.get('code'), iss: back.get('iss') ?? undefined, code_verifier, nonce }
}
const signIn = (grant: Record<string, unknown>, at = app) =>
  world.token({ grant_type: 'social', provider: 'oidc', ...grant }, at)
async function userOf(account: OidcAccount, at = app) {
  const tokens = (await signIn(await authorize(account, at), at)).json as unknown as Tokens
  const person = new ApiUser(world, { id: '', email: '', tokens })
  return (await person.get('/api/v1/userinfo')).data<{ id: string; email: string; name: string }>()
}
const rejected = (message: string) => ({
  status: 400,
  body: { error: 'invalid_grant', error_description: message, message },
})
const INVALID = rejected('This sign-in is not valid. Please try again.')

test.each(['RS256', 'ES256'] as const)(
  'a user signs in by a code and a token signed with %s',
  async (alg) => {
    issuer.signing = alg
    const account = newAccount()
    const user = await userOf(account)
    expect(user).toMatchObject({ email: account.claims?.email, name: 'Olga Oidc' })
    const moved = { claims: { ...account.claims, email: 'elsewhere@example.org' } }
    expect(await userOf(moved)).toEqual(user)
  },
)

test('the request names this client, its address and what it proves later', async () => {
  const body = { state: random(), nonce: random(), code_challenge: random() }
  const asked = await world.call('POST', '/api/v1/oidc-sign-in', { body }, app)
  const url = new URL((asked.json as Record<string, string>).authorization_url ?? '')
  expect(url.origin + url.pathname).toBe(`${issuer.url}/authorize`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: OIDC_CLIENT.id,
    redirect_uri: 'https://cairn.example.com/oauth/return',
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    ...body,
  })
})

test('the issuer’s answer reaches the app after the #', async () => {
  const back = await app.request('/oauth/return?code=c%20d&state=s&iss=https%3A%2F%2Fid.example')
  expect(back.status).toBe(302)
  expect(back.headers.get('Location')).toBe('/auth#code=c%20d&state=s&iss=https%3A%2F%2Fid.example')
})

test('a code is good for one sign-in', async () => {
  const grant = await authorize(newAccount())
  expect((await signIn(grant)).status).toBe(200)
  expect((await signIn(grant)).statusAndBody).toEqual(INVALID)
})

test('a code with the verifier or the nonce of another request is rejected', async () => {
  const [one, two] = [await authorize(newAccount()), await authorize(newAccount())]
  expect((await signIn({ ...one, code_verifier: two.code_verifier })).statusAndBody).toEqual(
    INVALID,
  )
  expect((await signIn({ ...two, nonce: one.nonce })).statusAndBody).toEqual(INVALID)
})

test('a request without its verifier or nonce is malformed', async () => {
  const grant = await authorize(newAccount())
  const message = 'Send provider oidc, its code, and the code_verifier and nonce of the request.'
  for (const missing of ['code', 'code_verifier', 'nonce'])
    expect((await signIn({ ...grant, [missing]: undefined })).statusAndBody).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: message, message },
    })
})

test.each([
  ['of another issuer', { iss: 'https://id.example' }],
  ['for another client', { aud: 'another' }],
  ['for several clients', { aud: [OIDC_CLIENT.id, 'another'] }],
  ['for another sign-in', { nonce: 'another' }],
  ['that has expired', { exp: 1_600_000_000 }],
])('a token %s is rejected', async (_name, claims) => {
  expect((await signIn(await authorize(newAccount(claims)))).statusAndBody).toEqual(INVALID)
})

test('a token that is signed with another key is rejected', async () => {
  issuer.signing = 'forged'
  expect((await signIn(await authorize(newAccount()))).statusAndBody).toEqual(INVALID)
})

test('an answer that names another issuer, or none, is rejected', async () => {
  for (const iss of ['https://id.example', undefined]) {
    const grant = await authorize(newAccount())
    expect((await signIn({ ...grant, iss })).statusAndBody).toEqual(INVALID)
  }
})

test('an address is confirmed as well by the text “true”, which is all that Entra ID can send', async () => {
  const account = newAccount({ email_verified: 'true' })
  expect(await userOf(account)).toMatchObject({ email: account.claims?.email })
})

test('an address that the issuer has not confirmed is rejected', async () => {
  const message = 'This email address is not confirmed there.'
  for (const email_verified of [false, 'false', 'True', 1, [true], undefined])
    expect((await signIn(await authorize(newAccount({ email_verified })))).statusAndBody).toEqual(
      rejected(message),
    )
})

test('an address is read from userinfo where the token has none', async () => {
  const [sub, email] = [uuidv7(), `${uuidv7()}@example.com`]
  const user = await userOf({ claims: { sub }, userinfo: { email, email_verified: true } })
  expect(user).toMatchObject({ email, name: email })
})

test('only addresses of the configured domains sign in', async () => {
  const at = serverWith({ domains: ['acme.example'] })
  const inside = newAccount({ email: 'Olga@Acme.example' })
  expect(await userOf(inside, at)).toMatchObject({ email: 'olga@acme.example' })
  for (const email of ['olga@example.com', 'olga@not-acme.example', 'olga@acme.example.com'])
    expect((await signIn(await authorize(newAccount({ email }), at), at)).statusAndBody).toEqual(
      rejected('Addresses of this domain cannot sign in here.'),
    )
})

test('an account whose address was never proven is not shared', async () => {
  const mia = await world.createUser('Mia')
  const account = newAccount({ email: mia.email })
  expect((await signIn(await authorize(account))).json.message).toMatch(/account with a password/)
  await world.verify(mia)
  expect((await userOf(account)).id).toBe(mia.id)
})

test('a closed server takes no new users', async () => {
  const at = serverWith({}, 'closed')
  expect((await signIn(await authorize(newAccount(), at), at)).status).toBe(400)
})

test('the same id at another issuer is another user', async () => {
  const other = await OidcIssuer.start()
  const mine = issuer
  const account = newAccount()
  const user = await userOf(account)
  issuer = other
  const claims = { ...account.claims, email: `${uuidv7()}@example.com` }
  const their = await userOf({ claims }, serverWith())
  issuer = mine
  other.close()
  expect(their.id).not.toBe(user.id)
})

test('an issuer that is away is not taken for a wrong answer, and is asked again later', async () => {
  const at = serverWith()
  issuer.isDown = true
  const body = { state: random(), nonce: random(), code_challenge: random() }
  const start = () => world.call('POST', '/api/v1/oidc-sign-in', { body }, at)
  const away = await start()
  expect(away.statusAndBody).toEqual({
    status: 503,
    body: { message: 'The sign-in service is not responding. Please try again.' },
  })
  expect(away.headers.get('Retry-After')).toBe('10')
  issuer.isDown = false
  expect((await start()).status).toBe(200)
  const grant = await authorize(newAccount(), at)
  issuer.isDown = true
  expect((await signIn(grant, at)).status).toBe(503)
})

test.each([
  ['without an issuer', { issuer: undefined }, 'invalid response encountered'],
  [
    'of another issuer',
    { issuer: 'https://id.example' },
    'discovered metadata issuer does not match the expected issuer',
  ],
  ['with an issuer that is no address', { issuer: 'id.example' }, undefined],
])(
  'a discovery document %s is logged, and read again at the next sign-in',
  async (_, wrong, message) => {
    const at = serverWith()
    issuer.discovered = wrong
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const body = { state: random(), nonce: random(), code_challenge: random() }
    const start = () => world.call('POST', '/api/v1/oidc-sign-in', { body }, at)
    expect((await start()).status).toBe(503)
    const [line] = logged.mock.calls.map(([text]) => JSON.parse(String(text)) as unknown)
    expect(line).toMatchObject({
      event: 'sign-in provider unreachable',
      ...(message !== undefined && { message }),
    })
    const grant = { code: 'c', code_verifier: random(), nonce: random(), iss: issuer.url }
    expect((await signIn(grant, at)).status).toBe(503)
    logged.mockRestore()
    issuer.discovered = {}
    expect((await start()).status).toBe(200)
  },
)

test('a server without an issuer has neither call', async () => {
  const body = { state: random(), nonce: random(), code_challenge: random() }
  expect((await world.call('POST', '/api/v1/oidc-sign-in', { body })).status).toBe(404)
  const grant = { code: 'c', code_verifier: random(), nonce: 'n' }
  expect((await signIn(grant, world.app)).json.error).toBe('unsupported_grant_type')
})

test('the profile lists the issuer, and a removal is mailed under its name', async () => {
  const account = newAccount()
  const tokens = (await signIn(await authorize(account))).json as unknown as Tokens
  const person = new ApiUser(world, { id: '', email: '', tokens }, app)
  const listed = await person.get('/api/v1/linked-sign-ins')
  const [link] = listed.data<{ id: string; provider: string }[]>()
  expect(link).toMatchObject({ provider: 'oidc', email: account.claims?.email })
  // It is the only way in.
  expect((await person.call('DELETE', `/api/v1/linked-sign-ins/${link?.id}`)).status).toBe(403)
  const password = 'correct horse battery staple'
  const change = { password, password_confirmation: password }
  expect((await person.call('PUT', '/api/v1/password', { body: change })).status).toBe(204)
  expect((await person.call('DELETE', `/api/v1/linked-sign-ins/${link?.id}`)).status).toBe(204)
  expect(world.mails.at(-1)?.text).toMatch(/^Acme no longer signs you in/)
})
