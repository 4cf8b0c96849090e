// Health checks need no sign-in: many of them keep the database busy.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

test.each(['/readyz', '/healthz'])(
  'many %s at once, and within a second, ask the database once',
  async (path) => {
    let asked = 0
    const counted =
      <Call extends unknown[], Answer>(call: (...values: Call) => Answer) =>
      (...values: Call): Answer => {
        asked += 1
        return call(...values)
      }
    const { database } = world
    const ping = counted(() => database.ping())
    const system: typeof database.system = (work) => counted(() => database.system(work))()
    const app = world.appWith({ database: { ...database, ping, system } })
    const statusOf = async () => (await world.call('GET', path, {}, app)).status
    const statuses = await Promise.all(Array.from({ length: 50 }, statusOf))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await statusOf()).toBe(200)
    expect(asked).toBe(1)
    world.advance({ seconds: 1 })
    expect(await statusOf()).toBe(200)
    expect(asked).toBe(2)
  },
)
