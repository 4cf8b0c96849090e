// An address that was not proven opens an account, or a session that was stolen for a moment keeps one.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import type { Tokens } from '../../../contract/schemas/people.ts'
import type { Database } from '../../../server/database/database.ts'
import { resetPassword } from '../../../server/ops/admin/users.ts'
import { ApiFixture, PASSWORD, type ApiUser } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
})
beforeEach(async () => {
  world.advance({ minutes: 61 })
  mia = await world.verify(await world.createUser('Mia'))
})
afterAll(() => world.close())

const OVER = { status: 404, body: { message: 'This link is no longer valid.' } }
const STALE = {
  status: 403,
  body: { message: 'Enter your password to change this.', code: 'reauthentication_required' },
}
const NEW_PASSWORD = 'a better password'
const newAddress = () => `new-${uuidv7()}@example.com`
const change = (email: string, by = mia) => by.call('PUT', '/api/v1/userinfo', { body: { email } })
const confirm = (token: string, by = mia) => by.post('/api/v1/confirm-email', { token })
const reset = (token: string) =>
  world.call('POST', '/api/v1/reset-password', {
    body: { token, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD },
  })
const userinfo = async (by = mia) =>
  (await by.get('/api/v1/userinfo')).data<{ email: string; pending_email: string | null }>()
const mailsTo = (to: string) => world.mails.filter((mail) => mail.to === to)
const tokenIn = (text = '') => /_token=([\w-]+)/.exec(text)?.[1] ?? ''
const lastTokenTo = (to: string) => tokenIn(mailsTo(to).at(-1)?.text)

/** Another session of the user, which began just now. */
async function signInAgain(email: string, password = PASSWORD): Promise<ApiUser> {
  const answer = await world.signIn(email, password)
  expect(answer.status).toBe(200)
  return mia.withTokens(answer.json as unknown as Tokens)
}

test('a new address takes effect when the link sent to it is followed', async () => {
  const email = newAddress()
  const answer = await change(email)
  expect(answer.status).toBe(200)
  expect(answer.data()).toMatchObject({ email: mia.email, pending_email: email })
  expect(await userinfo()).toMatchObject({ email: mia.email, pending_email: email })
  expect((await world.signIn(email)).status).toBe(400)
  expect((await world.signIn(mia.email)).status).toBe(200)
  const confirmed = await confirm(lastTokenTo(email))
  expect(confirmed.status).toBe(200)
  expect(confirmed.data()).toMatchObject({ email, pending_email: null, email_verified: true })
  expect((await world.signIn(mia.email)).status).toBe(400)
  expect((await world.signIn(email)).status).toBe(200)
  expect((await confirm(lastTokenTo(email))).statusAndBody).toEqual(OVER)
})

test('the link to a new address names no one, and expires after a day', async () => {
  const email = newAddress()
  await mia.call('PUT', '/api/v1/userinfo', { body: { name: 'Pay at evil.example', email } })
  expect(mailsTo(email)).toEqual([
    {
      to: email,
      subject: 'Confirm your email address',
      text: `A Cairn account was given this email address. Confirm within 24 hours that it is yours:\nhttps://cairn.example.com/auth#email_token=${lastTokenTo(email)}\n\nIf you did not do this, ignore it: nothing happens.`,
    },
  ])
  world.advance({ days: 1 })
  const later = await signInAgain(mia.email)
  expect((await confirm(lastTokenTo(email), later)).statusAndBody).toEqual(OVER)
  expect(await userinfo(later)).toMatchObject({ email: mia.email, pending_email: null })
})

test('the former address gets a link that takes the account back within 72 hours', async () => {
  const email = newAddress()
  await change(email)
  expect(mailsTo(mia.email).map(({ subject }) => subject)).toEqual([
    'Your email address is about to change',
  ])
  await confirm(lastTokenTo(email))
  expect(mailsTo(mia.email).at(-1)?.subject).toBe('Your email address was changed')
  const wayBack = lastTokenTo(mia.email)
  world.advance({ days: 3, seconds: -1 })
  const thief = await signInAgain(email)
  const facts = await world.call('POST', '/api/v1/verify-token', { body: { token: wayBack } })
  expect(facts.data()).toEqual({ type: 'password', email: mia.email, organisation: null })
  expect((await reset(wayBack)).status).toBe(204)
  expect((await thief.get('/api/v1/userinfo')).status).toBe(401)
  expect((await world.signIn(email)).status).toBe(400)
  expect(await userinfo(await signInAgain(mia.email, NEW_PASSWORD))).toMatchObject({
    email: mia.email,
  })
})

