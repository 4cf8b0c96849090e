// A session or a membership that has ended, accepted from who had it a moment before. The session of a token that was
// used before is looked up by the transaction of the call.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
let ben: ApiUser
let plan: string
/** Transactions by the role that they begin with. */
const begun = { auth: 0, tenant: 0 }
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  plan = await mia.createPlan()
})
afterAll(() => world.close())

const calls: Record<string, () => Promise<{ status: number }>> = {
  'a list': () => ben.get('/api/v1/success-plans'),
  changes: () => ben.get('/api/v1/changes?since=0'),
  'an update': () => ben.post(`/api/v1/success-plans/${plan}/updates`, { body: 'All is well.' }),
}

beforeEach(async () => {
  const { database } = world
  const counted: Database = {
    ...database,
    // This server does not learn what another one has ended.
    changes: { subscribe: () => () => undefined },
    auth: (work) => {
      begun.auth += 1
      return database.auth(work)
    },
    tenant: (...call) => {
      begun.tenant += 1
      return database.tenant(...call)
    },
  }
  const app = world.appWith({ database: counted })
  ben = await world.addMember(await world.createUser('Ben'), mia.organisation, 'member')
  ben = ben.atApp(app)
  for (const call of Object.values(calls)) expect((await call()).status).toBeLessThan(300)
  Object.assign(begun, { auth: 0, tenant: 0 })
})

const countUpdates = async () =>
  (await mia.get(`/api/v1/success-plans/${plan}/updates?per_page=500`)).data<unknown[]>().length

const memberships = async () =>
  (await mia.get('/api/v1/organisation-users')).data<{ id: string; user_id: string }[]>()

const revoke = () => {
  const { refresh_token } = ben.tokens
  return world.call('POST', '/api/v1/revoke', { body: { refresh_token } })
}

const expire = () =>
  world.database.auth((tx) =>
    tx
      .updateTable('access_tokens')
      .set({ expires_at: world.now.toISOString() })
      .where('family_id', 'in', (rows) =>
        rows.selectFrom('token_families').select('id').where('user_id', '=', ben.id),
      )
      .execute(),
  )

const endings: [string, number, () => Promise<unknown>][] = [
  ['the session ends', 401, revoke],
  ['the token expires', 401, expire],
  [
    'the membership ends',
    403,
    async () => {
      const own = (await memberships()).find(({ user_id }) => user_id === ben.id)
      return mia.call('DELETE', `/api/v1/organisation-users/${own?.id}`)
    },
  ],
]

test.for(endings)('when %s, the next calls are refused and do nothing', async ([, status, end]) => {
  const before = await countUpdates()
  await end()
  for (const [name, call] of Object.entries(calls))
    expect({ name, status: (await call()).status }).toEqual({ name, status })
  expect(await countUpdates()).toBe(before)
})

test('a call with a token that was used before is one transaction', async () => {
  for (const call of [calls['a list'], calls['an update']])
    expect((await call?.())?.status).toBeLessThan(300)
  expect(begun).toEqual({ auth: 0, tenant: 2 })
})
