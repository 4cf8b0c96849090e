// A write that is sent twice: after a lost answer, by two workers at once, by mistake for another one.
import { v7 as uuidv7, v4 as uuidv4 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIdempotencyGate } from '../../server/idempotency.ts'
import { World, type Person } from './world.ts'

let world: World
let mia: Person
beforeAll(async () => {
  world = await World.open()
  mia = await world.owner('Mia')
})
afterAll(() => world.close())

const updatesOf = async (plan: string) =>
  (await mia.get(`/api/v1/success-plans/${plan}/updates`)).data<{ body: string }[]>()
const post = (plan: string, key: string, body: unknown, headers = {}) =>
  mia.post(`/api/v1/success-plans/${plan}/updates`, body, { 'Idempotency-Key': key, ...headers })

test('an answer lost after the commit is given again, word for word', async () => {
  const plan = await mia.plan()
  const key = uuidv4()
  const lost = await post(plan, key, { body: 'From the tunnel' })
  world.pass({ days: 29 })
  const { access_token } = (await world.signIn(mia.email)).json as { access_token: string }
  mia = mia.with({ ...mia.tokens, access_token })
  const again = await post(plan, key, { body: 'From the tunnel' })
  expect(lost.status).toBe(201)
  expect(lost.headers.get('Idempotent-Replayed')).toBeNull()
  expect(again.status).toBe(201)
  expect(again.text).toBe(lost.text)
  expect(again.headers.get('ETag')).toBe(lost.headers.get('ETag'))
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(await updatesOf(plan)).toHaveLength(1)
})

test('ten requests at once with one key do one thing', async () => {
  const plan = await mia.plan()
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

test('a key with another body, another path or another If-Match is refused', async () => {
  const plan = await mia.plan()
  const key = uuidv4()
  const refusal = {
    status: 422,
    body: {
      message: 'This key was used for another request.',
      errors: { 'Idempotency-Key': ['This key was used for another request.'] },
    },
  }
  await post(plan, key, { body: 'First' })
  expect((await post(plan, key, { body: 'Second' })).all).toEqual(refusal)
  expect((await post(await mia.plan(), key, { body: 'First' })).all).toEqual(refusal)
  expect((await post(plan, key, { body: 'First' }, { 'If-Match': '"1"' })).all).toEqual(refusal)
  expect(await updatesOf(plan)).toHaveLength(1)
})

test('the order of keys in the body and quotes round the key make no other request', async () => {
  const plan = await mia.plan()
  const key = uuidv4()
  await post(plan, key, '{"body":"Same","progress":10}')
  const again = await post(plan, `"${key.toUpperCase()}"`, '{ "progress": 10, "body": "Same" }')
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
})

test('a key of another user, or in another organisation, is another key', async () => {
  const plan = await mia.plan()
  const key = uuidv4()
  await post(plan, key, { body: 'Mine' })
  const jonas = await world.join(await world.person('Jonas'), mia.organisation, 'member')
  const his = await jonas.post(
    `/api/v1/success-plans/${plan}/updates`,
    { body: 'His' },
    { 'Idempotency-Key': key },
  )
  expect(his.status).toBe(201)
  expect(his.headers.get('Idempotent-Replayed')).toBeNull()
  expect(await updatesOf(plan)).toHaveLength(2)
})

test('a retry of an edit whose answer was lost gets its answer, not a false 412', async () => {
  const plan = await mia.plan()
  const etag = (await mia.get(`/api/v1/success-plans/${plan}`)).headers.get('ETag') ?? ''
  const edit = () =>
    mia.call('PATCH', `/api/v1/success-plans/${plan}`, {
      body: { title: 'Edited' },
      headers: { 'If-Match': etag, 'Idempotency-Key': key },
    })
  const key = uuidv4()
  const first = await edit()
  const again = await edit()
  expect(first.status).toBe(200)
  expect(again.status).toBe(200)
  expect(again.text).toBe(first.text)
})

test('a refused request leaves its key free for the mended one', async () => {
  const plan = await mia.plan()
  const key = uuidv4()
  expect((await post(plan, key, { body: 'x', progress: 101 })).status).toBe(422)
  expect((await post(plan, key, { body: 'x', progress: 100 })).status).toBe(201)
})

test('a create that is repeated without its key answers with the stored record', async () => {
  const id = uuidv7()
  const body = { id, title: 'Made offline', type: 'project' }
  const first = await mia.post('/api/v1/success-plans', body)
  const again = await mia.post('/api/v1/success-plans', { ...body, title: 'Made again' })
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.data()).toEqual(first.data())

  const update = { id: uuidv7(), body: 'Written offline' }
  const url = `/api/v1/success-plans/${id}/updates`
  const posted = await mia.post(url, update)
  const repeated = await mia.post(url, update)
  expect([posted.status, repeated.status]).toEqual([201, 200])
  // Others may have changed the plan since, which this author has not seen.
  const { success_plan_version, ...stored } = posted.data()
  expect(success_plan_version).toEqual(expect.any(Number))
  expect(repeated.data()).toEqual(stored)
})

test('an id that somebody else’s record has is refused, and their record is not shown', async () => {
  const id = await mia.plan({ title: 'Mine' })
  const jonas = await world.join(await world.person('Jonas'), mia.organisation, 'member')
  const taken = await jonas.post('/api/v1/success-plans', { id, title: 'His', type: 'project' })
  expect(taken.all).toEqual({
    status: 422,
    body: { message: 'This id is taken.', errors: { id: ['This id is taken.'] } },
  })
})

test('a late create does not bring back what was deleted meanwhile', async () => {
  const id = await mia.plan()
  expect((await mia.call('DELETE', `/api/v1/success-plans/${id}`)).status).toBe(204)
  const late = await mia.post('/api/v1/success-plans', { id, title: 'Late', type: 'project' })
  expect(late.all).toEqual({
    status: 422,
    body: {
      message: 'The record with this id was deleted.',
      errors: { id: ['The record with this id was deleted.'] },
    },
  })
})

test.each(['not-a-key', '', `${uuidv4()}, ${uuidv4()}`])(
  'a key that is not one UUID (%j) is refused, not ignored',
  async (key) => {
    const plan = await mia.plan()
    expect((await post(plan, key, { body: 'x' })).all).toEqual({
      status: 400,
      body: { message: 'Idempotency-Key must be one UUID.' },
    })
  },
)

test('a request that waits too long for its twin is told to come back', async () => {
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
