// Many operations in one request: each succeeds or fails by itself, and repeats by its own key.
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BatchOperation, BatchResults } from '../../../contract/schemas/batch.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

const BATCH = '/api/v1/batch'

let world: ApiFixture
let mia: ApiUser
let plan: string
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 86_400 } })
  mia = await world.createOwner('Mia')
})
beforeEach(async () => {
  // Resets the rate limit.
  world.advance({ minutes: 1 })
  plan = await mia.createPlan()
})
afterAll(() => world.close())

/** An update of the plan, in the lane of the plan. */
const update = (body: unknown, changes: Partial<BatchOperation> = {}): BatchOperation => ({
  key: uuidv4(),
  lane: plan,
  method: 'POST',
  path: `/api/v1/success-plans/${plan}/updates`,
  body: typeof body === 'string' ? { body } : body,
  ...changes,
})
const edit = (body: object, changes: Partial<BatchOperation> = {}) =>
  update(body, { method: 'PATCH', path: `/api/v1/success-plans/${plan}`, ...changes })

const send = (operations: readonly BatchOperation[], person = mia) =>
  person.post(BATCH, { operations })
const resultsOf = async (operations: readonly BatchOperation[], person = mia) => {
  const answer = await send(operations, person)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data as BatchResults['data']
}
const statusesOf = async (operations: readonly BatchOperation[], person = mia) =>
  (await resultsOf(operations, person)).map(({ status }) => status)
/** The texts of the plan's updates, the oldest first. */
const postedTo = async (id: string) =>
  (await mia.get(`/api/v1/success-plans/${id}/updates?sort=created_at&per_page=500`))
    .data<{ body: string; created_at: string; version: number }[]>()
    .toSorted((a, b) => a.version - b.version)
    .map(({ body }) => body)

test('operations take effect in order, each with the answer of its own call', async () => {
  const operations = [update('One'), update('Two'), update('Three')]
  const results = await resultsOf(operations)
  expect(results.map(({ key }) => key)).toEqual(operations.map(({ key }) => key))
  expect(results).toMatchObject(
    ['One', 'Two', 'Three'].map((body) => ({ status: 201, body: { data: { body } } })),
  )
  expect(results[0]?.headers.etag).toMatch(/^"\d+"$/)
  expect(await postedTo(plan)).toEqual(['One', 'Two', 'Three'])
})

test('a repeated batch gets the same answers, and does nothing twice', async () => {
  const operations = [update('One'), edit({ title: 'Between' }), update('Two')]
  const first = await resultsOf(operations)
  const second = await resultsOf([...operations, update('Three')])
  expect(second.map(({ body }) => body).slice(0, 3)).toEqual(first.map(({ body }) => body))
  expect(second.map(({ headers }) => headers['idempotent-replayed'])).toEqual([
    'true',
    'true',
    'true',
    undefined,
  ])
  expect(await postedTo(plan)).toEqual(['One', 'Two', 'Three'])
})

test('an operation that was sent by itself before is repeated in a batch, and the other way round', async () => {
  const [alone, together] = [update('Alone'), update('Together')]
  const sendAlone = ({ key, path, body }: BatchOperation) =>
    mia.post(path, body, { 'Idempotency-Key': key })
  const single = await sendAlone(alone)
  const results = await resultsOf([alone, together])
  expect(results[0]?.body).toEqual(single.json)
  expect((await sendAlone(together)).json).toEqual(results[1]?.body)
  expect(await postedTo(plan)).toEqual(['Alone', 'Together'])
})

test('a failure holds what follows in its lane, and no other lane', async () => {
  const other = await mia.createPlan()
  const elsewhere = update('Elsewhere', {
    lane: other,
    path: `/api/v1/success-plans/${other}/updates`,
  })
  const [bad, next] = [update({ progress: 101 }), update('Next')]
  const results = await resultsOf([bad, next, elsewhere])
  expect(results).toMatchObject([
    { status: 422, body: { errors: { progress: [expect.any(String)] } } },
    { key: next.key, status: null, headers: {}, body: null },
    { status: 201 },
  ])
  expect(await statusesOf([next])).toEqual([201])
  expect(await postedTo(plan)).toEqual(['Next'])
  expect(await postedTo(other)).toEqual(['Elsewhere'])
})

