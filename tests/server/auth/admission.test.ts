// One address makes the server busy for everyone, or an outsider locks a user out.
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { networkOf, shortNetwork } from '../../../server/auth/network-address.ts'
import { limitUnknown } from '../../../server/http/authenticate.ts'
import { createKnownTokens } from '../../../server/http/access/known-tokens.ts'
import { createRateLimit } from '../../../server/http/rate-limit.ts'
import type { Database } from '../../../server/database/database.ts'
import type { Services } from '../../../server/http/services.ts'
import { ApiFixture, ApiUser, CLIENT, PASSWORD } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'
import { longTest } from '../../long-test.ts'
import { isLongRun } from '../../sample.ts'

let world: ApiFixture
let app: ApiFixture['app']
beforeAll(async () => {
  world = await ApiFixture.open()
  app = world.appWith({ trustProxy: true })
})
afterEach(() => world.advance({ minutes: 61 }))
afterAll(() => world.close())

const TOO_MANY = { status: 429, body: { message: 'Too many sign-in attempts. Please wait.' } }
const from = (address: string) => ({ 'X-Forwarded-For': address })
const signIn = (
  email: string,
  password: string,
  address: string,
  device_token?: string,
  at = app,
) =>
  world.call(
    'POST',
    '/oauth/token',
    {
      body: { ...CLIENT, grant_type: 'password', username: email, password, device_token },
      headers: from(address),
    },
    at,
  )
const register = (address: string) =>
  world.call(
    'POST',
    '/api/v1/register',
    {
      body: {
        name: 'Nora',
        email: `nora-${uuidv7()}@example.com`,
        password: PASSWORD,
        password_confirmation: PASSWORD,
      },
      headers: from(address),
    },
    app,
  )
const forget = (email: string, address: string) =>
  world.call('POST', '/api/v1/forgot-password', { body: { email }, headers: from(address) }, app)
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)
const many = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
/** The same, 70 at a time: a database refuses calls that have waited for ten seconds. */
const inGroups = async <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = []
  while (done.length < count) {
    const from = done.length
    done.push(...(await many(Math.min(70, count - from), (index) => work(from + index))))
  }
  return done
}

/** The same database, with eight `auth` transactions at a time: none waits ten seconds for a connection. */
function patient(database: Database): Database {
  let free = 8
  const line: (() => void)[] = []
  const auth: Database['auth'] = async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => void line.push(resolve))
    try {
      return await database.auth(work)
    } finally {
      const next = line.shift()
      if (next) next()
      else free += 1
    }
  }
  return { ...database, auth }
}

/** Of one office, in a long run three hundred. */
const PEOPLE = isLongRun ? 300 : 60
/** So often a device asks with an access token that was purged, before it refreshes. */
const STALE_CALLS = 3

test(`${PEOPLE} people of one office sign in at nine o’clock`, { timeout: 600_000 }, async () => {
  const people = await inGroups(PEOPLE, () => world.createUser('Person'))
  const wrong = await many(15, (index) =>
    signIn(people[index]?.email ?? '', 'a typo', '203.0.113.5'),
  )
  expect(new Set(statusesOf(wrong))).toEqual(new Set([400]))
  const office = world.appWith({ trustProxy: true, database: patient(world.database) })
  const all = await Promise.all(
    people.map(({ email }) => signIn(email, PASSWORD, '203.0.113.5', undefined, office)),
  )
  expect(new Set(statusesOf(all))).toEqual(new Set([200]))
  const stale = await inGroups(PEOPLE * STALE_CALLS, () =>
    world.call(
      'GET',
      '/api/v1/userinfo',
      { headers: { ...from('203.0.113.5'), ...bearer() } },
      app,
    ),
  )
  expect(new Set(statusesOf(stale))).toEqual(new Set([401]))
})

const bearer = () => ({ Authorization: `Bearer ${randomBytes(32).toString('base64url')}` })

