// One organisation sends more than the server can do: others are answered meanwhile, its own users take
// turns, and what would wait too long is refused, to be sent again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v4 as uuidv4 } from 'uuid'
import type { Database } from '../../../server/database/database.ts'
import type { Tx } from '../../../server/database/connection.ts'
import { HttpError } from '../../../server/errors/http-error.ts'
import { withTurns, TURN_LIMITS } from '../../../server/http/sync/organisation-turns.ts'
import { ApiFixture } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

test('an organisation with 100 writes at once does not keep another one waiting', async () => {
  const busy = await world.createOwner('Busy')
  const other = await world.createOwner('Other')
  const [plan, theirs] = [await busy.createPlan(), await other.createPlan()]
  const path = (id: string) => `/api/v1/success-plans/${id}/updates`
  let done = 0
  const writes = Array.from({ length: 100 }, async (_, index) => {
    const answer = await busy.post(path(plan), { body: `Update ${index}` })
    done += 1
    return answer.status
  })
  expect((await other.post(path(theirs), { body: 'A word' })).status).toBe(201)
  // Those that ran, and the few that began while this one was authenticated.
  expect(done).toBeLessThan(10 * TURN_LIMITS.running)
  expect(new Set(await Promise.all(writes))).toEqual(new Set([201]))
})

const [ORGANISATION, ADA, MALLORY] = [uuidv4(), uuidv4(), uuidv4()]
const LIMITS = { running: 1, waiting: 3 }

/** A database whose transactions end when the test says so, in the order in which they began. */
function heldDatabase() {
  const began: { user: string | undefined; end: (error?: Error) => void }[] = []
  const tenant = (_id: string, _work: (tx: Tx) => Promise<unknown>, user?: string) =>
    new Promise<void>((resolve, reject) => {
      began.push({ user, end: (error) => (error ? reject(error) : resolve()) })
    })
  const database = withTurns({ tenant } as unknown as Database, LIMITS)
  const call = (user: string, organisation = ORGANISATION) =>
    database.tenant(organisation, async () => undefined, user)
  return { began, call }
}

/** Lets all that can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('whoever has most in the line is refused with 503 and Retry-After', async () => {
  const { began, call } = heldDatabase()
  const flood = Array.from({ length: 4 }, () => call(MALLORY))
  const refused = expect(flood[3]).rejects.toSatisfy(
    (error) =>
      error instanceof HttpError &&
      error.status === 503 &&
      Number(error.headers['Retry-After']) > 0,
  )
  const own = call(ADA)
  await refused
  // Mallory's first one runs; then both take turns.
  const order: (string | undefined)[] = []
  for (let index = 0; index < 4; index += 1) {
    await settle()
    order.push(began[index]?.user)
    began[index]?.end()
  }
  expect(order).toEqual([MALLORY, MALLORY, ADA, MALLORY])
  await Promise.all([own, ...flood.slice(0, 3)])
})

test('a transaction that fails gives its turn to the next one', async () => {
  const { began, call } = heldDatabase()
  const [first, second] = [call(ADA), call(ADA)]
  began[0]?.end(new Error('The connection broke.'))
  await expect(first).rejects.toThrow('The connection broke.')
  began[1]?.end()
  await second
  const third = call(ADA)
  began[2]?.end()
  await third
})

test('another organisation has turns of its own', async () => {
  const { began, call } = heldDatabase()
  const running = [call(ADA), call(ADA, uuidv4())]
  expect(began).toHaveLength(2)
  for (const { end } of began) end()
  await Promise.all(running)
})
