// Settings of a user: mail consents and onboarding steps.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEFAULT_CONSENTS, ONBOARDING_STEPS } from '../../../contract/schemas/settings.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
})
beforeEach(async () => {
  mia = await world.createUser('Mia')
})
afterAll(() => world.close())

const CONSENTS = '/api/v1/notification-consents'
const ONBOARDING = '/api/v1/onboarding'
const put = (body: unknown) => mia.call('PUT', CONSENTS, { body })
const say = (body: unknown) => mia.post(ONBOARDING, body)

test('default consents include work and exclude news', async () => {
  expect((await mia.get(CONSENTS)).data()).toEqual(DEFAULT_CONSENTS)
})

test('an edit of consents changes the named ones, for its user only', async () => {
  await put({ email: { action_due: false }, digest: 'off' })
  const second = await put({ email: { product_news: true }, due_lead_days: 5 })
  const expected = {
    ...DEFAULT_CONSENTS,
    email: { ...DEFAULT_CONSENTS.email, action_due: false, product_news: true },
    digest: 'off',
    due_lead_days: 5,
  }
  expect(second.data()).toEqual(expected)
  expect((await mia.get(CONSENTS)).data()).toEqual(expected)
  expect((await (await world.createUser('Jonas')).get(CONSENTS)).data()).toEqual(DEFAULT_CONSENTS)
  expect((await put(expected)).data()).toEqual(expected)
})

test.each([
  [{ digest: 'hourly' }, 'digest'],
  [{ due_lead_days: 0 }, 'due_lead_days'],
  [{ due_lead_days: 8 }, 'due_lead_days'],
  [{ email: { action_due: 'yes' } }, 'email.action_due'],
])('consents with %j are rejected at the field', async (body, field) => {
  const answer = await put(body)
  expect(Object.keys(answer.json.errors ?? {})).toEqual([field])
})

test('consents sent twice with one key are stored once', async () => {
  const headers = { 'Idempotency-Key': uuidv7() }
  await mia.call('PUT', CONSENTS, { body: { digest: 'daily' }, headers })
  await put({ digest: 'off' })
  const again = await mia.call('PUT', CONSENTS, { body: { digest: 'daily' }, headers })
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect((await mia.get(CONSENTS)).data()).toMatchObject({ digest: 'off' })
})

test('onboarding begins with its first step and ends with its last', async () => {
  expect((await mia.get(ONBOARDING)).data()).toEqual({
    status: 'not-started',
    steps: Object.fromEntries(ONBOARDING_STEPS.map((step) => [step, false])),
  })
  const [first, ...others] = ONBOARDING_STEPS
  expect((await say({ step: first, done: true })).data()).toMatchObject({
    status: 'in-progress',
    steps: { profile: true, install: false },
  })
  for (const step of others) await say({ step, done: true })
  expect((await mia.get(ONBOARDING)).data()).toMatchObject({ status: 'completed' })
  expect((await say({ step: 'install', done: false })).data()).toMatchObject({
    status: 'in-progress',
  })
})

test('a skipped onboarding stays skipped until all steps are done', async () => {
  await say({ status: 'skipped' })
  expect((await say({ step: 'first_plan', done: true })).data()).toMatchObject({
    status: 'skipped',
    steps: { first_plan: true },
  })
  for (const step of ONBOARDING_STEPS) await say({ step, done: true })
  expect((await mia.get(ONBOARDING)).data()).toMatchObject({ status: 'completed' })
})

test.each([
  {},
  { step: 'profile' },
  { step: 'fly', done: true },
  { status: 'lost' },
  { status: 'skipped', step: 'profile', done: true },
])('an onboarding change of %j is rejected', async (body) => {
  expect((await say(body)).status).toBe(422)
})