test(
  'registrations neither delay a sign-in nor queue without end',
  { timeout: 120_000 },
  async () => {
    const mia = await world.createUser('Mia')
    let finished = 0
    const isBusy = Promise.withResolvers<void>()
    const flood = many(60, async (index) => {
      const answer = await register(`198.51.100.${index}`)
      finished += answer.status === 201 ? 1 : 0
      if (finished > 0) isBusy.resolve()
      return answer
    })
    // Not by a poll, which on a slow machine sees it when half of them are finished.
    await isBusy.promise
    expect((await signIn(mia.email, PASSWORD, '203.0.113.6')).status).toBe(200)
    const before = finished
    const answers = await flood
    const rejected = answers.filter(({ status }) => status !== 201)
    // Only those that were hashed before the sign-in asked; in order of arrival it would come last.
    expect(before).toBeLessThan((answers.length - rejected.length) / 2)
    expect(rejected.length).toBeGreaterThan(20)
    for (const answer of rejected) {
      expect(answer.statusAndBody).toEqual({
        status: 503,
        body: { message: 'The server is busy. Please try again.' },
      })
      expect(answer.headers.get('Retry-After')).toBe('5')
    }
  },
)

test('a hundred registrations an hour come from one network, rejected ones included', async () => {
  const taken = (await world.createUser('Mia')).email
  const attempt = (address: string) =>
    world.call(
      'POST',
      '/api/v1/register',
      {
        body: { name: 'N', email: taken, password: PASSWORD, password_confirmation: PASSWORD },
        headers: from(address),
      },
      app,
    )
  const answers = await inGroups(101, () => attempt('2001:db8:1:1::5'))
  expect(statusesOf(answers).filter((status) => status === 422)).toHaveLength(100)
  const more = await attempt('2001:db8:1:1:ffff::9')
  expect(more.statusAndBody).toEqual({
    status: 429,
    body: { message: 'Too many new accounts. Please wait.' },
  })
  expect(more.headers.get('Retry-After')).toBe('3600')
  expect((await attempt('2001:db8:1:2::5')).status).toBe(422)
})

test('an invitation is never stopped by the registrations of others', async () => {
  const owner = await world.createOwner('Olga')
  const email = `new-${uuidv7()}@example.com`
  await owner.post('/api/v1/organisation-invites', { email })
  const [, invite_token] = /invite_token=([\w-]+)/.exec(world.mails.at(-1)?.text ?? '') ?? []
  const body = { name: 'New', email, password: PASSWORD, password_confirmation: PASSWORD }
  for (let count = 0; count < 100; count += 1)
    await world.call('POST', '/api/v1/register', {
      body: { ...body, email: owner.email },
    })
  const without = await world.call('POST', '/api/v1/register', { body })
  expect(without.status).toBe(429)
  const invited = await world.call('POST', '/api/v1/register', { body: { ...body, invite_token } })
  expect(invited.status).toBe(201)
})

test('guesses are counted for an IPv6 network, and any port', { timeout: 120_000 }, async () => {
  const networks = [
    (index: number) => `2001:db8:7:7:${index.toString(16)}::1`,
    (index: number) => `203.0.113.9:${1_000 + index}`,
    (index: number) => `::ffff:203.0.113.${10 + (index % 1)}`,
  ]
  for (const address of networks) {
    for (let guess = 0; guess < 20; guess += 1)
      expect((await signIn(`g-${guess}@example.com`, 'wrong', address(guess))).status).toBe(400)
    expect((await signIn('g@example.com', 'wrong', address(20))).statusAndBody).toEqual(TOO_MANY)
    world.advance({ minutes: 16 })
  }
})

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.x'],
  ['203.0.113.7:8443', '203.0.113.7', '203.0.113.x'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.x'],
  ['2001:DB8:0:12::7', '2001:db8:0:12::/64', '2001:db8:0::/48'],
  ['[2001:db8::7]:443', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['made-up', 'unknown', null],
  ['', 'unknown', null],
])('the network of %j is %s', (address, network, short) => {
  expect([networkOf(address), shortNetwork(network)]).toEqual([network, short])
})

test('an outsider’s wrong passwords do not lock out the user elsewhere', async () => {
  const mia = await world.createUser('Mia')
  for (let guess = 0; guess < 5; guess += 1) await signIn(mia.email, 'wrong', '198.51.100.1')
  expect((await signIn(mia.email, PASSWORD, '198.51.100.1')).statusAndBody).toEqual(TOO_MANY)
  expect((await signIn(mia.email, PASSWORD, '203.0.113.8')).status).toBe(200)
})

