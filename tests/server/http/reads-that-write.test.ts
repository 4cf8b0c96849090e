// A call that only reads, and writes nevertheless: on a nearly full disk, where transactions read only, it fails.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Database } from '../../../server/database/database.ts'
import { createStripe } from '../../../server/integrations/stripe.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { FakeStripe } from '../fixtures/fake-stripe.ts'

const SUBSCRIPTION = '/api/v1/subscriptions'

let world: ApiFixture
let fake: FakeStripe
let mia: ApiUser
/** The record that `{id}` stands for, by the name before it in a path. */
let ids: Record<string, string>
beforeAll(async () => {
  fake = new FakeStripe()
  await fake.start()
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 90 * 86_400 } })
  mia = await world.createOwner('Mia', 'free')
  const add = async (path: string, body: object) =>
    (await mia.post(`/api/v1/${path}`, body)).data<{ id: string }>().id
  const plan = await mia.createPlan()
  ids = {
    organisations: mia.organisation,
    'success-plans': plan,
    accounts: await add('accounts', { name: 'A' }),
    templates: await add('templates', { title: 'T', duration_days: 1 }),
    initiatives: await add('initiatives', { title: 'I', success_plan_id: plan }),
  }
})
afterAll(async () => {
  fake.server.close()
  await world.close()
})

/** The server on a nearly full disk. */
function readOnlyApp(usesStripe: boolean) {
  const { database } = world
  const readOnly: Database = {
    ...database,
    tenant: (id, work, ...more) =>
      database.tenant(
        id,
        async (tx, found) => {
          await sql`set transaction read only`.execute(tx)
          return work(tx, found)
        },
        ...more,
      ),
    auth: (work) =>
      database.auth(async (tx) => {
        await sql`set transaction read only`.execute(tx)
        return work(tx)
      }),
  }
  return world.appWith({
    database: readOnly,
    ...(usesStripe && { stripe: createStripe(fake.configuration) }),
  })
}

const reads = Object.values<Endpoint>(endpoints)
  .filter(({ method, path }) => method === 'GET' && !path.endsWith('/events'))
  .map(({ path }) => (path.endsWith('/changes') ? `${path}?since=0` : path))

test.for([false, true])(
  'every call that reads is answered where nothing can be written, with payments: %s',
  async (usesStripe) => {
    if (usesStripe) {
      const stripe = createStripe(fake.configuration)
      const upgraded = mia.atApp(world.appWith({ stripe })).post(SUBSCRIPTION, {
        plan: 'professional',
      })
      expect((await upgraded).status).toBe(200)
    }
    const reader = mia.atApp(readOnlyApp(usesStripe))
    const answers: Record<string, number> = {}
    for (const path of reads) {
      const filled = path.replaceAll(/([\w-]+)\/\{id\}/g, (_, kind: string) => {
        const id = ids[kind]
        if (id === undefined) throw new Error(`Add a record for ${path}.`)
        return `${kind}/${id}`
      })
      answers[path] = (await reader.get(filled)).status
    }
    expect(answers).toEqual(Object.fromEntries(reads.map((path) => [path, 200])))
  },
)

test('a subscription that has ended since the last hourly run reads as ended, and is not written', async () => {
  await mia.post(SUBSCRIPTION, { plan: 'professional' })
  await mia.call('DELETE', SUBSCRIPTION)
  world.advance({ days: 32 })
  const read = await mia.atApp(readOnlyApp(false)).get(SUBSCRIPTION)
  expect(read.data()).toMatchObject({
    plan: 'free',
    status: 'none',
    ends_at: null,
    limits: { members: 3 },
  })
  const organisation = await mia.get(`/api/v1/organisations/${mia.organisation}`)
  expect(organisation.data()).toMatchObject({ plan: 'professional' })
})
