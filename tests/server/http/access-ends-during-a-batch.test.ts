// Operations of a batch are done after its author has lost access; or session and rights are looked up for each.
import type { KyselyPlugin } from 'kysely'
import { v4 as uuidv4 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BatchResults } from '../../../contract/schemas/batch.ts'
import { endSessions } from '../../../server/auth/end-sessions.ts'
import { TOKEN_LIFETIMES } from '../../../server/auth/tokens.ts'
import { sessionsOf } from '../../../server/database/change-bus.ts'
import type { Database } from '../../../server/database/database.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let owner: ApiUser
let plan: string
beforeAll(async () => {
  world = await ApiFixture.open()
  owner = await world.createOwner('Mia')
  plan = await owner.createPlan()
})
afterAll(() => world.close())

/** Sends as many updates of as many lanes in one batch, to a server on that database. */
async function send(person: ApiUser, database: Database, count: number) {
  const operations = Array.from({ length: count }, (_, index) => ({
    key: uuidv4(),
    lane: String(index),
    method: 'POST',
    path: `/api/v1/success-plans/${plan}/updates`,
    body: { body: `Update ${index}` },
  }))
  const server = person.atApp(world.appWith({ database }))
  const answer = await server.post('/api/v1/batch', { operations })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json as BatchResults).data.map(({ status }) => status)
}

const addMember = async (name: string) =>
  world.addMember(await world.createUser(name), owner.organisation, 'member')

/** As many operations share a transaction. */
const GROUP = 50
const LATER = 3
const statuses = (first: number, later: number) => [
  ...Array.from({ length: GROUP }, () => first),
  ...Array.from({ length: LATER }, () => later),
]

/** The database, in which `work` is done after the first transaction of operations. */
function afterGroup(work: () => Promise<void>): Database {
  let transactions = 0
  return {
    ...world.database,
    async tenant(...call) {
      transactions += 1
      const result = await world.database.tenant(...call)
      // The first one is that of the batch itself.
      if (transactions === 2) await work()
      return result
    },
  }
}

test('an operation after the removal of its author is refused', async () => {
  const max = await addMember('Max')
  const remove = async () => {
    const { data } = (await owner.get('/api/v1/organisation-users')).json as {
      data: { id: string; user_id: string }[]
    }
    const membership = data.find(({ user_id }) => user_id === max.id)
    const removed = await owner.call('DELETE', `/api/v1/organisation-users/${membership?.id}`)
    expect(removed.status, removed.text).toBe(204)
  }
  expect(await send(max, afterGroup(remove), GROUP + LATER)).toEqual(statuses(201, 403))
})

test('an operation after the end of the session is not authenticated', async () => {
  const ada = await addMember('Ada')
  const endSession = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const unsubscribe = world.database.changes.subscribe(sessionsOf(ada.id), () => resolve())
    await world.database.auth((tx) => endSessions(tx, ada.id, world.now.toISOString()))
    // Another process may have ended it: this one is notified.
    await promise
    unsubscribe()
  }
  expect(await send(ada, afterGroup(endSession), GROUP + LATER)).toEqual(statuses(201, 401))
})

test('an operation after the access token has expired is not authenticated', async () => {
  const eve = await addMember('Eve')
  const { accessTokenSeconds } = TOKEN_LIFETIMES
  world.advance({ seconds: accessTokenSeconds - 1 })
  const database = afterGroup(async () => world.advance({ seconds: 2 }))
  expect(await send(eve, database, GROUP + LATER)).toEqual(statuses(201, 401))
})

test('the session is looked up for the batch and once for its operations, each of which has three statements', async () => {
  const max = await addMember('Noor')
  const statements = { auth: 0, tenant: 0 }
  const count = (role: keyof typeof statements): KyselyPlugin => ({
    transformQuery: ({ node }) => {
      statements[role] += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  const [auth, tenant] = [count('auth'), count('tenant')]
  const { database } = world
  const counted: Database = {
    ...database,
    auth: (work) => database.auth((tx) => work(tx.withPlugin(auth))),
    tenant: (id, work, ...rest) =>
      database.tenant(id, (tx, found) => work(tx.withPlugin(tenant), found), ...rest),
  }
  expect(new Set(await send(max, counted, 10))).toEqual(new Set([201]))
  // The lock with the membership, the keys, and at the end the versions and the answers; of each operation a savepoint,
  // the plan with what has the id of the update, and the update with its plan. The message that begins the transaction
  // of the batch itself has the membership.
  expect(statements).toEqual({ auth: 2, tenant: 4 + 10 * 3 })
})
