// A passkey signs in someone else than the user who made it, or without the user.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tokens } from '../../../contract/schemas/people.ts'
import { ApiFixture, ApiUser, PASSWORD } from '../fixtures/api-fixture.ts'
import { Authenticator, type Deviation } from '../fixtures/authenticator.ts'
import { waitFor } from '../../wait-for.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

const PASSKEYS = '/api/v1/passkeys'
interface Ceremony {
  challenge: string
  rp_id: string
}
const offerTo = async (user: ApiUser) =>
  (await user.post('/api/v1/passkey-offer', undefined)).json as unknown as Ceremony
const startSignIn = async () =>
  (await world.call('POST', '/api/v1/passkey-sign-in')).json as unknown as Ceremony
const exchange = (credential: unknown) => world.token({ grant_type: 'passkey', credential })

/** A user with a passkey in that authenticator. */
async function withPasskey(name: string, authenticator = new Authenticator()) {
  const user = await world.verify(await world.createUser(name))
  const made = await user.post(PASSKEYS, authenticator.create(await offerTo(user)))
  expect(made.status).toBe(201)
  return { user, authenticator, id: made.data<{ id: string }>().id }
}
async function userOf(tokens: Record<string, unknown>) {
  const person = new ApiUser(world, { id: '', email: '', tokens: tokens as unknown as Tokens })
  return (await person.get('/api/v1/userinfo')).data<{ id: string }>()
}
const UNKNOWN = {
  status: 400,
  body: {
    error: 'invalid_grant',
    error_description:
      'This passkey does not open an account here. Sign in another way, and add it in your profile.',
    message:
      'This passkey does not open an account here. Sign in another way, and add it in your profile.',
  },
}
const REAUTHENTICATE = {
  status: 403,
  body: { code: 'reauthentication_required', message: 'Enter your password to change this.' },
}

test('a passkey signs its user in, and is listed with its last use', async () => {
  const { user, authenticator } = await withPasskey('Mia')
  expect(world.mails.at(-1)).toMatchObject({
    to: user.email,
    subject: 'A passkey was added to your account',
  })
  expect((await user.get(PASSKEYS)).data()).toMatchObject([{ last_used_at: null }])
  const signedIn = await exchange(authenticator.get(await startSignIn()))
  expect(signedIn.status).toBe(200)
  expect(signedIn.json.device_token).toEqual(expect.any(String))
  expect((await userOf(signedIn.json)).id).toBe(user.id)
  expect((await user.get(PASSKEYS)).data()).toMatchObject([
    { last_used_at: world.now.toISOString() },
  ])
})