test('the way back ends after 72 hours', async () => {
  const email = newAddress()
  await change(email)
  await confirm(lastTokenTo(email))
  world.advance({ days: 3 })
  expect((await reset(lastTokenTo(mia.email))).statusAndBody).toEqual(OVER)
})

test('changing the address once more does not end the way back of its first owner', async () => {
  const [second, third] = [newAddress(), newAddress()]
  await change(second)
  await confirm(lastTokenTo(second))
  const wayBack = lastTokenTo(mia.email)
  world.advance({ minutes: 1 })
  await change(third)
  await confirm(lastTokenTo(third))
  const thiefsWayBack = lastTokenTo(second)
  // The address stays reserved for its owner meanwhile.
  const taken = {
    email: mia.email,
    name: 'Eve',
    password: PASSWORD,
    password_confirmation: PASSWORD,
  }
  expect((await world.call('POST', '/api/v1/register', { body: taken })).status).toBe(422)
  expect((await reset(wayBack)).status).toBe(204)
  expect((await reset(thiefsWayBack)).statusAndBody).toEqual(OVER)
  expect((await world.signIn(mia.email, NEW_PASSWORD)).status).toBe(200)
})

test('a change back leaves no way back to the address between', async () => {
  const between = newAddress()
  await change(between)
  await confirm(lastTokenTo(between))
  const wayBack = lastTokenTo(mia.email)
  world.advance({ minutes: 61 })
  const owner = await signInAgain(between)
  await change(mia.email, owner)
  expect((await confirm(lastTokenTo(mia.email), owner)).status).toBe(200)
  expect(mailsTo(between).map(({ subject }) => subject)).toEqual([
    'Confirm your email address',
    'Your email address is about to change',
  ])
  expect((await reset(wayBack)).statusAndBody).toEqual(OVER)
  expect((await world.signIn(mia.email)).status).toBe(200)
})

test('a change back ends the ways back to later addresses, and keeps those to earlier ones', async () => {
  const [second, third, fourth] = [newAddress(), newAddress(), newAddress()]
  for (const email of [second, third, fourth, second]) {
    await change(email)
    await confirm(lastTokenTo(email))
    world.advance({ minutes: 1 })
  }
  expect((await reset(lastTokenTo(third))).statusAndBody).toEqual(OVER)
  expect(mailsTo(fourth).map(({ subject }) => subject)).not.toContain(
    'Your email address was changed',
  )
  expect((await reset(lastTokenTo(mia.email))).status).toBe(204)
  expect((await world.signIn(mia.email, NEW_PASSWORD)).status).toBe(200)
})

test('an operator’s reset does not bring back an address that was changed meanwhile', async () => {
  const email = newAddress()
  await change(email)
  const { database } = world
  let count = 0
  const meanwhile: Database = {
    ...database,
    async auth(work) {
      const result = await database.auth(work)
      count += 1
      // The user was found, and the password is hashed next.
      if (count === 1) expect((await confirm(lastTokenTo(email))).status).toBe(200)
      return result
    },
  }
  const request = { email: mia.email, password: NEW_PASSWORD }
  await expect(resetPassword(meanwhile, request, world.now)).rejects.toThrow('There is no user')
  expect(await userinfo()).toMatchObject({ email })
})

/** Changes the password; once the present one has been found right, the link to the new address is followed. */
async function changePasswordDuringConfirm(password: string, token: string, by = mia) {
  const { database } = world
  let count = 0
  const meanwhile: Database = {
    ...database,
    async auth(work) {
      const result = await database.auth(work)
      count += 1
      // The user, the attempt, and that it was right.
      if (count === 3) expect((await confirm(token, by)).status).toBe(200)
      return result
    },
  }
  const body = { current_password: PASSWORD, password, password_confirmation: password }
  return by.atApp(world.appWith({ database: meanwhile })).call('PUT', '/api/v1/password', { body })
}

