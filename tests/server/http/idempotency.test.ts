// A write that is sent twice: after a lost answer, by two workers at once, or with a key of another request.
import { v7 as uuidv7, v4 as uuidv4 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256 } from '../../../server/hash.ts'
import {
  createIdempotencyGate,
  findStoredAnswer,
  fingerprint,
} from '../../../server/http/idempotency.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const updatesOf = async (plan: string) =>
  (await mia.get(`/api/v1/success-plans/${plan}/updates`)).data<{ body: string }[]>()
const post = (plan: string, key: string, body: unknown, headers = {}) =>
  mia.post(`/api/v1/success-plans/${plan}/updates`, body, { 'Idempotency-Key': key, ...headers })

test('a response lost after the commit is repeated verbatim', async () => {
  const plan = await mia.createPlan()
  const key = uuidv4()
  const lost = await post(plan, key, { body: 'From the tunnel' })
  world.advance({ days: 29 })
  const { access_token } = (await world.signIn(mia.email)).json as { access_token: string }
  mia = mia.withTokens({ ...mia.tokens, access_token })
  const second = await post(plan, key, { body: 'From the tunnel' })
  expect(lost.status).toBe(201)
  expect(lost.headers.get('Idempotent-Replayed')).toBeNull()
  expect(second.status).toBe(201)
  expect(second.text).toBe(lost.text)
  expect(second.headers.get('ETag')).toBe(lost.headers.get('ETag'))
  expect(second.headers.get('Idempotent-Replayed')).toBe('true')
  expect(await updatesOf(plan)).toHaveLength(1)
})

test('ten simultaneous requests with one key take effect once', async () => {
  const plan = await mia.createPlan()
  const key = uuidv4()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post(plan, key, { body: 'Once' })),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201))
  const replayed = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')
  expect(replayed).toHaveLength(9)
  expect(await updatesOf(plan)).toHaveLength(1)
})

test('a key reused with another body, path, query or If-Match is rejected', async () => {
  const plan = await mia.createPlan()
  const key = uuidv4()
  const rejection = {
    status: 422,
    body: {
      message: 'This key was used for another request.',
      errors: { 'Idempotency-Key': ['This key was used for another request.'] },
    },
  }
  await post(plan, key, { body: 'First' })
  expect((await post(plan, key, { body: 'Second' })).statusAndBody).toEqual(rejection)
  expect((await post(await mia.createPlan(), key, { body: 'First' })).statusAndBody).toEqual(
    rejection,
  )
  expect((await post(plan, key, { body: 'First' }, { 'If-Match': '"1"' })).statusAndBody).toEqual(
    rejection,
  )
  const headers = { 'Idempotency-Key': key }
  const queried = `/api/v1/success-plans/${plan}/updates?page=2`
  const answer = await mia.call('POST', queried, { body: { body: 'First' }, headers })
  expect(answer.statusAndBody).toEqual(rejection)
  expect(await updatesOf(plan)).toHaveLength(1)
})

test('property order and quotes around the key do not make another request', async () => {
  const plan = await mia.createPlan()
  const key = uuidv4()
  await post(plan, key, '{"body":"Same","progress":10}')
  const second = await post(plan, `"${key.toUpperCase()}"`, '{ "progress": 10, "body": "Same" }')
  expect(second.headers.get('Idempotent-Replayed')).toBe('true')
})

test('keys are scoped to user and organisation', async () => {
  const plan = await mia.createPlan()
  const key = uuidv4()
  await post(plan, key, { body: 'Mine' })
  const jonas = await world.addMember(await world.createUser('Jonas'), mia.organisation, 'member')
  const byJonas = await jonas.post(
    `/api/v1/success-plans/${plan}/updates`,
    { body: 'His' },
    { 'Idempotency-Key': key },
  )
  expect(byJonas.status).toBe(201)
  expect(byJonas.headers.get('Idempotent-Replayed')).toBeNull()
  expect(await updatesOf(plan)).toHaveLength(2)
})

