// A session that its user ended goes on, or a person who found an open session changes the password.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import type { SignIn, Tokens } from '../../../contract/schemas/people.ts'
import { purgeExpired } from '../../../server/jobs/purge.ts'
import { ApiFixture, CLIENT, PASSWORD, type ApiUser } from '../fixtures/api-fixture.ts'
import { rejection } from '../fixtures/rejection.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:148.0) Gecko/20100101 Firefox/148.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

let world: ApiFixture
let app: ApiFixture['app']
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  app = world.appWith({ trustProxy: true })
})
beforeEach(async () => {
  world.advance({ minutes: 61 })
  mia = await world.verify(await world.createUser('Mia'))
})
afterAll(() => world.close())

async function signInFrom(address: string, agent: string): Promise<ApiUser> {
  const answer = await world.call(
    'POST',
    '/oauth/token',
    {
      body: { ...CLIENT, grant_type: 'password', username: mia.email, password: PASSWORD },
      headers: { 'X-Forwarded-For': address, 'User-Agent': agent },
    },
    app,
  )
  return mia.withTokens(answer.json as unknown as Tokens)
}
const list = async (by = mia) => (await by.get('/api/v1/sign-ins')).data<SignIn[]>()
const isSignedIn = async (by: ApiUser) => {
  const { refresh_token } = by.tokens
  const access = await by.get('/api/v1/userinfo')
  const refreshed = await world.token({ grant_type: 'refresh_token', refresh_token })
  expect([access.status, refreshed.status]).toEqual(access.status === 200 ? [200, 200] : [401, 400])
  return access.status === 200
}
const change = (fields: object, by = mia) => by.call('PUT', '/api/v1/password', { body: fields })
const NEW = { password: 'a better password', password_confirmation: 'a better password' }

test('each sign-in is listed with its browser, device and shortened address', async () => {
  const began = world.now.toISOString()
  world.advance({ minutes: 1 })
  const phone = await signInFrom('2001:db8:12:34::1', SAFARI)
  world.advance({ minutes: 1 })
  await signInFrom('203.0.113.77', FIREFOX)
  const listed = await list(phone)
  expect(
    listed.map(({ browser, device, network, is_current }) => [
      browser,
      device,
      network,
      is_current,
    ]),
  ).toEqual([
    ['Firefox', 'Windows', '203.0.113.x', false],
    ['Safari', 'iPhone', '2001:db8:12::/48', true],
    [null, null, null, false],
  ])
  expect(listed.at(-1)).toMatchObject({ created_at: began, last_used_at: began })
})

test('an ended sign-in is over at once, and only its user can end it', async () => {
  const other = await signInFrom('203.0.113.77', FIREFOX)
  const current = (await list(other)).find(({ is_current }) => is_current)
  const eve = await world.createUser('Eve')
  const path = `/api/v1/sign-ins/${current?.id}`
  expect((await eve.call('DELETE', path)).statusAndBody).toEqual({
    status: 404,
    body: { message: 'Not Found' },
  })
  expect(await isSignedIn(other)).toBe(true)
  expect((await mia.call('DELETE', path)).status).toBe(204)
  expect(await isSignedIn(other)).toBe(false)
  expect((await mia.call('DELETE', path)).status).toBe(404)
})

const reused = async (refresh_token: string) => {
  for (let token = refresh_token, times = 0; times < 3; times += 1)
    token = (await world.token({ grant_type: 'refresh_token', refresh_token: token })).json[
      'refresh_token'
    ] as string
  return world.token({ grant_type: 'refresh_token', refresh_token })
}