test('the mail about a new password goes to an address that was proven during the change', async () => {
  const email = newAddress()
  await change(email)
  const former = mailsTo(mia.email).length
  expect((await changePasswordDuringConfirm(NEW_PASSWORD, lastTokenTo(email))).status).toBe(204)
  expect(mailsTo(email).at(-1)?.subject).toBe('Your password was changed')
  const told = mailsTo(mia.email).slice(former)
  expect(told.map(({ subject }) => subject)).toEqual(['Your email address was changed'])
  const nora = await world.createUser('Nora')
  await nora.post('/api/v1/email-link', undefined)
  const link = lastTokenTo(nora.email)
  expect((await changePasswordDuringConfirm(NEW_PASSWORD, link, nora)).status).toBe(204)
  expect(mailsTo(nora.email).at(-1)?.subject).toBe('Your password was changed')
})

test('an address that is proven during the change is not taken as the password', async () => {
  const email = newAddress()
  await change(email)
  expect((await changePasswordDuringConfirm(email, lastTokenTo(email))).json.errors).toEqual({
    password: ['Choose a password that is not your email address.'],
  })
  expect((await world.signIn(email)).status).toBe(200)
})

test('a new address needs the password or a sign-in of the last ten minutes', async () => {
  world.advance({ minutes: 10, seconds: 1 })
  const email = newAddress()
  expect((await change(email)).statusAndBody).toEqual(STALE)
  expect(mailsTo(email)).toEqual([])
  expect((await mia.call('PUT', '/api/v1/userinfo', { body: { name: 'Mia B' } })).status).toBe(200)
  const wrong = await mia.post('/api/v1/reauthenticate', { current_password: 'a guess' })
  expect(wrong.statusAndBody).toEqual({
    status: 422,
    body: {
      message: 'This is not your password.',
      errors: { current_password: ['This is not your password.'] },
    },
  })
  expect((await change(email)).statusAndBody).toEqual(STALE)
  expect((await mia.post('/api/v1/reauthenticate', { current_password: PASSWORD })).status).toBe(
    204,
  )
  expect((await change(email)).status).toBe(200)
})

test('without a fresh sign-in no one learns whether an address has an account', async () => {
  const nora = await world.createUser('Nora')
  world.advance({ minutes: 10, seconds: 1 })
  expect((await change(nora.email)).statusAndBody).toEqual(STALE)
  expect((await change(newAddress())).statusAndBody).toEqual(STALE)
})

test('at most thirty addresses a day are tried by one user, in single calls and in batches', async () => {
  const nora = await world.createUser('Nora')
  const owner = await world.createOwner('Olga')
  const asked = { method: 'PUT', path: '/api/v1/userinfo', body: { email: nora.email } }
  const operation = (lane: number) => ({ key: uuidv4(), lane: String(lane), ...asked })
  const operations = Array.from({ length: 20 }, (_, lane) => operation(lane))
  const batch = await owner.post('/api/v1/batch', { operations })
  const statuses = batch.data<{ status: number }[]>().map(({ status }) => status)
  for (let count = 0; count < 11; count += 1)
    statuses.push((await change(nora.email, owner)).status)
  expect(statuses).toEqual([...Array<number>(30).fill(422), 429])
  const more = await change(newAddress(), owner)
  const message = 'Too many email addresses were tried. Please wait.'
  expect(more.statusAndBody).toEqual({
    status: 429,
    body: { message, errors: { email: [message] } },
  })
  expect(more.headers.get('Retry-After')).toBe('86400')
  const answer = await owner.post('/api/v1/batch', { operations: [operation(0)] })
  expect(answer.data()).toMatchObject([{ status: 429, headers: { 'retry-after': '86400' } }])
  expect((await owner.call('PUT', '/api/v1/userinfo', { body: { name: 'Olga B' } })).status).toBe(
    200,
  )
})

test('a stolen session is no good for guessing the password', async () => {
  const statuses: number[] = []
  for (let guess = 0; guess < 6; guess += 1)
    statuses.push((await mia.post('/api/v1/reauthenticate', { current_password: 'x' })).status)
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  expect((await world.signIn(mia.email)).status).toBe(200)
})

test('a link for one user does nothing for another', async () => {
  const eve = await world.createUser('Eve')
  const email = newAddress()
  await change(email, eve)
  expect((await confirm(lastTokenTo(email))).statusAndBody).toEqual(OVER)
  expect((await confirm('made-up')).statusAndBody).toEqual(OVER)
  expect((await userinfo(eve)).pending_email).toBe(email)
})