test('a device that was signed in before is never locked out', { timeout: 120_000 }, async () => {
  const mia = await world.createUser('Mia')
  const { device_token } = (await signIn(mia.email, PASSWORD, '203.0.113.8')).json
  const known = String(device_token)
  // In the same network, and from so many that the account is closed for unknown devices.
  for (let guess = 0; guess < 5; guess += 1) await signIn(mia.email, 'wrong', '203.0.113.8')
  await many(50, (index) => signIn(mia.email, 'wrong', `198.51.100.${index}`))
  expect((await signIn(mia.email, PASSWORD, '192.0.2.1')).statusAndBody).toEqual(TOO_MANY)
  expect((await signIn(mia.email, PASSWORD, '203.0.113.8', known)).status).toBe(200)
  // The proof is for its own user, and its device has five attempts as well.
  const eve = await world.createUser('Eve')
  for (let guess = 0; guess < 5; guess += 1) await signIn(eve.email, 'wrong', '192.0.2.2')
  expect((await signIn(eve.email, PASSWORD, '192.0.2.2', known)).statusAndBody).toEqual(TOO_MANY)
  for (let guess = 0; guess < 5; guess += 1)
    expect((await signIn(mia.email, 'wrong', '203.0.113.8', `x.y ${known}`)).status).toBe(400)
  expect((await signIn(mia.email, PASSWORD, '203.0.113.8', known)).statusAndBody).toEqual(TOO_MANY)
})

test('a new password ends the device tokens of the one before', { timeout: 120_000 }, async () => {
  const mia = (await world.createUser('Mia')).atApp(app)
  const { device_token } = (await signIn(mia.email, PASSWORD, '203.0.113.8')).json
  const known = String(device_token)
  for (let guess = 0; guess < 5; guess += 1) await signIn(mia.email, 'wrong', '203.0.113.8')
  expect((await signIn(mia.email, PASSWORD, '203.0.113.8', known)).status).toBe(200)
  const password = 'a better password'
  const body = { current_password: PASSWORD, password, password_confirmation: password }
  expect((await mia.call('PUT', '/api/v1/password', { body })).status).toBe(204)
  expect((await signIn(mia.email, password, '203.0.113.8', known)).statusAndBody).toEqual(TOO_MANY)
  const next = String((await signIn(mia.email, password, '192.0.2.4')).json.device_token)
  expect((await signIn(mia.email, password, '203.0.113.8', next)).status).toBe(200)
})

test('the devices of an account have fifty guesses together', { timeout: 120_000 }, async () => {
  const mia = await world.createUser('Mia')
  const tokens = await many(11, async (index) => {
    const answer = await signIn(mia.email, PASSWORD, `198.51.100.${index}`)
    return String(answer.json.device_token)
  })
  const [last = '', ...others] = tokens
  const guesses = await many(50, (index) =>
    signIn(mia.email, 'wrong', '203.0.113.8', others[index % others.length]),
  )
  expect(new Set(statusesOf(guesses))).toEqual(new Set([400]))
  expect((await signIn(mia.email, PASSWORD, '203.0.113.8', last)).statusAndBody).toEqual(TOO_MANY)
  // They lock out no one who has none of them.
  expect((await signIn(mia.email, PASSWORD, '203.0.113.8')).status).toBe(200)
})

test('a mailed link is never locked out', { timeout: 120_000 }, async () => {
  const mia = await world.createUser('Mia')
  for (let network = 1; network <= 3; network += 1)
    for (let count = 0; count < 5; count += 1)
      expect((await forget(mia.email, `198.51.100.${network}`)).status).toBe(202)
  expect((await forget(mia.email, '198.51.100.1')).statusAndBody).toEqual({
    status: 429,
    body: { message: 'Too many requests. Please wait.' },
  })
  expect((await forget(mia.email, '203.0.113.8')).status).toBe(202)
  // No mailbox is flooded: five mails, and each link works.
  await waitFor(() => expect(world.mails.filter(({ to }) => to === mia.email)).toHaveLength(5))
  const [, token] = /reset_token=([\w-]+)/.exec(world.mails.at(-1)?.text ?? '') ?? []
  const password = 'a better password'
  await many(50, (index) => signIn(mia.email, 'wrong', `198.51.100.${index}`))
  const reset = await world.call(
    'POST',
    '/api/v1/reset-password',
    { body: { token, password, password_confirmation: password }, headers: from('203.0.113.8') },
    app,
  )
  expect(reset.status).toBe(204)
  await many(55, (index) => signIn(mia.email, 'wrong', `198.51.100.${index}`))
  expect((await signIn(mia.email, password, '192.0.2.3')).statusAndBody).toEqual(TOO_MANY)
  expect((await signIn(mia.email, password, '203.0.113.8')).status).toBe(200)
})