test.for<[string, number, (other: SignIn, tokens: Tokens) => Promise<{ status: number }>]>([
  ['one', 204, ({ id }) => mia.call('DELETE', `/api/v1/sign-ins/${id}`)],
  ['all others', 204, () => mia.call('DELETE', '/api/v1/sign-ins')],
  ['a lost device', 204, ({ id }) => mia.call('POST', `/api/v1/sign-ins/${id}/lost`)],
  ['those before a new password', 204, () => change({ ...NEW, current_password: PASSWORD })],
  [
    'a sign-out that could only be sent later',
    204,
    (_signIn, { revocation_secret }) =>
      world.call('POST', '/api/v1/revoke', { body: { revocation_secret } }),
  ],
  ['a stolen token used again', 400, (_signIn, { refresh_token }) => reused(refresh_token)],
])('notifications end with their sign-in, and with no other: %s', async ([, status, end]) => {
  const other = await signInFrom('203.0.113.77', FIREFOX)
  const signIn = (await list(other)).find(({ is_current }) => is_current)
  const own = (await list()).find(({ is_current }) => is_current)
  const subscribe = (family_id: string | null) => {
    const id = uuidv7()
    const times = { created_at: world.now.toISOString() }
    const keys = { endpoint: `https://push.example/${id}`, p256dh: '', auth: '' }
    return world.database.auth((tx) =>
      tx
        .insertInto('push_subscriptions')
        .values({ id, user_id: mia.id, family_id, ...keys, ...times })
        .execute(),
    )
  }
  await subscribe(signIn?.id ?? '')
  await subscribe(own?.id ?? '')
  // One of which the session is not known, from before they were noted.
  await subscribe(null)
  expect(signIn && (await end(signIn, other.tokens)).status).toBe(status)
  const left = await world.database.system((tx) =>
    tx.selectFrom('push_subscriptions').select('family_id').where('user_id', '=', mia.id).execute(),
  )
  expect(left).toEqual([{ family_id: own?.id }])
})

test('all other sign-ins end together', async () => {
  const others = [
    await signInFrom('203.0.113.77', FIREFOX),
    await signInFrom('203.0.113.78', SAFARI),
  ]
  expect((await mia.call('DELETE', '/api/v1/sign-ins')).status).toBe(204)
  for (const other of others) expect(await isSignedIn(other)).toBe(false)
  expect(await isSignedIn(mia)).toBe(true)
  expect(await list()).toHaveLength(1)
})

test('a sign-out ends its own session on the server, also when the access token has expired', async () => {
  const other = await signInFrom('203.0.113.77', FIREFOX)
  const { refresh_token } = other.tokens
  world.advance({ minutes: 16 })
  const revoke = (token: string) =>
    world.call('POST', '/api/v1/revoke', { body: { refresh_token: token } })
  expect((await revoke('made-up')).status).toBe(204)
  expect((await revoke(other.tokens.access_token)).status).toBe(204)
  expect(await list(await signInFrom('203.0.113.78', SAFARI))).toHaveLength(3)
  expect((await revoke(refresh_token)).status).toBe(204)
  expect(await isSignedIn(other)).toBe(false)
  expect((await revoke(refresh_token)).status).toBe(204)
  expect(await list(await signInFrom('203.0.113.78', SAFARI))).toHaveLength(3)
})

test('the revocation secret of a sign-in ends that one, also after its tokens have expired, and opens nothing', async () => {
  const other = await signInFrom('203.0.113.77', FIREFOX)
  const { revocation_secret = '' } = other.tokens
  const renewed = await world.token({
    grant_type: 'refresh_token',
    refresh_token: other.tokens.refresh_token,
  })
  expect(renewed.json).toMatchObject({ revocation_secret })
  const end = (secret: string) =>
    world.call('POST', '/api/v1/revoke', { body: { revocation_secret: secret } })
  world.advance({ minutes: 16 })

  const [family_id = '', signature = ''] = revocation_secret.split('.')
  const own = mia.tokens.revocation_secret?.split('.')[0]
  for (const forged of ['', family_id, `${family_id}.`, `${own}.${signature}`])
    expect((await end(forged)).status).toBe(204)
  const again = await signInFrom('203.0.113.78', SAFARI)
  expect(await list(again)).toHaveLength(3)
  expect(
    (
      await again
        .withTokens({ ...other.tokens, access_token: revocation_secret })
        .get('/api/v1/userinfo')
    ).status,
  ).toBe(401)
  expect(
    (await world.token({ grant_type: 'refresh_token', refresh_token: revocation_secret })).status,
  ).toBe(400)

  expect((await end(revocation_secret)).status).toBe(204)
  expect(await list(again)).toHaveLength(2)
  expect((await end(revocation_secret)).status).toBe(204)
  expect((await world.call('POST', '/api/v1/revoke', { body: {} })).status).toBe(422)
})

