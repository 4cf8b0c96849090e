// What an organisation pays for: limits that come and go with it, and nothing that goes with them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { purgeExpired } from '../../server/upkeep.ts'
import { World, type Person } from './world.ts'

let world: World
let mia: Person
beforeAll(async () => {
  world = await World.open({ tokenLifetimes: { accessTokenSeconds: 90 * 86_400 } })
})
beforeEach(async () => {
  mia = await world.owner('Mia', 'free')
})
afterAll(() => world.close())

const PATH = '/api/v1/subscriptions'
const subscription = async () => (await mia.get(PATH)).data()
const upgrade = () => mia.post(PATH, { plan: 'professional' })
const organisation = async () => (await mia.get(`/api/v1/organisations/${mia.organisation}`)).data()

test('the free plan shows what it allows and what is used', async () => {
  await mia.plan()
  const closed = await mia.plan({ status: 'in-progress' })
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
  for (let count = 0; count < 11; count += 1) await mia.plan()
})

test('a downgrade holds until what is paid for ends, and then deletes nothing', async () => {
  const { current_period_end } = (await upgrade()).data<{ current_period_end: string }>()
  for (let count = 0; count < 11; count += 1) await mia.plan()
  expect((await mia.call('DELETE', PATH)).status).toBe(204)
  expect(await subscription()).toMatchObject({
    plan: 'professional',
    status: 'cancelled',
    ends_at: current_period_end,
  })
  world.pass({ days: 32 })
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

test('an upgrade taken back before its end goes on as it was', async () => {
  const { current_period_end } = (await upgrade()).data<{ current_period_end: string }>()
  await mia.call('DELETE', PATH)
  world.pass({ days: 3 })
  expect((await upgrade()).data()).toMatchObject({
    status: 'active',
    ends_at: null,
    current_period_end,
  })
  world.pass({ days: 40 })
  const later = await subscription()
  expect(String(later.current_period_end) > world.now.toISOString()).toBe(true)
})

test('the end is seen at once, not an hour later', async () => {
  await upgrade()
  await mia.call('DELETE', PATH)
  world.pass({ days: 32 })
  expect(await subscription()).toMatchObject({ plan: 'free', status: 'none' })
})

test('billing is the owner’s alone', async () => {
  const admin = await world.join(await world.person('Ada'), mia.organisation, 'admin')
  const forbidden = { status: 403, body: { message: 'You may not do this.' } }
  expect((await admin.get(PATH)).all).toEqual(forbidden)
  expect((await admin.post(PATH, { plan: 'professional' })).all).toEqual(forbidden)
  expect((await admin.call('DELETE', PATH)).all).toEqual(forbidden)
  expect((await admin.get(`${PATH}/customer-portal`)).all).toEqual(forbidden)
})

test('a plan that is not for sale is refused, and so is setting it with the organisation', async () => {
  for (const plan of ['free', 'enterprise', null])
    expect((await mia.post(PATH, { plan })).status).toBe(422)
  const path = `/api/v1/organisations/${mia.organisation}`
  await mia.call('PUT', path, { body: { plan: 'professional' } })
  expect(await organisation()).toMatchObject({ plan: 'free' })
})

test('the portal says that no money moves', async () => {
  const { url } = (await mia.get(`${PATH}/customer-portal`)).data<{ url: string }>()
  expect(url).toBe('https://cairn.example.com/api/v1/billing-portal')
  const page = await world.call('GET', new URL(url).pathname)
  expect(page.status).toBe(200)
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html/)
  expect(page.text).toContain('No money moves here')
  expect(page.text).not.toMatch(/style=|<script/)
})