test('an address that was taken meanwhile is not shared', async () => {
  const email = newAddress()
  await change(email)
  const body = { name: 'Eve', email, password: PASSWORD, password_confirmation: PASSWORD }
  const link = lastTokenTo(email)
  expect((await world.call('POST', '/api/v1/register', { body })).status).toBe(201)
  expect((await confirm(link)).statusAndBody).toEqual(OVER)
  expect((await change(email)).statusAndBody).toEqual({
    status: 422,
    body: {
      message: 'This email address is taken.',
      errors: { email: ['This email address is taken.'] },
    },
  })
})

test('an unproven address gets one link, once more on request, and nothing else', async () => {
  const email = newAddress()
  const body = { name: 'Nora', email, password: PASSWORD, password_confirmation: PASSWORD }
  const registered = await world.call('POST', '/api/v1/register', { body })
  expect(registered.data()).toMatchObject({ email_verified: false, pending_email: null })
  const nora = await signInAgain(email)
  const next = newAddress()
  await change(next, nora)
  expect(mailsTo(email).map(({ subject }) => subject)).toEqual(['Confirm your email address'])
  expect((await confirm(lastTokenTo(next), nora)).status).toBe(200)
  expect(mailsTo(email)).toHaveLength(1)
  expect((await nora.post('/api/v1/email-link', undefined)).status).toBe(202)
  expect(mailsTo(next)).toHaveLength(1)
})

test('at most five links an hour go to one address', async () => {
  const email = newAddress()
  await change(email)
  for (let count = 0; count < 4; count += 1)
    expect((await mia.post('/api/v1/email-link', undefined)).status).toBe(202)
  const more = await mia.post('/api/v1/email-link', undefined)
  expect(more.statusAndBody).toEqual({
    status: 429,
    body: { message: 'Too many emails were sent to this address. Please wait.' },
  })
  expect(more.headers.get('Retry-After')).toBe('3600')
  expect(mailsTo(email)).toHaveLength(5)
})

test('an address to which another user had links sent can register, and gets its link later', async () => {
  const email = newAddress()
  await change(email)
  for (let count = 1; count < 5; count += 1)
    expect((await mia.post('/api/v1/email-link', undefined)).status).toBe(202)
  const body = { name: 'Nora', email, password: PASSWORD, password_confirmation: PASSWORD }
  expect((await world.call('POST', '/api/v1/register', { body })).status).toBe(201)
  expect(mailsTo(email)).toHaveLength(5)
  world.advance({ minutes: 61 })
  const nora = mia.withTokens((await world.signIn(email)).json as unknown as Tokens)
  expect((await nora.post('/api/v1/email-link', undefined)).status).toBe(202)
  expect((await confirm(lastTokenTo(email), nora)).data()).toMatchObject({ email_verified: true })
})

test('at most twenty links a day go out for one user, to whatever addresses', async () => {
  const statuses: number[] = []
  for (let count = 0; count < 21; count += 1) statuses.push((await change(newAddress())).status)
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429])
  const refused = newAddress()
  const more = await change(refused)
  expect(more.statusAndBody).toEqual({
    status: 429,
    body: { message: 'Too many emails were sent for you. Please wait.' },
  })
  expect(more.headers.get('Retry-After')).toBe('86400')
  expect(mailsTo(refused)).toEqual([])
})

test('proving an address ends the other sign-ins, notifications and links, and says so', async () => {
  const email = newAddress()
  const body = { name: 'Nora', email, password: PASSWORD, password_confirmation: PASSWORD }
  const { id } = (await world.call('POST', '/api/v1/register', { body })).data<{ id: string }>()
  const [nora, other] = [await signInAgain(email), await signInAgain(email)]
  await world.call('POST', '/api/v1/forgot-password', { body: { email } })
  await world.database.auth((tx) =>
    tx
      .insertInto('push_subscriptions')
      .values({
        id: uuidv7(),
        user_id: id,
        family_id: null,
        endpoint: `https://push.example/${id}`,
        p256dh: '',
        auth: '',
        created_at: world.now.toISOString(),
      })
      .execute(),
  )
  const [link = '', resetLink = ''] = mailsTo(email).map(({ text }) => tokenIn(text))
  expect((await confirm(link, nora)).status).toBe(200)
  expect((await nora.get('/api/v1/userinfo')).status).toBe(200)
  expect((await other.get('/api/v1/userinfo')).status).toBe(401)
  expect((await reset(resetLink)).statusAndBody).toEqual(OVER)
  await waitFor(async () => {
    await world.mail.deliver()
    expect(mailsTo(email).at(-1)?.text).toContain(
      'has ended:\n- 1 other sign-in\n- notifications on 1 device\n\nSign in again',
    )
  })
})
