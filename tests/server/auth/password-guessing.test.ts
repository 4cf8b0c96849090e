// Password guessing: limited by account and by address, in the same way for accounts that do not exist.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordDone, wasDone } from '../../../server/auth/budgets.ts'
import { ApiFixture } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
// All calls of this file come from one address: time passes between tests to reset its limit.
afterEach(() => world.advance({ minutes: 16 }))
afterAll(() => world.close())

const WRONG = {
  status: 400,
  body: {
    error: 'invalid_grant',
    error_description: 'The email address or password is wrong.',
    message: 'The email address or password is wrong.',
  },
}
const TOO_MANY = { status: 429, body: { message: 'Too many sign-in attempts. Please wait.' } }

test('after five wrong passwords an account is locked for fifteen minutes, even for the right one', async () => {
  const mia = await world.createUser('Mia')
  for (let guess = 0; guess < 5; guess += 1)
    expect((await world.signIn(mia.email, 'wrong')).statusAndBody).toEqual(WRONG)
  const sixth = await world.signIn(mia.email)
  expect(sixth.statusAndBody).toEqual(TOO_MANY)
  expect(sixth.headers.get('Retry-After')).toBe('900')
  world.advance({ minutes: 15 })
  expect((await world.signIn(mia.email)).status).toBe(200)
})

test('a clock that is set back does not lock an account for longer', async () => {
  const mia = await world.createUser('Mia')
  for (let guess = 0; guess < 5; guess += 1) await world.signIn(mia.email, 'wrong')
  expect((await world.signIn(mia.email)).status).toBe(429)
  world.setClockBack({ minutes: 60 })
  expect((await world.signIn(mia.email)).status).toBe(200)
  world.advance({ minutes: 120 })
})

test('a clock that is set back does not make a followed link count for longer', async () => {
  const followed = (now: Date) =>
    world.database.auth((tx) => wasDone(tx, 'link followed', 3_600_000, now))
  const { now } = world
  await world.database.auth((tx) => recordDone(tx, 'link followed', now))
  expect(await followed(now)).toBe(true)
  expect(await followed(new Date(now.getTime() - 30_000))).toBe(true)
  expect(await followed(new Date(now.getTime() - 90_000))).toBe(false)
})

test('an unknown account is locked like an existing one', async () => {
  for (let guess = 0; guess < 5; guess += 1)
    expect((await world.signIn('unknown@example.com', 'wrong')).statusAndBody).toEqual(WRONG)
  expect((await world.signIn('unknown@example.com', 'wrong')).statusAndBody).toEqual(TOO_MANY)
})

test('simultaneous attempts are counted', async () => {
  const mia = await world.createUser('Mia')
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, i) => world.signIn(mia.email, `guess ${i}`)),
  )
  const statuses = guesses.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429, 429, 429, 429, 429])
})

test('twenty attempts from one address block it for all accounts', async () => {
  for (let guess = 0; guess < 20; guess += 1)
    expect((await world.signIn(`guess-${guess}@example.com`, 'wrong')).status).toBe(400)
  expect((await world.signIn('guess-20@example.com', 'wrong')).statusAndBody).toEqual(TOO_MANY)
})

test('a right password resets the count', async () => {
  const mia = await world.createUser('Mia')
  for (let guess = 0; guess < 4; guess += 1) await world.signIn(mia.email, 'wrong')
  expect((await world.signIn(mia.email)).status).toBe(200)
  for (let guess = 0; guess < 5; guess += 1)
    expect((await world.signIn(mia.email, 'wrong')).status).toBe(400)
})

test('attempts are counted whatever the case and spaces of the address', async () => {
  const mia = await world.createUser('Mia')
  expect((await world.signIn(`  ${mia.email.toUpperCase()} `)).status).toBe(200)
})

test('an unknown address takes as long as a wrong password', async () => {
  const mia = await world.createUser('Mia')
  const time = async (email: string) => {
    const start = performance.now()
    await world.signIn(email, 'wrong')
    return performance.now() - start
  }
  const [known, unknown]: [number[], number[]] = [[], []]
  // In turns: the load of the machine changes.
  for (const name of ['a', 'b', 'c', 'd']) {
    known.push(await time(mia.email))
    unknown.push(await time(`${name}@example.com`))
  }
  // Without the dummy hash, unknown accounts would be answered twenty times faster.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 5)
})

test('five hundred queued operations are accepted without a 429, a flood is not', async () => {
  const mia = await world.createOwner('Mia')
  const statuses: number[] = []
  for (let call = 0; call < 700; call += 1)
    statuses.push((await mia.get('/api/v1/userinfo')).status)
  // One call was used to create the organisation.
  expect(statuses.indexOf(429)).toBe(599)
  expect((await mia.get('/api/v1/userinfo')).headers.get('Retry-After')).toBe('1')
  world.advance({ seconds: 1 })
  expect((await mia.get('/api/v1/userinfo')).status).toBe(200)
})
