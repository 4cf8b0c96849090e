// Calls outside of organisations that wait for one lock hold all connections, and everybody else waits for them.
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { ApiFixture, PASSWORD, type ApiResponse, type ApiUser } from '../fixtures/api-fixture.ts'
import { Authenticator } from '../fixtures/authenticator.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

interface Flood {
  /** Takes the lock that the calls wait for. */
  lock: RawBuilder<unknown>
  call: (app: typeof world.app) => Promise<ApiResponse>
}
interface Ceremony {
  challenge: string
  rp_id: string
}
const advisory = (kind: number, subject: string) =>
  sql`select pg_advisory_xact_lock(${kind}::int, hashtext(${subject}))`
const rowOf = ({ id }: ApiUser) => sql`select from users where id = ${id} for no key update`

const floods: Record<string, (user: ApiUser) => Promise<Flood>> = {
  'changes of one user': async (user) => ({
    lock: rowOf(user),
    call: (app) => user.atApp(app).call('PUT', '/api/v1/userinfo', { body: {} }),
  }),
  'sign-ins to one account': async ({ email }) => ({
    lock: advisory(1, email),
    call: (app) => world.token({ grant_type: 'password', username: email, password: 'wrong' }, app),
  }),
  'passwords in one session': async (user) => ({
    lock: advisory(1, `session ${user.id}`),
    call: (app) => user.atApp(app).post('/api/v1/reauthenticate', { current_password: 'wrong' }),
  }),
  'sign-ins with one answer of a passkey': async (user) => {
    const authenticator = new Authenticator()
    const offer = (await user.post('/api/v1/passkey-offer', undefined)).json as unknown as Ceremony
    await user.post('/api/v1/passkeys', authenticator.create(offer))
    const asked = await world.call('POST', '/api/v1/passkey-sign-in')
    const credential = authenticator.get(asked.json as unknown as Ceremony)
    return {
      lock: rowOf(user),
      call: (app) => world.token({ grant_type: 'passkey', credential }, app),
    }
  },
  'refreshes with one token': async (user) => ({
    lock: sql`select from token_families where user_id = ${user.id} for update`,
    call: (app) =>
      world.token({ grant_type: 'refresh_token', refresh_token: user.tokens.refresh_token }, app),
  }),
  'requests for links from one network': async ({ email }) => ({
    lock: advisory(3, 'forgot unknown'),
    call: (app) => world.call('POST', '/api/v1/forgot-password', { body: { email } }, app),
  }),
  'registrations from one network': async ({ email }) => ({
    lock: advisory(3, 'register unknown'),
    call: (app) => {
      const body = { name: 'N', email, password: PASSWORD, password_confirmation: PASSWORD }
      return world.call('POST', '/api/v1/register', { body }, app)
    },
  }),
}

/** How many transactions wait for a lock of another one. */
const waiting = () =>
  world.database.system(async (tx) => {
    const found = sql`select from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted`
    return (await found.execute(tx)).rows.length
  })

test.each(Object.entries(floods))('%s leave connections to others', async (_name, prepare) => {
  const [user, other] = [await world.createUser('Mia'), await world.createUser('Olga')]
  const { lock, call } = await prepare(user)
  let running = 0
  const database: Database = {
    ...world.database,
    auth(work) {
      running += 1
      return world.database.auth(work).finally(() => (running -= 1))
    },
  }
  const app = world.appWith({ database })
  const taken = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holder = world.database.auth(async (tx) => {
    await lock.execute(tx)
    taken.resolve()
    await released.promise
  })
  onTestFinished(() => released.resolve())
  await taken.promise
  const calls = Array.from({ length: 20 }, () => call(app))
  // All that runs waits for the lock.
  await expect.poll(async () => running > 0 && (await waiting()) === running).toBe(true)
  expect((await other.atApp(app).get('/api/v1/userinfo')).status).toBe(200)
  expect(running).toBe(1)
  released.resolve()
  await holder
  for (const { status } of await Promise.all(calls)) expect(status).toBeLessThan(500)
})