test('a request for a link does the same work for an unknown address', async () => {
  const mia = await world.createUser('Mia')
  const work = async (email: string) => {
    const rows = () =>
      world.database.system(async (tx) => [
        (await tx.selectFrom('password_resets').select('token_hash').execute()).length,
        (await tx.selectFrom('rate_limit_hits').select('id').execute()).length,
      ])
    const [resets = 0, hits = 0] = await rows()
    await forget(email, '203.0.113.8')
    return waitFor(async () => {
      const [newResets = 0, newHits = 0] = await rows()
      expect(newResets - resets).toBe(1)
      return { resets: newResets - resets, hits: newHits - hits }
    })
  }
  const before = world.mails.length
  expect(await work('unknown@example.com')).toEqual(await work(mia.email))
  await world.mail.deliver()
  expect(world.mails.slice(before).map(({ to }) => to)).toEqual([mia.email])
})

longTest(
  'made-up tokens are limited before they are looked up',
  async () => {
    const mia = (await world.createUser('Mia')).atApp(app)
    const userinfo = (headers: Record<string, string>) =>
      world.call(
        'GET',
        '/api/v1/userinfo',
        { headers: { ...from('203.0.113.20'), ...headers } },
        app,
      )
    const own = { Authorization: `Bearer ${mia.tokens.access_token}` }
    expect((await userinfo(own)).status).toBe(200)
    let lookups = 0
    const counted = world.appWith({
      trustProxy: true,
      database: {
        ...world.database,
        auth: (work) => {
          lookups += 1
          return world.database.auth(work)
        },
      },
    })
    const madeUp = (at: typeof app) =>
      world.call(
        'GET',
        '/api/v1/userinfo',
        { headers: { ...from('203.0.113.20'), ...bearer() } },
        at,
      )
    const statuses: number[] = []
    // In groups: a database refuses calls that wait long for a connection.
    for (let group = 0; group < 43; group += 1)
      statuses.push(...statusesOf(await many(70, () => madeUp(counted))))
    expect(statuses.filter((status) => status === 401)).toHaveLength(3_000)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect(lookups).toBe(3_000)
    expect((await madeUp(counted)).headers.get('Retry-After')).toBe('1')
    const refreshed = await world.call(
      'POST',
      '/oauth/token',
      {
        body: { ...CLIENT, grant_type: 'refresh_token', refresh_token: 'made-up' },
        headers: from('203.0.113.20'),
      },
      counted,
    )
    expect(refreshed.status).toBe(429)
    // Others of the network go on where they are known, and other networks are not concerned.
    for (let count = 0; count < 3_010; count += 1) if ((await madeUp(app)).status === 429) break
    expect((await userinfo(own)).status).toBe(200)
    expect((await userinfo({ ...own, ...from('203.0.113.21') })).status).toBe(200)
  },
  { timeout: 120_000 },
)

test('valid tokens are not counted, also where this process sees them for the first time', async () => {
  const services = {
    knownTokens: createKnownTokens(),
    unknownLimit: createRateLimit({ capacity: 1, refillPerSecond: 0.001 }),
    trustProxy: false,
    monotonicMs: () => 0,
  } as unknown as Services
  const context = { env: {}, req: {} } as Context
  const call = (token: string, found?: string) =>
    limitUnknown(services, context, token, async () => found)
  for (const token of ['one', 'two', 'two']) expect(await call(token, 'Mia')).toBe('Mia')
  expect(await call('made up')).toBeUndefined()
  await expect(call('three', 'Mia')).rejects.toMatchObject({ status: 429 })
  expect(await call('one', 'Mia')).toBe('Mia')
  // One that has ended is as unknown as the others.
  expect(await call('one')).toBeUndefined()
  await expect(call('one', 'Mia')).rejects.toMatchObject({ status: 429 })
})

test('a clock that is set back locks no one out', async () => {
  const mia = await world.createUser('Mia')
  const person = new ApiUser(world, mia, app)
  for (let call = 0; call < 600; call += 1) await person.get('/api/v1/userinfo')
  expect((await person.get('/api/v1/userinfo')).status).toBe(429)
  world.setClockBack({ minutes: 60 })
  world.advance({ seconds: 2 })
  expect((await person.get('/api/v1/userinfo')).status).toBe(200)
})