test('one key in two organisations, and in none, stands for three requests', async () => {
  const key = uuidv4()
  const other = (await mia.post('/api/v1/organisations', { name: 'Second' })).data<{ id: string }>()
  const create = (person: ApiUser, path: string, body: unknown) =>
    person.post(`/api/v1/${path}`, body, { 'Idempotency-Key': key })
  const answers = [
    await create(mia, 'accounts', { name: 'Here' }),
    await create(mia.inOrganisation(other.id), 'accounts', { name: 'There' }),
    await create(mia, 'organisations', { name: 'Third' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(answers.map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([
    null,
    null,
    null,
  ])
})

test('the answer of another organisation is not found, whatever the role may read', async () => {
  const key = uuidv4()
  await mia.post('/api/v1/accounts', { name: 'Here' }, { 'Idempotency-Key': key })
  const find = (organisation_id: string, user_id = mia.id) =>
    world.database.system(async (tx) => {
      const keyed = { user_id, organisation_id, key }
      const stored = await tx
        .selectFrom('idempotency_keys')
        .select('request_hash')
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      return await findStoredAnswer(tx, keyed, Buffer.from(stored.request_hash))
    })
  expect(await find(mia.organisation)).toMatchObject({ status: 201 })
  expect(await find(uuidv4())).toBeUndefined()
  expect(await find(mia.organisation, uuidv4())).toBeUndefined()
})

test('a retry of an edit gets the original response, not a 412', async () => {
  const plan = await mia.createPlan()
  const etag = (await mia.get(`/api/v1/success-plans/${plan}`)).headers.get('ETag') ?? ''
  const edit = () =>
    mia.call('PATCH', `/api/v1/success-plans/${plan}`, {
      body: { title: 'Edited' },
      headers: { 'If-Match': etag, 'Idempotency-Key': key },
    })
  const key = uuidv4()
  const first = await edit()
  const second = await edit()
  expect(first.status).toBe(200)
  expect(second.status).toBe(200)
  expect(second.text).toBe(first.text)
})

test('a rejected request leaves its key usable', async () => {
  const plan = await mia.createPlan()
  const key = uuidv4()
  expect((await post(plan, key, { body: 'x', progress: 101 })).status).toBe(422)
  expect((await post(plan, key, { body: 'x', progress: 100 })).status).toBe(201)
})

test('a repeated create without a key returns the stored record', async () => {
  const id = uuidv7()
  const body = { id, title: 'Made offline', type: 'project' }
  const first = await mia.post('/api/v1/success-plans', body)
  const second = await mia.post('/api/v1/success-plans', { ...body, title: 'Made again' })
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.data()).toEqual(first.data())

  const update = { id: uuidv7(), body: 'Written offline' }
  const url = `/api/v1/success-plans/${id}/updates`
  const posted = await mia.post(url, update)
  const repeated = await mia.post(url, update)
  expect([posted.status, repeated.status]).toEqual([201, 200])
  // Others may have changed the plan since, and this author has not seen that.
  const { success_plan_version, ...stored } = posted.data()
  expect(success_plan_version).toEqual(expect.any(Number))
  expect(repeated.data()).toEqual(stored)
})

test('an id that another member’s record has is rejected without showing the record', async () => {
  const id = await mia.createPlan({ title: 'Mine' })
  const jonas = await world.addMember(await world.createUser('Jonas'), mia.organisation, 'member')
  const taken = await jonas.post('/api/v1/success-plans', { id, title: 'His', type: 'project' })
  expect(taken.statusAndBody).toEqual({
    status: 422,
    body: { message: 'This id is taken.', errors: { id: ['This id is taken.'] } },
  })
})

test('a late create does not restore a deleted record', async () => {
  const id = await mia.createPlan()
  expect((await mia.call('DELETE', `/api/v1/success-plans/${id}`)).status).toBe(204)
  const late = await mia.post('/api/v1/success-plans', { id, title: 'Late', type: 'project' })
  expect(late.statusAndBody).toEqual({
    status: 422,
    body: {
      message: 'The record with this id was deleted.',
      errors: { id: ['The record with this id was deleted.'] },
    },
  })
})

test.each(['not-a-key', '', `${uuidv4()}, ${uuidv4()}`])(
  'a key that is not one UUID (%j) is rejected',
  async (key) => {
    const plan = await mia.createPlan()
    expect((await post(plan, key, { body: 'x' })).statusAndBody).toEqual({
      status: 400,
      body: { message: 'Idempotency-Key must be one UUID.' },
    })
  },
)

test('a request that waits too long for one with the same key gets 409 and a Retry-After', async () => {
  const gate = createIdempotencyGate(20)
  const request = { user_id: mia.id, organisation_id: mia.organisation, key: uuidv4() }
  const slow = Promise.withResolvers<string>()
  const first = gate.run(request, () => slow.promise)
  await expect(gate.run(request, () => Promise.resolve('twice'))).rejects.toMatchObject({
    status: 409,
    body: { message: 'The first request with this key is still running.' },
    headers: { 'Retry-After': '1' },
  })
  slow.resolve('once')
  expect(await first).toBe('once')
})

test('the bytes that are stored for the keys of one user are limited in a day', async () => {
  const owner = await world.createOwner('Olga')
  const text = 'x'.repeat(10_000)
  const action = { title: 'A', description: text, due_offset_days: 1 }
  const actions = Array.from({ length: 95 }, () => action)
  const initiatives = [{ title: 'I', start_offset_days: 0, end_offset_days: 1, actions }]
  const body = { title: 'Large', duration_days: 1, initiatives }
  const { id } = (await owner.post('/api/v1/templates', body)).data<{ id: string }>()
  const path = `/api/v1/templates/${id}`
  const save = (fields: object, headers = {}) => owner.call('PUT', path, { body: fields, headers })
  let written = 0
  let answer = await save(body, { 'Idempotency-Key': uuidv4() })
  for (; answer.status === 200 && written < 100; written += 1)
    answer = await save(body, { 'Idempotency-Key': uuidv4() })
  expect(answer.statusAndBody).toEqual({
    status: 429,
    body: { message: 'Too much was written in a day. Please wait.' },
  })
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(written).toBeGreaterThan(60)
  // What needs little room, no key, or is another user’s goes on.
  const plan = await owner.createPlan()
  expect(plan).toBeTypeOf('string')
  expect((await save(body)).status).toBe(200)
  expect((await post(await mia.createPlan(), uuidv4(), { body: 'Mine' })).status).toBe(201)
})

test('a key that an earlier version stored, which did not count the query, still matches', () => {
  const request = { method: 'POST', path: '/api/v1/accounts', body: { a: 1 }, ifMatch: null }
  const stored = sha256('{"body":{"a":1},"ifMatch":null,"method":"POST","path":"/api/v1/accounts"}')
  expect(fingerprint({ ...request, query: undefined })).toEqual(stored)
  expect(fingerprint({ ...request, query: 'a=1' })).not.toEqual(stored)
})