test('the session of a lost device ends, the device learns that it is lost, and its owner learns what waits on it', async () => {
  const lost = await signInFrom('203.0.113.77', FIREFOX)
  const { id = '' } = (await list(lost)).find(({ is_current }) => is_current) ?? {}
  const report = (by: ApiUser) => by.call('POST', `/api/v1/sign-ins/${id}/lost`)
  const eve = await world.createUser('Eve')
  expect((await report(eve)).status).toBe(404)
  expect((await report(lost)).status).toBe(404)
  world.advance({ minutes: 11 })
  expect((await report(mia)).json).toMatchObject({ code: 'reauthentication_required' })
  await mia.post('/api/v1/reauthenticate', { current_password: PASSWORD })
  expect((await report(mia)).status).toBe(204)
  expect((await report(mia)).status).toBe(404)

  expect((await lost.get('/api/v1/userinfo')).status).toBe(401)
  const { refresh_token, revocation_secret } = lost.tokens
  const refused = { error: 'invalid_grant', code: 'device_lost' }
  expect((await world.token({ grant_type: 'refresh_token', refresh_token })).json).toMatchObject(
    refused,
  )
  // A session that has just ended says nothing of the kind.
  const other = await signInFrom('203.0.113.78', SAFARI)
  await other.post('/api/v1/revoke', { refresh_token: other.tokens.refresh_token })
  const ended = await world.token({
    grant_type: 'refresh_token',
    refresh_token: other.tokens.refresh_token,
  })
  expect(ended.json.code).toBeUndefined()

  expect(await list()).toHaveLength(1)
  const listLost = async () =>
    (await mia.get('/api/v1/sign-ins?filters[states][]=lost')).data<SignIn[]>()
  expect(await listLost()).toMatchObject([{ id, cleared_at: null, unsent: null }])
  const before = world.mails.length
  for (const unsent of [3, 7])
    await world.call('POST', '/api/v1/revoke', { body: { revocation_secret, unsent } })
  expect(await listLost()).toMatchObject([{ id, cleared_at: expect.any(String), unsent: 3 }])
  expect(world.mails.slice(before)).toMatchObject([
    {
      to: mia.email,
      subject: 'Your lost device was cleared',
      text: expect.stringContaining('Firefox on Windows') as string,
    },
  ])
  // Weeks later it is still refused as lost.
  world.advance({ days: 70 })
  await purgeExpired(world.database, world.now)
  expect((await world.token({ grant_type: 'refresh_token', refresh_token })).json).toMatchObject(
    refused,
  )
})

test('expired sign-ins are not listed', async () => {
  await signInFrom('203.0.113.77', FIREFOX)
  world.advance({ days: 61 })
  const again = await signInFrom('203.0.113.77', FIREFOX)
  expect(await list(again)).toHaveLength(1)
})

test('a new password needs the present one, ends all other sign-ins, and is announced', async () => {
  const other = await signInFrom('203.0.113.77', FIREFOX)
  expect((await change(NEW)).statusAndBody).toEqual(
    rejection('current_password', 'Enter your present password.'),
  )
  expect((await change({ ...NEW, current_password: 'wrong' })).statusAndBody).toEqual(
    rejection('current_password', 'This is not your password.'),
  )
  const before = world.mails.length
  expect((await change({ ...NEW, current_password: PASSWORD })).status).toBe(204)
  expect(world.mails.slice(before).map(({ to, subject }) => [to, subject])).toEqual([
    [mia.email, 'Your password was changed'],
  ])
  expect(await isSignedIn(other)).toBe(false)
  expect((await mia.get('/api/v1/userinfo')).status).toBe(200)
  expect((await world.signIn(mia.email)).status).toBe(400)
  expect((await world.signIn(mia.email, NEW.password)).status).toBe(200)
})

test('an account without a password gets its first one after a fresh sign-in', async () => {
  await world.database.auth((tx) =>
    tx.updateTable('users').set({ password_hash: null }).where('id', '=', mia.id).execute(),
  )
  world.advance({ minutes: 11 })
  expect((await change(NEW)).statusAndBody).toEqual({
    status: 403,
    body: { message: 'Enter your password to change this.', code: 'reauthentication_required' },
  })
  world.setClockBack({ minutes: 11 })
  expect((await change(NEW)).status).toBe(204)
  expect((await world.signIn(mia.email, NEW.password)).status).toBe(200)
})

test('an idempotency key stores no hash of a password', async () => {
  const headers = { 'Idempotency-Key': uuidv7() }
  const body = { ...NEW, current_password: PASSWORD }
  expect((await mia.call('PUT', '/api/v1/password', { body, headers })).status).toBe(204)
  const keys = await world.database.system((tx) =>
    tx.selectFrom('idempotency_keys').select('key').where('user_id', '=', mia.id).execute(),
  )
  expect(keys).toEqual([])
})
