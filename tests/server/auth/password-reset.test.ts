// Password reset: what the mailed token allows, and that the answer does not reveal accounts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
})
beforeEach(async () => {
  // Time passes, so that no earlier attempt counts.
  world.advance({ minutes: 16 })
  mia = await world.createUser('Mia')
})
afterAll(() => world.close())

const OVER = { status: 404, body: { message: 'This link is no longer valid.' } }
const forget = (email: string) => world.call('POST', '/api/v1/forgot-password', { body: { email } })
const reset = (token: string, password: string, password_confirmation = password) =>
  world.call('POST', '/api/v1/reset-password', {
    body: { token, password, password_confirmation },
  })

/** The token in the next mail. */
async function tokenFor(email: string): Promise<string> {
  const before = world.mails.length
  expect((await forget(email)).status).toBe(202)
  await waitFor(() => expect(world.mails.length).toBe(before + 1))
  const mail = world.mails.at(-1)
  expect(mail?.to).toBe(email)
  const [, token = ''] = /https:\/\/cairn\.example\.com\/auth#reset_token=([\w-]+)$/m.exec(
    mail?.text ?? '',
  ) ?? ['']
  return token
}

test('a password reset ends every session and the old password', async () => {
  const token = await tokenFor(mia.email)
  const facts = await world.call('POST', '/api/v1/verify-token', { body: { token } })
  expect(facts.data()).toEqual({ type: 'password', email: mia.email, organisation: null })
  // Whatever tokens and organisation come with it.
  const headers = { Authorization: 'Bearer expired', 'X-organisation': 'another' }
  const checked = await mia.post('/api/v1/verify-token', { token }, headers)
  expect(checked.data()).toEqual(facts.data())
  expect((await reset(token, 'a better password')).status).toBe(204)
  expect((await mia.get('/api/v1/userinfo')).status).toBe(401)
  const { refresh_token } = mia.tokens
  expect((await world.token({ grant_type: 'refresh_token', refresh_token })).json).toMatchObject({
    error: 'invalid_grant',
  })
  expect((await world.signIn(mia.email)).status).toBe(400)
  expect((await world.signIn(mia.email, 'a better password')).status).toBe(200)
})

test('the link works once, also for two simultaneous requests', async () => {
  const token = await tokenFor(mia.email)
  const both = await Promise.all([reset(token, 'first password'), reset(token, 'second password')])
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['204', '404'])
  expect((await reset(token, 'third password')).statusAndBody).toEqual(OVER)
})

test('using one link invalidates the others', async () => {
  const [first, second] = [await tokenFor(mia.email), await tokenFor(mia.email)]
  expect((await reset(first, 'a better password')).status).toBe(204)
  expect((await reset(second, 'another password')).statusAndBody).toEqual(OVER)
})

test('the link expires after an hour, and a forged one is rejected', async () => {
  const token = await tokenFor(mia.email)
  world.advance({ minutes: 60 })
  for (const one of [token, 'made-up', ''])
    expect((await reset(one, 'a better password')).statusAndBody).toEqual(OVER)
  expect(
    (await world.call('POST', '/api/v1/verify-token', { body: { token } })).statusAndBody,
  ).toEqual(OVER)
})

test('neither response nor mail discloses whether an address is known', async () => {
  const known = await forget(mia.email)
  const unknown = await forget('unknown@example.com')
  expect({ ...unknown.statusAndBody, text: unknown.text }).toEqual({
    ...known.statusAndBody,
    text: known.text,
  })
  expect(known.status).toBe(202)
  await waitFor(() => expect(world.mails.at(-1)?.to).toBe(mia.email))
  expect(world.mails.some(({ to }) => to === 'unknown@example.com')).toBe(false)
})

test('five mails are sent, then 429, for known and unknown addresses', async () => {
  for (const email of [mia.email, 'unknown@example.com']) {
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await forget(email)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  }
})

test('a limit holds until its last moment, and says when it ends', async () => {
  for (let count = 0; count < 5; count += 1) await forget(mia.email)
  world.advance({ minutes: 15, seconds: -0.5 })
  const denied = await forget(mia.email)
  expect(denied.status).toBe(429)
  expect(denied.headers.get('Retry-After')).toBe('1')
  world.advance({ seconds: 0.5 })
  expect((await forget(mia.email)).status).toBe(202)
})

test('sixty links for one network, to whichever addresses', async () => {
  const statuses: number[] = []
  for (let count = 0; count < 61; count += 1)
    statuses.push((await forget(`${count}@example.com`)).status)
  expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 202))
  expect(statuses.at(-1)).toBe(429)
})

test('a new password follows the password rules, and a rejected one keeps the link valid', async () => {
  const token = await tokenFor(mia.email)
  const fields = async (reply: ReturnType<typeof reset>) =>
    Object.keys((await reply).json.errors ?? {})
  expect(await fields(reset(token, 'short'))).toEqual(['password'])
  expect(await fields(reset(token, 'long enough', 'differs'))).toEqual(['password_confirmation'])
  expect((await reset(token, mia.email.toUpperCase())).statusAndBody).toEqual({
    status: 422,
    body: {
      message: 'Choose a password that is not your email address.',
      errors: { password: ['Choose a password that is not your email address.'] },
    },
  })
  expect((await reset(token, 'a better password')).status).toBe(204)
})

test('access tokens and links cannot stand in for each other', async () => {
  const token = await tokenFor(mia.email)
  expect((await reset(mia.tokens.access_token, 'a better password')).statusAndBody).toEqual(OVER)
  const stolen = mia.withTokens({ ...mia.tokens, access_token: token })
  expect((await stolen.get('/api/v1/userinfo')).status).toBe(401)
})
