// A session that ended after its call had begun, and still changes something: the body was held back until then, or the
// password waited for its turn to be checked. A change of the password, or another way in, would undo a reset.
import { once } from 'node:events'
import { request, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endSignIns, resetPassword } from '../../../server/ops/admin/users.ts'
import { createHttpServer, listen } from '../../../server/http/http-server.ts'
import type { StripeClient } from '../../../server/integrations/stripe.ts'
import type { Database } from '../../../server/database/database.ts'
import { ApiFixture, PASSWORD, type ApiUser } from '../fixtures/api-fixture.ts'
import { Authenticator } from '../fixtures/authenticator.ts'

const OWNERS = 'the password of the owner'
const INTRUDERS = 'the password of an intruder'

let world: ApiFixture
/** Uses the tokens of the owner, who was signed in on that device. */
let intruder: ApiUser
let server: Server
let origin: string
/** Called when a transaction of sign-ins has ended at the server. */
let lookedUp: () => void
let paymentsAsked = 0

beforeAll(async () => {
  world = await ApiFixture.open()
  const { database } = world
  const watched: Database = {
    ...database,
    auth: (work) => database.auth(work).finally(() => lookedUp()),
  }
  const stripe: Partial<StripeClient> = {
    createCustomer() {
      paymentsAsked += 1
      return Promise.reject(new Error('No customer is expected.'))
    },
  }
  const { fetch } = world.appWith({ database: watched, stripe: stripe as StripeClient })
  server = createHttpServer(fetch, '127.0.0.1', () => false)
  origin = await listen(server, 0, '127.0.0.1')
})
beforeEach(async () => {
  world.advance({ minutes: 16 })
  lookedUp = () => undefined
  intruder = await world.createOwner('Mia')
})
afterAll(async () => {
  server.close()
  await world.close()
})

/** Begins a call; once the server has looked up who sends it, resolves with what sends its body. */
async function holdBack(method: string, path: string, body: unknown) {
  const json = JSON.stringify(body)
  const begun = new Promise<void>((resolve) => (lookedUp = resolve))
  const call = request(`${origin}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${intruder.tokens.access_token}`,
      'X-organisation': intruder.organisation,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(json),
    },
  })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  call.flushHeaders()
  await begun
  return async () => {
    call.end(json)
    const [answer] = await answered
    return {
      status: answer.statusCode,
      body: JSON.parse((await text(answer)) || 'null') as unknown,
    }
  }
}

const UNAUTHENTICATED = { status: 401, body: { message: 'Unauthenticated.' } }

/** Resets the password, as with a mailed link; resolves with the new session of the owner. */
async function reset(): Promise<ApiUser> {
  await resetPassword(world.database, { email: intruder.email, password: OWNERS }, world.now)
  const signedIn = await world.signIn(intruder.email, OWNERS)
  expect(signedIn.status).toBe(200)
  return intruder.withTokens(signedIn.json as unknown as ApiUser['tokens'])
}

/** Ends all sessions of the user, and leaves the password. */
const end = () => endSignIns(world.database, { email: intruder.email }, world.now)

test('a password that was sent before a reset, and whose body comes after it, is not set', async () => {
  const send = await holdBack('PUT', '/api/v1/password', {
    current_password: PASSWORD,
    password: INTRUDERS,
    password_confirmation: INTRUDERS,
  })
  const owner = await reset()
  expect(await send()).toEqual(UNAUTHENTICATED)
  expect((await owner.get('/api/v1/userinfo')).status).toBe(200)
  expect((await world.signIn(intruder.email, INTRUDERS)).status).toBe(400)
  expect((await world.signIn(intruder.email, OWNERS)).status).toBe(200)
})

test('a passkey whose body comes after a reset is not added', async () => {
  const offer = await intruder.post('/api/v1/passkey-offer', undefined)
  const authenticator = new Authenticator()
  const passkey = authenticator.create(offer.json as { challenge: string; rp_id: string })
  const send = await holdBack('POST', '/api/v1/passkeys', passkey)
  const owner = await reset()
  expect(await send()).toEqual(UNAUTHENTICATED)
  expect((await owner.get('/api/v1/passkeys')).data()).toEqual([])
})

test('a profile whose body comes after the deletion of the account is not stored', async () => {
  await world.database.system((tx) =>
    tx.deleteFrom('organisations').where('id', '=', intruder.organisation).execute(),
  )
  const send = await holdBack('PUT', '/api/v1/userinfo', { name: 'Mia again', phone: '123' })
  expect((await intruder.call('DELETE', '/api/v1/userinfo')).status).toBe(204)
  expect(await send()).toEqual(UNAUTHENTICATED)
  const row = await world.database.auth((tx) =>
    tx.selectFrom('users').selectAll().where('id', '=', intruder.id).executeTakeFirst(),
  )
  expect(row).toMatchObject({ name: 'Deleted user', phone: null })
})

test.for<[string, string, () => object]>([
  ['PUT', '/api/v1/userinfo', () => ({ email: 'intruder@example.com' })],
  ['POST', '/api/v1/reauthenticate', () => ({ current_password: PASSWORD })],
  ['POST', '/api/v1/organisations', () => ({ name: 'Too late' })],
  ['POST', '/api/v1/success-plans', () => ({ id: uuidv7(), title: 'Late', type: 'project' })],
  ['POST', '/api/v1/subscriptions', () => ({ plan: 'professional' })],
])('%s %s is not done when its body comes after the end of all sessions', async (call) => {
  const [method, path, body] = call
  const send = await holdBack(method, path, body())
  await end()
  expect(await send()).toEqual(UNAUTHENTICATED)
  expect(paymentsAsked).toBe(0)
})

/** The server, at which `meanwhile` is done after that many transactions of sign-ins. */
function afterTransactions(count: number, meanwhile: () => Promise<unknown>) {
  const { database } = world
  let ended = 0
  return world.appWith({
    database: {
      ...database,
      async auth(work) {
        const result = await database.auth(work)
        ended += 1
        if (ended === count) await meanwhile()
        return result
      },
    },
  })
}

const activeSessions = () =>
  world.database.auth((tx) =>
    tx
      .selectFrom('token_families')
      .select('id')
      .where('user_id', '=', intruder.id)
      .where('revoked_at', 'is', null)
      .execute(),
  )

test('a sign-in whose password is replaced while it waits for its turn is refused', async () => {
  // The first transaction reads the user, the second one is that of the turn.
  const app = afterTransactions(2, reset)
  const parameters = { grant_type: 'password', username: intruder.email, password: PASSWORD }
  expect((await world.token(parameters, app)).statusAndBody).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant', message: 'The email address or password is wrong.' },
  })
  expect(await activeSessions()).toHaveLength(1)
})

test.for([2, 3])(
  'a password that is replaced after %i transactions of its change is not changed again',
  async (count) => {
    // The user, the attempt, and that it was right.
    const app = afterTransactions(count, reset)
    const body = { current_password: PASSWORD, password: INTRUDERS }
    const changed = await intruder.atApp(app).call('PUT', '/api/v1/password', {
      body: { ...body, password_confirmation: INTRUDERS },
    })
    expect(changed.statusAndBody).toEqual(UNAUTHENTICATED)
    expect(await activeSessions()).toHaveLength(1)
    expect((await world.signIn(intruder.email, OWNERS)).status).toBe(200)
  },
)