test('an operation that fails after it has written is undone, and no other one', async () => {
  const begun = edit({ title: 'Begun', status: 'in-progress' }, { lane: 'a' })
  // The title is written before the transition turns out to lack its note.
  const paused = edit({ title: 'Half', status: 'paused' }, { lane: 'b' })
  const operations = [
    begun,
    update('Before', { lane: 'a' }),
    paused,
    update('After', { lane: 'a' }),
  ]
  const results = await resultsOf(operations)
  expect(results.map(({ status }) => status)).toEqual([200, 201, 422, 201])
  const version = ({ body }: BatchResults['data'][number]) =>
    (body as { data: { version: number } }).data.version
  const [, before, , after] = results
  // Each update takes a version, and one for its plan: what failed has taken none.
  expect(after && version(after)).toBe(before && version(before) + 2)
  expect((await mia.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({
    title: 'Begun',
    status: 'in-progress',
  })
  expect(await statusesOf([paused])).toEqual([422])
  expect(await statusesOf(operations.slice(0, 2))).toEqual([200, 201])
  expect((await postedTo(plan)).slice(1)).toEqual(['Before', 'After'])
})

test('an edit can be based on the answer to an earlier operation of its lane', async () => {
  const { version } = (await mia.get(`/api/v1/success-plans/${plan}`)).data<{ version: number }>()
  const based = { if_match: `"${version}"` }
  const first = edit({ title: 'First' }, based)
  const note = update({ body: 'Second', progress: 10 }, { if_match_from: first.key })
  const last = edit({ title: 'Third' }, { if_match_from: note.key })
  expect(await statusesOf([first, note, last])).toEqual([200, 201, 200])
  const stale = edit({ title: 'Fourth' }, based)
  const [conflict] = await resultsOf([stale])
  expect(conflict).toMatchObject({
    status: 412,
    body: { data: { title: 'Third', progress: 10 }, changed_by: { title: mia.id } },
  })
})

test('an answer without a version leaves the next edit based on what this one was based on', async () => {
  const { version } = (await mia.get(`/api/v1/success-plans/${plan}`)).data<{ version: number }>()
  const id = uuidv7()
  await mia.post(`/api/v1/success-plans/${plan}/updates`, { id, body: 'Arrived before' })
  // The record exists already, so the answer does not tell the version of the plan.
  const repeated = update({ id, body: 'Arrived before' }, { if_match: `"${version}"` })
  expect(
    await statusesOf([repeated, edit({ title: 'Next' }, { if_match_from: repeated.key })]),
  ).toEqual([200, 200])
})

test('an operation whose key is in use elsewhere is busy, and the others are done', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let transactions = 0
  const app = world.appWith({
    database: {
      ...world.database,
      auth: async (work) => {
        transactions += 1
        // The first one looks the session up; a write of the organisation would hold the others.
        if (transactions === 2) {
          reached.resolve()
          await promise
        }
        return world.database.auth(work)
      },
    },
  })
  const running = update(
    { digest: 'weekly' },
    { lane: 'consents', method: 'PUT', path: '/api/v1/notification-consents' },
  )
  const other = update('Other')
  const person = mia.atApp(app)
  const { method, path, body, key } = running
  const single = person.call(method, path, { body, headers: { 'Idempotency-Key': key } })
  await reached.promise
  const results = await resultsOf([running, other], person)
  expect(results).toMatchObject([
    {
      status: 409,
      headers: { 'retry-after': '1' },
      body: { message: 'The first request with this key is still running.' },
    },
    { status: 201 },
  ])
  resolve()
  expect((await single).status).toBe(200)
  expect(await resultsOf([running], person)).toMatchObject([
    { status: 200, headers: { 'idempotent-replayed': 'true' } },
  ])
  expect(await postedTo(plan)).toEqual(['Other'])
})

test('after ten seconds no operation is begun, and one is begun in any case', async () => {
  let clockMs = 0
  const slow = mia.atApp(world.appWith({ monotonicMs: () => (clockMs += 2_000) }))
  const sent = ['1', '2', '3', '4', '5', '6', '7', '8'].map((text) => update(text))
  let left = [...sent]
  const rounds: number[] = []
  while (left.length > 0) {
    const results = await resultsOf(left, slow)
    const begun = results.filter(({ status }) => status === 201)
    expect(results.slice(begun.length).every(({ status }) => status === null)).toBe(true)
    rounds.push(begun.length)
    left = left.slice(begun.length)
  }
  expect(rounds.length).toBeGreaterThan(1)
  const slowest = mia.atApp(world.appWith({ monotonicMs: () => (clockMs += 60_000) }))
  expect(await statusesOf([update('9'), update('10')], slowest)).toEqual([201, null])
  expect(await postedTo(plan)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
})

test('after 8 MiB of results no operation is begun, and one is begun in any case', async () => {
  const bytes = 1024 * 1024
  const id = (await mia.post('/api/v1/accounts', { name: 'Large' })).data<{ id: string }>().id
  const setNotes = (length: number) =>
    world.database.system((tx) =>
      tx
        .updateTable('accounts')
        .set({ notes: 'x'.repeat(length) })
        .where('id', '=', id)
        .execute(),
    )
  const rename = (changes: Partial<BatchOperation>) =>
    Array.from({ length: 12 }, (_, lane) => ({
      key: uuidv4(),
      lane: String(lane),
      method: 'PUT',
      path: `/api/v1/accounts/${id}`,
      body: { name: 'Renamed' },
      ...changes,
    }))
  const begun = (count: number, status: number) =>
    Array.from({ length: 12 }, (_, index) => (index < count ? status : null))
  await setNotes(bytes)
  expect(await statusesOf(rename({ if_match: '"1"' }))).toEqual(begun(8, 412))
  expect(await statusesOf(rename({}))).toEqual(begun(8, 200))
  await setNotes(9 * bytes)
  expect(await statusesOf(rename({ if_match: '"1"' }))).toEqual(begun(1, 412))
})

test('operations hold the organisation for a tenth of a second, and then let others have it', async () => {
  let clockMs = 0
  let writes = 0
  const app = world.appWith({
    monotonicMs: () => (clockMs += 30),
    database: {
      ...world.database,
      tenant: (id, work, user_id, access, lookUps) => {
        if (access === 'write') writes += 1
        return world.database.tenant(id, work, user_id, access, lookUps)
      },
    },
  })
  const sent = Array.from({ length: 12 }, (_, index) => update(`${index}`))
  expect(new Set(await statusesOf(sent, mia.atApp(app)))).toEqual(new Set([201]))
  expect(writes).toBeGreaterThan(2)
  expect(writes).toBeLessThan(12)
})

test('records and keys of other authors and organisations are out of reach', async () => {
  const outsider = await world.createOwner('Outsider')
  const [operation] = [update('Mine')]
  expect(await statusesOf([operation])).toEqual([201])
  const [foreign, change] = await resultsOf(
    [operation, edit({ title: 'Theirs' }, { lane: 'other' })],
    outsider,
  )
  const single = await outsider.post(operation.path, operation.body)
  expect(foreign).toMatchObject({ status: 404, body: single.json, headers: {} })
  expect(change?.status).toBe(404)
  expect(
    (await send([operation], outsider.inOrganisation(mia.organisation))).statusAndBody,
  ).toEqual({ status: 403, body: { message: 'You do not belong to this organisation.' } })
  const jonas = await world.addMember(await world.createUser('Jonas'), mia.organisation, 'member')
  const [his] = await resultsOf([{ ...operation, body: { body: 'His' } }], jonas)
  expect(his).toMatchObject({ status: 201, body: { data: { user_id: jonas.id } }, headers: {} })
  expect(await postedTo(plan)).toEqual(['Mine', 'His'])
})

test('roles, plan limits and the rate limit count for each operation', async () => {
  const free = await world.createOwner('Free', 'free')
  const create = (title: string) => {
    const id = uuidv7()
    const body = { id, title, type: 'project' }
    return update(body, { lane: id, path: '/api/v1/success-plans' })
  }
  const results = await resultsOf(
    Array.from({ length: 11 }, (_, n) => create(`${n}`)),
    free,
  )
  expect(results.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 10 }, () => 201),
    403,
  ])
  expect(results[10]?.body).toMatchObject({ code: 'plan_limit_reached' })
  const max = await world.addMember(await world.createUser('Max'), mia.organisation, 'member')
  const deletion = edit({}, { method: 'DELETE', body: undefined, lane: 'deletion' })
  expect(await statusesOf([deletion, update('Allowed')], max)).toEqual([403, 201])
  const empty = () => Array.from({ length: 100 }, () => update({}, { lane: uuidv4() }))
  for (let n = 0; n < 5; n += 1) await resultsOf(empty(), max)
  const statuses = await resultsOf(empty(), max)
  expect(statuses.map(({ status }) => status)).toContain(422)
  expect(statuses.at(-1)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
})