test('an answer is good for one sign-in', async () => {
  const { authenticator } = await withPasskey('Replay')
  const answer = authenticator.get(await startSignIn())
  const both = await Promise.all([exchange(answer), exchange(answer)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect((await exchange(answer)).statusAndBody).toEqual(UNKNOWN)
})

test.each<[string, Deviation]>([
  ['from another site', { origin: 'https://cairn.example.org' }],
  ['without checking who the user is', { isVerified: false }],
  ['of a ceremony that makes passkeys', { type: 'webauthn.create' }],
  ['of a copied authenticator', { counter: 1 }],
])('an answer %s is rejected', async (_name, deviation) => {
  const { authenticator } = await withPasskey('Deva')
  expect((await exchange(authenticator.get(await startSignIn()))).status).toBe(200)
  expect((await exchange(authenticator.get(await startSignIn(), deviation))).statusAndBody).toEqual(
    UNKNOWN,
  )
})

test('an answer for another host is rejected', async () => {
  const { authenticator } = await withPasskey('Host')
  const request = { ...(await startSignIn()), rp_id: 'example.com' }
  expect((await exchange(authenticator.get(request))).statusAndBody).toEqual(UNKNOWN)
})

test('only a recent challenge of this server counts', async () => {
  const { user, authenticator } = await withPasskey('Chal')
  const made = await startSignIn()
  const forged = { ...made, challenge: randomBytes(56).toString('base64url') }
  expect((await exchange(authenticator.get(forged))).statusAndBody).toEqual(UNKNOWN)
  const ofRegistration = await offerTo(user)
  expect((await exchange(authenticator.get(ofRegistration))).statusAndBody).toEqual(UNKNOWN)
  const early = await startSignIn()
  world.advance({ minutes: 6 })
  expect((await exchange(authenticator.get(early))).statusAndBody).toEqual(UNKNOWN)
})

test('an authenticator cannot take the id of another one’s passkey', async () => {
  const { user, authenticator } = await withPasskey('Ida')
  const other = new Authenticator()
  const answer = {
    ...other.get(await startSignIn()),
    id: authenticator.id,
    rawId: authenticator.id,
  }
  expect((await exchange(answer)).statusAndBody).toEqual(UNKNOWN)
  const again = await user.post(PASSKEYS, authenticator.create(await offerTo(user)))
  expect(again.statusAndBody).toMatchObject({
    status: 422,
    body: { message: 'This passkey was added before.' },
  })
})

test.each<[string, Deviation]>([
  ['from another site', { origin: 'https://cairn.example.org' }],
  ['without checking who the user is', { isVerified: false }],
  ['of a sign-in', { type: 'webauthn.get' }],
])('a new passkey %s is rejected', async (_name, deviation) => {
  const user = await world.createUser('New')
  const made = new Authenticator().create(await offerTo(user), deviation)
  expect((await user.post(PASSKEYS, made)).statusAndBody).toMatchObject({
    status: 422,
    body: { message: 'This passkey is not valid. Please try again.' },
  })
})

test('a challenge for one user makes no passkey for another', async () => {
  const [mia, eve] = [await world.createUser('Mia'), await world.createUser('Eve')]
  const made = new Authenticator().create(await offerTo(mia))
  expect((await eve.post(PASSKEYS, made)).status).toBe(422)
})

test('the certificates of an authenticator are not read: they may name any address', async () => {
  const user = await world.createUser('Cert')
  const authenticator = new Authenticator()
  // {fmt: 'android-key', attStmt: {x5c: [h'00']}}. To read it would be an error.
  const attestation = '63666d746b616e64726f69642d6b65796761747453746d74a163783563814100'
  const answer = authenticator.create(await offerTo(user), { attestation })
  expect((await user.post(PASSKEYS, answer)).status).toBe(201)
  expect((await exchange(authenticator.get(await startSignIn()))).status).toBe(200)
})

test('an attestation object that is no CBOR makes no passkey', async () => {
  const user = await world.createUser('Cbor')
  const { response, ...answer } = new Authenticator().create(await offerTo(user))
  const malformed = { ...answer, response: { ...response, attestationObject: 'oWNm' } }
  expect((await user.post(PASSKEYS, malformed)).statusAndBody).toMatchObject({
    status: 422,
    body: { errors: { response: ['This passkey is not valid. Please try again.'] } },
  })
})

test('passkeys are added and removed with a fresh sign-in only', async () => {
  const { user, id } = await withPasskey('Stale')
  const made = new Authenticator().create(await offerTo(user))
  world.advance({ minutes: 11 })
  expect((await user.post('/api/v1/passkey-offer', undefined)).statusAndBody).toEqual(
    REAUTHENTICATE,
  )
  expect((await user.post(PASSKEYS, made)).statusAndBody).toEqual(REAUTHENTICATE)
  expect((await user.call('DELETE', `${PASSKEYS}/${id}`)).statusAndBody).toEqual(REAUTHENTICATE)
  await user.post('/api/v1/reauthenticate', { current_password: PASSWORD })
  expect((await user.call('DELETE', `${PASSKEYS}/${id}`)).status).toBe(204)
})

test('a removed passkey signs no one in, and a mail says so', async () => {
  const { user, authenticator, id } = await withPasskey('Gone')
  const outsider = await world.createUser('Eve')
  expect((await outsider.call('DELETE', `${PASSKEYS}/${id}`)).status).toBe(404)
  expect((await user.call('DELETE', `${PASSKEYS}/${id}`)).status).toBe(204)
  expect(world.mails.at(-1)).toMatchObject({
    to: user.email,
    subject: 'A way into your account was removed',
  })
  expect((await exchange(authenticator.get(await startSignIn()))).statusAndBody).toEqual(UNKNOWN)
})

test('the last way into an account stays', async () => {
  const { user, id } = await withPasskey('Last')
  await world.database.auth((tx) =>
    tx.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute(),
  )
  expect((await user.call('DELETE', `${PASSKEYS}/${id}`)).statusAndBody).toEqual({
    status: 403,
    body: { message: 'This is the only way into your account. Set a password first.' },
  })
  const second = new Authenticator()
  expect((await user.post(PASSKEYS, second.create(await offerTo(user)))).status).toBe(201)
  expect((await user.call('DELETE', `${PASSKEYS}/${id}`)).status).toBe(204)
})

test('a passkey does not outlive its account', async () => {
  const { user, authenticator } = await withPasskey('Dele')
  expect((await user.call('DELETE', '/api/v1/userinfo')).status).toBe(204)
  expect((await exchange(authenticator.get(await startSignIn()))).statusAndBody).toEqual(UNKNOWN)
})

test('an id that is longer than authenticators make is refused at its field', async () => {
  const user = await world.verify(await world.createUser('Long'))
  const made = new Authenticator().create(await offerTo(user))
  const long = Buffer.alloc(1_024, 7).toString('base64url')
  const refused = await user.post(PASSKEYS, { ...made, id: long, rawId: long })
  expect(refused.status).toBe(422)
  expect(Object.keys(refused.json.errors as object)).toEqual(['id', 'rawId'])
})

test('a malformed credential is a malformed request', async () => {
  for (const credential of [undefined, {}, { id: 'x' }, 'x'])
    expect((await exchange(credential)).json.error).toBe('invalid_request')
})

test('a password set by a mailed link ends passkeys and providers, and a mail says so', async () => {
  const { user, authenticator } = await withPasskey('Rita')
  const link = { id: randomUUID(), subject: randomUUID(), user_id: user.id, email: null }
  await world.database.auth((tx) =>
    tx
      .insertInto('social_sign_ins')
      .values({ ...link, provider: 'google' })
      .execute(),
  )
  const mailsTo = () => world.mails.filter(({ to }) => to === user.email)
  const before = mailsTo().length
  await world.call('POST', '/api/v1/forgot-password', { body: { email: user.email } })
  await waitFor(() => expect(mailsTo()).toHaveLength(before + 1))
  const token = /reset_token=([\w-]+)/.exec(mailsTo().at(-1)?.text ?? '')?.[1]
  const password = 'a better password'
  const body = { token, password, password_confirmation: password }
  expect((await world.call('POST', '/api/v1/reset-password', { body })).status).toBe(204)

  expect((await exchange(authenticator.get(await startSignIn()))).statusAndBody).toEqual(UNKNOWN)
  const signedIn = await world.signIn(user.email, password)
  const now = user.withTokens(signedIn.json as unknown as Tokens)
  expect((await now.get('/api/v1/linked-sign-ins')).data()).toEqual([])
  expect(mailsTo().at(-1)).toMatchObject({
    subject: 'Your password was changed',
    text: expect.stringContaining(
      'Everything else that opened the account has ended:\n- 1 other sign-in\n- signing in with Google\n- 1 passkey\n\n',
    ) as string,
  })
})
