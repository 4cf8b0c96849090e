// Calls that wait for one lock outside of the turns of organisations hold all connections, and everybody else waits.
import { sql, type RawBuilder } from 'kysely'
import { v4 as uuidv4 } from 'uuid'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { lockKey } from '../../../server/hash.ts'
import { ApiFixture, PASSWORD, type ApiResponse, type ApiUser } from '../fixtures/api-fixture.ts'
import { Authenticator } from '../fixtures/authenticator.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

const CALLS = 20

interface Flood {
  /** Takes the lock that the calls wait for. */
  lock: RawBuilder<unknown>
  call: (app: typeof world.app, number: number) => Promise<ApiResponse>
}
interface Ceremony {
  challenge: string
  rp_id: string
}
const advisory = (kind: number, subject: string) =>
  sql`select pg_advisory_xact_lock(${kind}::int, ${lockKey(subject)}::int)`
const rowOf = ({ id }: ApiUser) => sql`select from users where id = ${id} for no key update`

const rowOfOrganisation = (id: string) =>
  sql`select from organisations where id = ${id} for no key update`

const createUsers = () => Promise.all(Array.from({ length: CALLS }, () => world.createUser('Nora')))

/** Invites them; returns the tokens of the links. */
async function inviteAll(owner: ApiUser, emails: readonly string[]): Promise<string[]> {
  await world.verify(owner)
  const tokens: string[] = []
  for (const email of emails) {
    await owner.post('/api/v1/organisation-invites', { email })
    const { text } = world.mails.findLast(({ to }) => to === email) ?? { text: '' }
    tokens.push(/invite_token=(\S+)/.exec(text)?.[1] ?? '')
  }
  return tokens
}

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
  'changes of the names of members of one organisation': async () => {
    const { organisation } = await world.createOwner('Olga')
    const users = await createUsers()
    for (const one of users) await world.addMember(one, organisation, 'member')
    return {
      lock: rowOfOrganisation(organisation),
      call: async (app, number) =>
        (users[number] as ApiUser)
          .atApp(app)
          .call('PUT', '/api/v1/userinfo', { body: { name: 'N' } }),
    }
  },
  'acceptances of invitations into one organisation': async () => {
    const owner = await world.createOwner('Olga')
    const users = await createUsers()
    const tokens = await inviteAll(
      owner,
      users.map(({ email }) => email),
    )
    return {
      lock: rowOfOrganisation(owner.organisation),
      call: (app, number) =>
        (users[number] as ApiUser)
          .atApp(app)
          .post('/api/v1/organisation-invites/accept', { token: tokens[number] }),
    }
  },
  'registrations of those who are invited into one organisation': async () => {
    const owner = await world.createOwner('Olga')
    const emails = Array.from({ length: CALLS }, () => `${uuidv4()}@example.com`)
    const tokens = await inviteAll(owner, emails)
    return {
      lock: rowOfOrganisation(owner.organisation),
      call: (app, number) => {
        const account = { name: 'N', email: emails[number], invite_token: tokens[number] }
        const body = { ...account, password: PASSWORD, password_confirmation: PASSWORD }
        return world.call('POST', '/api/v1/register', { body }, app)
      },
    }
  },
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
    tenant(...call) {
      running += 1
      return world.database.tenant(...call).finally(() => (running -= 1))
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
  const calls = Array.from({ length: CALLS }, (_, number) => call(app, number))
  // All that runs waits for the lock.
  await expect.poll(async () => running > 0 && (await waiting()) === running).toBe(true)
  expect((await other.atApp(app).get('/api/v1/userinfo')).status).toBe(200)
  // It is 0 for a moment when a call has reached the lock timeout of the database.
  expect(running).toBeLessThanOrEqual(1)
  released.resolve()
  await holder
  for (const { status } of await Promise.all(calls)) expect(status).toBeLessThan(500)
})
