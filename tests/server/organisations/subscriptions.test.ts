// Subscriptions: plan limits change with them, and no data is lost when they end.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { purgeExpired } from '../../../server/jobs/purge.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 90 * 86_400 } })
})
beforeEach(async () => {
  mia = await world.createOwner('Mia', 'free')
})
afterAll(() => world.close())

const PATH = '/api/v1/subscriptions'
const subscription = async () => (await mia.get(PATH)).data()
const upgrade = () => mia.post(PATH, { plan: 'professional' })
const organisation = async () => (await mia.get(`/api/v1/organisations/${mia.organisation}`)).data()

test('the free plan lists its limits and their use', async () => {
  await mia.createPlan()
  const closed = await mia.createPlan({ status: 'in-progress' })
  await mia.call('PATCH', `/api/v1/success-plans/${closed}`, {
    body: { status: 'cancelled', note: 'Why' },
  })
  await mia.post('/api/v1/accounts', { name: 'A' })
  expect(await subscription()).toEqual({
    plan: 'free',
    status: 'none',
    current_period_end: null,
    ends_at: null,
    seats: 1,
    limits: { members: 3, active_success_plans: 10, accounts: 25, templates: 3 },
    usage: { members: 1, active_success_plans: 1, accounts: 1, templates: 0 },
  })
})

test('an upgrade lifts the limits at once', async () => {
  const at = world.now.toISOString()
  const month = new Date(world.now)
  month.setUTCMonth(month.getUTCMonth() + 1)
  expect((await upgrade()).data()).toMatchObject({
    plan: 'professional',
    status: 'active',
    current_period_end: month.toISOString(),
    limits: { members: null, accounts: null },
  })
  expect(at < month.toISOString()).toBe(true)
  expect(await organisation()).toMatchObject({ plan: 'professional' })
  for (let count = 0; count < 11; count += 1) await mia.createPlan()
})

test('a downgrade takes effect at the end of the paid period and deletes nothing', async () => {
  const { current_period_end } = (await upgrade()).data<{ current_period_end: string }>()
  for (let count = 0; count < 11; count += 1) await mia.createPlan()
  expect((await mia.call('DELETE', PATH)).status).toBe(204)
  expect(await subscription()).toMatchObject({
    plan: 'professional',
    status: 'cancelled',
    ends_at: current_period_end,
  })
  world.advance({ days: 32 })
  await purgeExpired(world.database, world.now)
  expect(await organisation()).toMatchObject({ plan: 'free' })
  expect(await subscription()).toMatchObject({
    plan: 'free',
    status: 'none',
    usage: { active_success_plans: 11 },
  })
  const [plan] = (await mia.get('/api/v1/success-plans')).data<{ id: string }[]>()
  const edited = await mia.call('PATCH', `/api/v1/success-plans/${plan?.id}`, {
    body: { title: 'Still mine' },
  })
  expect(edited.status).toBe(200)
  const another = await mia.post('/api/v1/success-plans', { title: 'T', type: 'project' })
  expect(another.json).toMatchObject({ code: 'plan_limit_reached' })
})

test('a downgrade cancelled before its end changes nothing', async () => {
  const { current_period_end } = (await upgrade()).data<{ current_period_end: string }>()
  await mia.call('DELETE', PATH)
  world.advance({ days: 3 })
  expect((await upgrade()).data()).toMatchObject({
    status: 'active',
    ends_at: null,
    current_period_end,
  })
  world.advance({ days: 40 })
  const later = await subscription()
  expect(String(later.current_period_end) > world.now.toISOString()).toBe(true)
})

test('a cancelled subscription ends as soon as its period is over', async () => {
  await upgrade()
  await mia.call('DELETE', PATH)
  world.advance({ days: 32 })
  expect(await subscription()).toMatchObject({ plan: 'free', status: 'none' })
})

test('billing is for the owner only', async () => {
  const admin = await world.addMember(await world.createUser('Ada'), mia.organisation, 'admin')
  const forbidden = { status: 403, body: { message: 'You may not do this.' } }
  expect((await admin.get(PATH)).statusAndBody).toEqual(forbidden)
  expect((await admin.post(PATH, { plan: 'professional' })).statusAndBody).toEqual(forbidden)
  expect((await admin.call('DELETE', PATH)).statusAndBody).toEqual(forbidden)
  expect((await admin.get(`${PATH}/customer-portal`)).statusAndBody).toEqual(forbidden)
})

test('unknown plans are rejected, and the plan cannot be set by editing the organisation', async () => {
  for (const plan of ['free', 'enterprise', null])
    expect((await mia.post(PATH, { plan })).status).toBe(422)
  const path = `/api/v1/organisations/${mia.organisation}`
  await mia.call('PUT', path, { body: { plan: 'professional' } })
  expect(await organisation()).toMatchObject({ plan: 'free' })
})

test('the portal says that no payment is made', async () => {
  const { url } = (await mia.get(`${PATH}/customer-portal`)).data<{ url: string }>()
  expect(url).toBe('https://cairn.example.com/api/v1/billing-portal')
  const page = await world.call('GET', new URL(url).pathname)
  expect(page.status).toBe(200)
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html/)
  expect(page.text).toContain('Payments are not set up')
  expect(page.text).not.toMatch(/style=|<script/)
})
