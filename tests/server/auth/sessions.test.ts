// Tokens: retries of an app that lost answers work, and reuse by a thief does not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tokens } from '../../../contract/schemas/people.ts'
import { newToken } from '../../../server/auth/tokens.ts'
import {
  CLIENT,
  PASSWORD,
  ApiFixture,
  type ApiUser,
  type ApiResponse,
} from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

const refresh = (refresh_token: string) =>
  world.token({ grant_type: 'refresh_token', refresh_token })
const tokensOf = (reply: ApiResponse) => reply.json as unknown as Tokens
const userinfo = async (person: ApiUser, { access_token }: Tokens) =>
  (await person.withTokens({ ...person.tokens, access_token }).get('/api/v1/userinfo')).status
const ENDED = {
  status: 400,
  body: {
    error: 'invalid_grant',
    error_description: 'The session has ended. Please sign in again.',
    message: 'The session has ended. Please sign in again.',
  },
}

test('a refresh repeated after a lost response returns the same successor', async () => {
  const mia = await world.createUser('Mia')
  const lost = tokensOf(await refresh(mia.tokens.refresh_token))
  world.advance({ days: 3 })
  const second = await refresh(mia.tokens.refresh_token)
  expect(second.status).toBe(200)
  expect(tokensOf(second).refresh_token).toBe(lost.refresh_token)
  expect(await userinfo(mia, tokensOf(second))).toBe(200)
})

test('two simultaneous refreshes return the same successor', async () => {
  const mia = await world.createUser('Mia')
  const [one, two] = await Promise.all([
    refresh(mia.tokens.refresh_token),
    refresh(mia.tokens.refresh_token),
  ])
  expect([one.status, two.status]).toEqual([200, 200])
  expect(tokensOf(one).refresh_token).toBe(tokensOf(two).refresh_token)
  expect(await userinfo(mia, tokensOf(one))).toBe(200)
  expect(await userinfo(mia, tokensOf(two))).toBe(200)
})

test('an old refresh token is accepted for ten seconds after its successor’s first use', async () => {
  const mia = await world.createUser('Mia')
  const next = tokensOf(await refresh(mia.tokens.refresh_token))
  expect(await userinfo(mia, next)).toBe(200)
  world.advance({ seconds: 10 })
  const second = await refresh(mia.tokens.refresh_token)
  expect(second.status).toBe(200)
  expect(tokensOf(second).refresh_token).toBe(next.refresh_token)
})

test('reuse after the grace period revokes the whole family', async () => {
  const mia = await world.createUser('Mia')
  const next = tokensOf(await refresh(mia.tokens.refresh_token))
  expect(await userinfo(mia, next)).toBe(200)
  world.advance({ seconds: 11 })
  expect((await refresh(mia.tokens.refresh_token)).statusAndBody).toEqual(ENDED)
  expect(await userinfo(mia, next)).toBe(401)
  expect((await refresh(next.refresh_token)).statusAndBody).toEqual(ENDED)
})

test('refreshing a successor counts as its first use', async () => {
  const mia = await world.createUser('Mia')
  const second = tokensOf(await refresh(mia.tokens.refresh_token))
  const third = tokensOf(await refresh(second.refresh_token))
  world.advance({ seconds: 11 })
  expect((await refresh(mia.tokens.refresh_token)).statusAndBody).toEqual(ENDED)
  expect(await userinfo(mia, third)).toBe(401)
})

test('a token two generations back counts as reuse at once', async () => {
  const mia = await world.createUser('Mia')
  const second = tokensOf(await refresh(mia.tokens.refresh_token))
  const third = tokensOf(await refresh(second.refresh_token))
  expect(await userinfo(mia, third)).toBe(200)
  expect((await refresh(mia.tokens.refresh_token)).statusAndBody).toEqual(ENDED)
  expect(await userinfo(mia, third)).toBe(401)
})

test('an access token expires after fifteen minutes', async () => {
  const mia = await world.createUser('Mia')
  expect(mia.tokens.expires_in).toBe(900)
  world.advance({ seconds: 899 })
  expect(await userinfo(mia, mia.tokens)).toBe(200)
  world.advance({ seconds: 1 })
  const late = await mia.get('/api/v1/userinfo')
  expect(late.statusAndBody).toEqual({ status: 401, body: { message: 'Unauthenticated.' } })
})

