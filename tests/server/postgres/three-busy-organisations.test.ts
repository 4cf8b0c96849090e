// Three organisations whose transactions take long hold all connections, and a fourth one waits for them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { ApiFixture } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

test('a fourth organisation is answered while the transactions of three busy ones last', async () => {
  const owners = await Promise.all(['Ada', 'Ben', 'Cleo'].map((name) => world.createOwner(name)))
  const other = await world.createOwner('Dora')
  const busy = new Set(owners.map(({ organisation }) => organisation))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let [authenticated, begun, held] = [0, 0, 0]
  const database: Database = {
    ...world.database,
    auth: (work) => world.database.auth(work).finally(() => (authenticated += 1)),
    tenant: (id, work, ...rest) => {
      begun += 1
      return world.database.tenant(
        id,
        async (...all) => {
          const result = await work(...all)
          if (busy.has(id)) {
            held += 1
            await released
          }
          return result
        },
        ...rest,
      )
    },
  }
  const app = world.appWith({ database })
  const reads = owners.flatMap((owner) =>
    Array.from({ length: 6 }, () => owner.atApp(app).get('/api/v1/success-plans')),
  )
  await expect.poll(() => authenticated).toBe(reads.length)
  await expect.poll(() => begun - held).toBe(0)
  expect(held).toBeGreaterThanOrEqual(2 * owners.length)
  expect((await other.atApp(app).get('/api/v1/success-plans')).status).toBe(200)
  release()
  for (const { status } of await Promise.all(reads)) expect(status).toBe(200)
})
