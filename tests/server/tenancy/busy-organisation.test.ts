// One organisation sends more than the server can do: others are answered meanwhile, its own users take
// turns, and what would wait too long is refused, to be sent again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v4 as uuidv4 } from 'uuid'
import type { Access, Database } from '../../../server/database/database.ts'
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
  // The writes that were running, and the few that began while this call was authenticated.
  expect(done).toBeLessThan(10 * TURN_LIMITS.running)
  expect(new Set(await Promise.all(writes))).toEqual(new Set([201]))
})

const [ORGANISATION, ADA, MALLORY] = [uuidv4(), uuidv4(), uuidv4()]
const LIMITS = { running: 1, together: 10, waiting: 3 }

/** A database whose transactions end when the test says so, in the order in which they began. */
function heldDatabase(limits = LIMITS) {
  const began: {
    organisation: string
    user: string | undefined
    access: Access | undefined
    end: (error?: Error) => void
  }[] = []
  const tenant = (
    organisation: string,
    _work: (tx: Tx) => Promise<unknown>,
    user?: string,
    access?: Access,
  ) =>
    new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve())
      began.push({ organisation, user, access, end })
    })
  const database = withTurns({ tenant } as unknown as Database, limits)
  const call = (user: string, organisation = ORGANISATION, access?: Access) =>
    database.tenant(organisation, async () => undefined, user, access)
  return { began, call }
}

/** Waits until everything that is not blocked has run. */
const tick = () => new Promise((resolve) => setImmediate(resolve))

test('the user with the most waiting requests is refused with 503 and Retry-After', async () => {
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
    await tick()
    order.push(began[index]?.user)
    began[index]?.end()
  }
  expect(order).toEqual([MALLORY, MALLORY, ADA, MALLORY])
  await Promise.all([own, ...flood.slice(0, 3)])
})

test('a transaction that fails gives its turn to the next one', async () => {
  const { began, call } = heldDatabase()
  const [first, second] = [call(ADA), call(ADA)]
  await tick()
  began[0]?.end(new Error('The connection broke.'))
  await expect(first).rejects.toThrow('The connection broke.')
  await tick()
  began[1]?.end()
  await second
  const third = call(ADA)
  await tick()
  began[2]?.end()
  await third
})

test('another organisation has turns of its own', async () => {
  const { began, call } = heldDatabase()
  const running = [call(ADA), call(ADA, uuidv4())]
  await tick()
  expect(began).toHaveLength(2)
  for (const { end } of began) end()
  await Promise.all(running)
})

test('the more organisations are busy, the fewer connections each has, so that one is free for another', async () => {
  const { began, call } = heldDatabase(TURN_LIMITS)
  const busy = [uuidv4(), uuidv4(), uuidv4()]
  const calls = busy.flatMap((organisation) =>
    Array.from({ length: 12 }, () => call(ADA, organisation)),
  )
  await tick()
  const runningIn = (organisation: string) =>
    began.filter((one) => one.organisation === organisation).length
  expect(busy.map(runningIn)).toEqual([4, 3, 2])
  const other = uuidv4()
  const quick = call(MALLORY, other)
  await tick()
  expect(began.at(-1)).toMatchObject({ organisation: other, user: MALLORY })
  expect(began.length).toBeLessThanOrEqual(TURN_LIMITS.together)
  const ended = new Set<object>()
  const running = () => began.filter((one) => !ended.has(one))
  const endOne = async (from: (typeof began)[number]) => {
    ended.add(from)
    from.end()
    await tick()
  }
  for (const one of running().filter(({ organisation }) => organisation === other))
    await endOne(one)
  await quick
  // As their transactions end, the busy ones have equal shares, and there is still room for another one.
  for (let round = 0; round < 10; round += 1) {
    const [next] = running()
    if (next) await endOne(next)
  }
  expect(running().length).toBe(6)
  // What is left of the last one may use its own bound.
  for (let [next] = running(); next; [next] = running()) await endOne(next)
  await Promise.all(calls)
  expect(began).toHaveLength(37)
})

test('one write of an organisation runs at a time, and its reads do not wait for the others', async () => {
  const { began, call } = heldDatabase(TURN_LIMITS)
  const writes = [1, 2, 3].map(() => call(ADA, ORGANISATION, 'write'))
  const read = call(MALLORY, ORGANISATION, 'read')
  await tick()
  expect(began.map(({ access }) => access)).toEqual(['write', 'read'])
  began[1]?.end()
  await read
  for (const place of [0, 2, 3]) {
    began[place]?.end()
    await tick()
  }
  await Promise.all(writes)
})

test('reads and writes of an organisation that may have one transaction take turns', async () => {
  const { began, call } = heldDatabase()
  const calls = [
    ...[1, 2, 3].map(() => call(ADA, ORGANISATION, 'write')),
    ...[1, 2].map(() => call(ADA, ORGANISATION, 'read')),
  ]
  for (let place = 0; place < 5; place += 1) {
    await tick()
    began[place]?.end()
  }
  await Promise.all(calls)
  expect(began.map(({ access }) => access)).toEqual(['write', 'read', 'write', 'read', 'write'])
})