test('a family expires after sixty idle days, and after 180 days in all', async () => {
  const idle = await world.createUser('Idle')
  world.advance({ days: 60, seconds: 1 })
  expect((await refresh(idle.tokens.refresh_token)).statusAndBody).toEqual(ENDED)

  const busy = await world.createUser('Busy')
  let { refresh_token } = busy.tokens
  for (let month = 0; month < 6; month += 1) {
    world.advance({ days: 29 })
    const answer = await refresh(refresh_token)
    expect(answer.status).toBe(200)
    ;({ refresh_token } = tokensOf(answer))
  }
  world.advance({ days: 7 })
  expect((await refresh(refresh_token)).statusAndBody).toEqual(ENDED)
})

test('a token has 256 random bits', () => {
  const tokens = [newToken(), newToken()]
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(tokens[0]).not.toBe(tokens[1])
})

test('only hashes of tokens are stored', async () => {
  const mia = await world.createUser('Mia')
  const { access_token, refresh_token } = tokensOf(await refresh(mia.tokens.refresh_token))
  const rows = await world.database.system(async (tx) => [
    await tx.selectFrom('access_tokens').selectAll().execute(),
    await tx.selectFrom('refresh_tokens').selectAll().execute(),
    await tx.selectFrom('users').selectAll().execute(),
  ])
  const stored = JSON.stringify(rows, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
  )
  for (const secret of [access_token, refresh_token, PASSWORD]) expect(stored).not.toContain(secret)
})

const MALFORMED_BEARERS = {
  'no token': {},
  'another scheme': { Authorization: 'Basic bWlhOm1pYQ==' },
  'a truncated token': { Authorization: 'Bearer abc' },
  'an unsigned JSON web token': { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' },
  'two tokens': { Authorization: 'Bearer a, Bearer b' },
}
test.each(Object.entries(MALFORMED_BEARERS))('%s is rejected', async (_name, headers) => {
  const answer = await world.call('GET', '/api/v1/userinfo', { headers })
  expect(answer.statusAndBody).toEqual({ status: 401, body: { message: 'Unauthenticated.' } })
})

test('access and refresh tokens cannot stand in for each other', async () => {
  const mia = await world.createUser('Mia')
  const { access_token, refresh_token } = mia.tokens
  expect((await refresh(access_token)).statusAndBody).toEqual(ENDED)
  expect(await userinfo(mia, { ...mia.tokens, access_token: refresh_token })).toBe(401)
  expect(await userinfo(mia, mia.tokens)).toBe(200)
})

const REFUSED_GRANTS: [string, Record<string, unknown>, number, string][] = [
  ['another client', { client_secret: 'guessed', grant_type: 'password' }, 401, 'invalid_client'],
  ['an unknown grant', { grant_type: 'implicit' }, 400, 'unsupported_grant_type'],
  ['no grant type', {}, 400, 'invalid_request'],
  ['no password', { grant_type: 'password', username: 'a@b.co' }, 400, 'invalid_request'],
  ['no refresh token', { grant_type: 'refresh_token' }, 400, 'invalid_request'],
  [
    'a number for a token',
    { grant_type: 'refresh_token', refresh_token: 1 },
    400,
    'invalid_request',
  ],
  [
    'an unknown refresh token',
    { grant_type: 'refresh_token', refresh_token: 'x' },
    400,
    'invalid_grant',
  ],
]
test.each(REFUSED_GRANTS)('%s is rejected by name', async (_name, parameters, status, error) => {
  const answer = await world.token(parameters)
  expect(answer.status).toBe(status)
  expect(answer.json).toMatchObject({ error, message: answer.json.error_description })
})

test('tokens of a deleted user are rejected', async () => {
  const gone = await world.createUser('Gone')
  await world.database.system((tx) => tx.deleteFrom('users').where('id', '=', gone.id).execute())
  expect((await gone.get('/api/v1/userinfo')).status).toBe(401)
  const { refresh_token } = gone.tokens
  const refreshed = await gone.token({ grant_type: 'refresh_token', refresh_token })
  expect([refreshed.status, refreshed.json.error]).toEqual([400, 'invalid_grant'])
})

test('a repeated form parameter is rejected', async () => {
  const mia = await world.createUser('Mia')
  const form = (more: string) =>
    world.call('POST', '/oauth/token', {
      body: `${new URLSearchParams({ ...CLIENT, grant_type: 'password', username: mia.email, password: PASSWORD }).toString()}${more}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
  expect((await form('')).status).toBe(200)
  const repeated = await form('&username=invited@example.com')
  expect(repeated.status).toBe(400)
  expect(repeated.json).toMatchObject({ error: 'invalid_request' })
})