test('a number that is too large for JSON is denied as in a call of its own', async () => {
  const { key, path } = update('')
  const single = await mia.post(path, '{"progress":1e999}')
  const body = `{"operations":[{"key":"${key}","lane":"a","method":"POST","path":"${path}","body":{"progress":1e999}}]}`
  expect((await mia.post(BATCH, body)).json.data).toMatchObject([
    { status: single.status, body: single.json },
  ])
  expect(single.status).toBe(422)
})

/** JSON that many levels deep. */
const deepJson = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

test('an operation whose body is deeply nested is answered as in a call of its own', async () => {
  const operations = [update('One'), update({ body: 'Two', deep: 'DEEP' }), update('Three')]
  const sent = JSON.stringify({ operations }).replace('"DEEP"', deepJson(100_000))
  const answer = await mia.call('POST', BATCH, { body: sent })
  expect(answer.status, answer.text).toBe(200)
  const { data } = answer.json as BatchResults
  expect(data.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(await postedTo(plan)).toEqual(['One', 'Two', 'Three'])
  const repeated = { 'Idempotency-Key': operations[1]?.key ?? '' }
  const single = await mia.post(operations[1]?.path ?? '', { body: 'Two' }, repeated)
  expect(single.json).toEqual(data[1]?.body)
})

test('an operation that cannot be a request is denied, and no other one', async () => {
  const [bad, next] = [edit({ title: 'T' }, { if_match: '"1"\n"2"', lane: 'a' }), update('Next')]
  expect(await resultsOf([update('One'), bad, next])).toMatchObject([
    { status: 201 },
    { status: 400, body: { message: 'If-Match must be the ETag of the record.' } },
    { status: 201 },
  ])
  expect(await postedTo(plan)).toEqual(['One', 'Next'])
})

test('a batch that is too long, too large or names a call that cannot wait is denied as a whole', async () => {
  const fine = update('Fine')
  const errorsOf = async (...operations: readonly unknown[]) => {
    const answer = await mia.post(BATCH, { operations })
    expect(answer.status).toBe(422)
    return answer.json.errors
  }
  expect(await errorsOf()).toEqual({ operations: ['This must not be empty.'] })
  expect(await errorsOf(...Array.from({ length: 101 }, () => update('Many')))).toEqual({
    operations: ['Use at most 100 operations.'],
  })
  expect(await errorsOf(fine, { ...fine, lane: 'other' })).toEqual({
    'operations.1.key': ['Another operation has this key.'],
  })
  const shouted = { ...update('Fine'), key: fine.key.toUpperCase() }
  expect(await errorsOf(fine, shouted)).toEqual({
    'operations.1.key': ['Another operation has this key.'],
  })
  expect(await errorsOf(fine, { ...fine, key: 'not-a-key', path: 7 })).toEqual({
    'operations.1.key': ['This is not a valid id.'],
    'operations.1.path': ['Enter some text.'],
  })
  for (const [method, path] of [
    ['POST', BATCH],
    ['POST', '/api/v1/register'],
    ['POST', '/api/v1/success-plans/'],
    ['GET', `/api/v1/success-plans/${plan}`],
    ['POST', `/api/v1/success-plans/${plan}/updates?a=1`],
    ['DELETE', '/api/v1/success-plans/..'],
    ['DELETE', `//example.com/api/v1/success-plans/${plan}`],
    ['delete', `/api/v1/success-plans/${plan}`],
  ])
    expect(await errorsOf(fine, { ...fine, key: uuidv4(), method, path })).toEqual({
      'operations.1.path': ['This call cannot be in a batch.'],
    })
  for (const if_match_from of [uuidv4(), fine.key])
    expect(await errorsOf(fine, update('Lost', { if_match_from, lane: 'other' }))).toEqual({
      'operations.1.if_match_from': ['Name an earlier operation of this lane.'],
    })
  const large = Array.from({ length: 60 }, () => update('x'.repeat(9_000)))
  expect((await send(large)).statusAndBody).toEqual({
    status: 413,
    body: { message: 'The request is larger than 512 KiB.' },
  })
  expect(await postedTo(plan)).toEqual([])
})
