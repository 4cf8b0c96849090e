// Concurrent requests through several servers on one database: a condition that a request has checked
// must still hold when it writes.
import { sql } from 'kysely'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { createIdempotencyGate } from '../../../server/http/idempotency.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
/** The same user at a different server for each call. */
let everywhere: ApiUser[]
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  everywhere = [1, 2, 3].map(() => mia.atApp(world.appWith({})))
})
afterAll(() => world.close())

/** Sends all requests at once, spread over the servers. */
const atOnce = <T>(
  count: number,
  work: (person: ApiUser, index: number) => Promise<T>,
  people = everywhere,
) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => work(people[index % people.length] ?? mia, index)),
  )
const counts = (answers: { status: number }[]) =>
  Object.groupBy(
    answers.map(({ status }) => status),
    String,
  )

test('one key at three servers takes effect once', async () => {
  const plan = await mia.createPlan()
  const headers = { 'Idempotency-Key': uuidv4() }
  const url = `/api/v1/success-plans/${plan}/updates`
  const answers = await atOnce(12, (person) => person.post(url, { body: 'Once' }, headers))
  expect(counts(answers)).toEqual({ 201: Array.from({ length: 12 }, () => 201) })
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.filter((a) => a.headers.get('Idempotent-Replayed') === 'true')).toHaveLength(11)
  expect((await mia.get(url)).data<unknown[]>()).toHaveLength(1)
})

test('one key at three servers creates one organisation', async () => {
  const headers = { 'Idempotency-Key': uuidv4() }
  const before = (await mia.get('/api/v1/organisations')).json.meta as { total: number }
  const answers = await atOnce(6, (person) =>
    person.post('/api/v1/organisations', { name: 'Founded once' }, headers),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect((await mia.get('/api/v1/organisations')).json.meta).toMatchObject({
    total: before.total + 1,
  })
})

test('one record sent by two devices without a key is stored once', async () => {
  const body = { id: uuidv7(), title: 'Sent twice', type: 'project' }
  const answers = await atOnce(6, (person) => person.post('/api/v1/success-plans', body))
  expect(Object.keys(counts(answers))).toEqual(['200', '201'])
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(answers.map((answer) => JSON.stringify(answer.data()))).size).toBe(1)
})

test('of simultaneous edits based on one version, one succeeds', async () => {
  const plan = await mia.createPlan()
  const url = `/api/v1/success-plans/${plan}`
  const etag = (await mia.get(url)).headers.get('ETag') ?? ''
  const answers = await atOnce(6, (person, index) =>
    person.call('PATCH', url, { body: { title: `T${index}` }, headers: { 'If-Match': etag } }),
  )
  expect(counts(answers)).toEqual({ 200: [200], 412: Array.from({ length: 5 }, () => 412) })
})

test('a limit holds against simultaneous creates', async () => {
  const owner = await world.createOwner('Free', 'free')
  const people = [1, 2, 3].map(() => owner.atApp(world.appWith({})))
  const body = { title: 'T', type: 'project' }
  const answers = await atOnce(16, (person) => person.post('/api/v1/success-plans', body), people)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(6)
})

test('simultaneous refreshes at three servers return the same tokens', async () => {
  const person = await world.createUser('Tab')
  const parameters = {
    grant_type: 'refresh_token',
    refresh_token: person.tokens.refresh_token,
  }
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() => person.atApp(world.appWith({})).token(parameters)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ json }) => json.refresh_token)).size).toBe(1)
})

test('simultaneous registrations of one address create one user', async () => {
  const email = `${uuidv7()}@example.com`
  const password = 'correct horse battery'
  const body = { name: 'Twin', email, password, password_confirmation: password }
  const answers = await atOnce(4, (person) => person.post('/api/v1/register', body))
  expect(counts(answers)).toEqual({ 201: [201], 422: [422, 422, 422] })
})

test('of requests with one key only one is done at a time, and other keys do not wait for it', async () => {
  const gate = createIdempotencyGate(10_000)
  let running = 0
  let most = 0
  const request = (key: string) =>
    gate.run({ user_id: mia.id, organisation_id: mia.organisation, key }, async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
    })
  const key = uuidv4()
  await Promise.all(Array.from({ length: 10 }, () => request(key)))
  expect(most).toBe(1)
  await Promise.all(Array.from({ length: 10 }, () => request(uuidv4())))
  expect(most).toBe(10)
})

test('a write locks its organisation before its handler reads; a read does not', async () => {
  const plan = await mia.createPlan()
  const locked: unknown[] = []
  const watched: Database = {
    ...world.database,
    tenant(id, work, ...rest) {
      const watchedWork: typeof work = async (tx, found) => {
        const own = sql<{ is_locked: boolean | null }>`
          select xmax = pg_current_xact_id_if_assigned()::xid as is_locked
          from organisations where id = ${id}`
        locked.push((await own.execute(tx)).rows[0]?.is_locked ?? false)
        return work(tx, found)
      }
      return world.database.tenant(id, watchedWork, ...rest)
    },
  }
  const person = mia.atApp(world.appWith({ database: watched }))
  await person.call('PATCH', `/api/v1/success-plans/${plan}`, { body: { title: 'Edited' } })
  await person.get(`/api/v1/success-plans/${plan}`)
  await person.call('PATCH', `/api/v1/success-plans/${plan}`, { body: { title: 'Edited again' } })
  expect(locked).toEqual([true, false, true])
})
