// Payment with Stripe: events that are late, lost, repeated or forged.
import type { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createStripe, type StripeClient } from '../../../server/integrations/stripe.ts'
import { reconcileBilling } from '../../../server/domain/billing-state.ts'
import { purgeExpired } from '../../../server/jobs/purge.ts'
import { FakeStripe } from '../fixtures/fake-stripe.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'

const PATH = '/api/v1/subscriptions'
const WEBHOOK = '/api/v1/webhooks/stripe'
const DAY = 86_400

let world: ApiFixture
let fake: FakeStripe
let billing: StripeClient
let app: Hono
let mia: ApiUser
beforeAll(async () => {
  fake = new FakeStripe()
  await fake.start()
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 360 * DAY } })
  billing = createStripe(fake.configuration)
  app = world.appWith({ stripe: billing })
})
beforeEach(async () => {
  fake.isDown = false
  fake.pages = 'https://stripe.example'
  fake.holdResponses = undefined
  mia = (await world.createOwner('Mia', 'free')).atApp(app)
})
afterAll(async () => {
  fake.server.close()
  await world.close()
})

const subscription = async () => (await mia.get(PATH)).data()
const planOf = async (person = mia) =>
  (await person.get(`/api/v1/organisations/${person.organisation}`)).data().plan
const upgrade = () => mia.post(PATH, { plan: 'professional' })
const checkout = async () => (await upgrade()).json.url as string
type Paid = ReturnType<FakeStripe['pay']>

const send = ({ payload, signature }: ReturnType<FakeStripe['event']>) =>
  world.call('POST', WEBHOOK, { body: payload, headers: { 'Stripe-Signature': signature } }, app)
async function tell(about: Paid) {
  const { status } = await send(fake.event(about, world.now))
  expect(status).toBe(200)
}
async function subscribed(status?: string): Promise<Paid> {
  const paid = fake.pay(await checkout(), world.now, status)
  await tell(paid)
  return paid
}
const later = (days: number) => new Date(world.now.getTime() + days * DAY * 1000).toISOString()
const restoreStripe = () =>
  reconcileBilling({ database: world.database, stripe: billing, now: () => world.now })

test('a paid checkout makes the plan professional, starting one does not', async () => {
  const upgraded = await upgrade()
  expect(upgraded.json.data).toMatchObject({ plan: 'free', status: 'none' })
  const url = String(upgraded.json.url)
  expect(url).toMatch(/^https:\/\/stripe\.example\/pay\//)
  const { asked: session } = fake.sessions.at(-1) ?? {}
  expect(Object.fromEntries(session ?? [])).toMatchObject({
    mode: 'subscription',
    'line_items[0][price]': 'price_pro',
    success_url: 'https://cairn.example.com/settings/organisation/billing',
  })
  expect(await planOf()).toBe('free')
  await tell(fake.pay(url, world.now))
  expect(await planOf()).toBe('professional')
  expect(await subscription()).toMatchObject({
    plan: 'professional',
    status: 'active',
    current_period_end: later(30),
    ends_at: null,
    limits: { members: null, accounts: null },
  })
})

test('a checkout that was paid makes the plan professional without any event, for a week', async () => {
  fake.pay(await checkout(), world.now)
  await restoreStripe()
  expect(await planOf()).toBe('professional')
  const late = mia
  mia = (await world.createOwner('Lea', 'free')).atApp(app)
  const url = await checkout()
  world.advance({ days: 8 })
  fake.pay(url, world.now)
  await restoreStripe()
  expect(await planOf()).toBe('free')
  expect(await planOf(late)).toBe('professional')
})

test('asking twice creates one customer and one checkout', async () => {
  const before = fake.customers.length
  const [one, other] = await Promise.all([upgrade(), upgrade()])
  expect([one.status, other.status]).toEqual([200, 200])
  expect(await checkout()).toBe(await checkout())
  expect(fake.customers).toHaveLength(before + 1)
  expect(fake.customers.at(-1)?.asked.get('email')).toBe(mia.email)
})

test('a trial counts as paid, and a paying customer gets no second checkout', async () => {
  await subscribed('trialing')
  const repeated = await upgrade()
  expect(repeated.json.url).toBeUndefined()
  expect(repeated.json.data).toMatchObject({ plan: 'professional', status: 'trialing' })
})

test('a downgrade takes effect at the end of the paid period, with or without Stripe’s event', async () => {
  await subscribed()
  const ends_at = later(30)
  expect((await mia.call('DELETE', PATH)).status).toBe(204)
  expect(fake.subscriptions.at(-1)?.cancel_at_period_end).toBe(true)
  expect(await subscription()).toMatchObject({
    plan: 'professional',
    status: 'cancelled',
    ends_at,
  })
  world.advance({ days: 29 })
  expect(await planOf()).toBe('professional')
  world.advance({ days: 2 })
  fake.isDown = true
  await purgeExpired(world.database, world.now, { usesStripe: true })
  expect(await planOf()).toBe('free')
  expect(await subscription()).toMatchObject({
    plan: 'free',
    status: 'none',
    current_period_end: null,
    limits: { members: 3 },
  })
})

test('a cancelled downgrade continues without another payment', async () => {
  const paid = await subscribed()
  await mia.call('DELETE', PATH)
  const resumed = await upgrade()
  expect(resumed.json).toMatchObject({ data: { status: 'active', ends_at: null } })
  expect(resumed.json.url).toBeUndefined()
  expect(paid.cancel_at_period_end).toBe(false)
  paid.cancel_at = Math.floor(world.now.getTime() / 1000) + 5 * DAY
  await tell(paid)
  expect(await subscription()).toMatchObject({ status: 'cancelled', ends_at: later(5) })
  expect((await upgrade()).json).toMatchObject({ data: { status: 'active', ends_at: null } })
})

test('after a failed payment the limits return in a week and nothing is deleted', async () => {
  const paid = await subscribed()
  for (let count = 0; count < 11; count += 1) await mia.createPlan()
  world.advance({ days: 30 })
  fake.renew(paid, 'past_due')
  await tell(paid)
  expect(await subscription()).toMatchObject({ plan: 'professional', status: 'past_due' })
  expect((await upgrade()).json.url).toBe(`https://stripe.example/portal/${paid.customer}`)
  world.advance({ days: 6 })
  expect(await subscription()).toMatchObject({ plan: 'professional' })
  world.advance({ days: 1, seconds: 1 })
  expect(await subscription()).toMatchObject({
    plan: 'free',
    status: 'past_due',
    usage: { active_success_plans: 11 },
  })
  await purgeExpired(world.database, world.now, { usesStripe: true })
  const another = await mia.post('/api/v1/success-plans', { title: 'T', type: 'project' })
  expect(another.json).toMatchObject({ code: 'plan_limit_reached' })
  paid.status = 'active'
  await tell(paid)
  expect(await subscription()).toMatchObject({ plan: 'professional', status: 'active' })
})

test('a subscription that Stripe cancelled is over', async () => {
  for (const status of ['canceled', 'unpaid', 'paused', 'incomplete_expired', 'incomplete']) {
    const paid = await subscribed()
    paid.status = status
    await tell(paid)
    expect(await subscription()).toMatchObject({ plan: 'free', status: 'none' })
  }
})

test('an event takes effect once, and an old one does not override a newer', async () => {
  const paid = fake.pay(await checkout(), world.now)
  const first = fake.event({ ...paid, status: 'incomplete' }, world.now)
  expect((await send(first)).json).toEqual({ received: true })
  expect(await planOf()).toBe('professional')
  paid.status = 'canceled'
  const lookups = vi.spyOn(billing, 'fetchBillingState')
  expect((await send(first)).status).toBe(200)
  expect(lookups).not.toHaveBeenCalled()
  lookups.mockRestore()
  expect(await planOf()).toBe('professional')
  await tell(paid)
  expect(await planOf()).toBe('free')
})

test('of two simultaneous events the later reading wins, in any order of responses', async () => {
  const paid = fake.pay(await checkout(), world.now)
  let release = () => {}
  fake.holdResponses = new Promise((resolve) => (release = resolve))
  const slow = send(fake.event(paid, world.now))
  await waitFor(() => expect(fake.holding).toBe(1))
  fake.holdResponses = undefined
  paid.status = 'canceled'
  await tell(paid)
  release()
  expect((await slow).status).toBe(200)
  expect(await planOf()).toBe('free')
})

/** Makes a call of which the reading of that number at Stripe is overtaken by one that fails. */
async function overtaken<T>(call: () => Promise<T>, reading: number): Promise<T> {
  let release = () => {}
  const hold = () => {
    fake.holdResponses = new Promise((resolve) => (release = resolve))
  }
  const before = fake.holding
  hold()
  const slow = call()
  for (let held = 1; ; held += 1) {
    await waitFor(() => expect(fake.holding).toBe(before + held))
    if (held === reading) break
    const answer = release
    hold()
    answer()
  }
  fake.holdResponses = undefined
  fake.isDown = true
  expect((await upgrade()).status).toBe(503)
  release()
  const answer = await slow
  fake.isDown = false
  return answer
}

test('an event whose reading was overtaken by one that failed is not lost', async () => {
  const event = fake.event(fake.pay(await checkout(), world.now), world.now)
  expect((await overtaken(() => send(event), 1)).status).toBe(200)
  expect(await planOf()).toBe('professional')
})

test('a downgrade and its end, whose last readings were overtaken by one that failed, are shown', async () => {
  await subscribed()
  expect((await overtaken(() => mia.call('DELETE', PATH), 2)).status).toBe(204)
  expect(await subscription()).toMatchObject({ plan: 'professional', status: 'cancelled' })
  // It reads, lists what is to be continued, and reads again.
  expect((await overtaken(upgrade, 3)).data()).toMatchObject({ status: 'active' })
  expect(await subscription()).toMatchObject({ status: 'active' })
})

test('events that are unsigned, expired or for others change nothing', async () => {
  const paid = fake.pay(await checkout(), world.now)
  const good = fake.event(paid, world.now)
  const refused = { status: 400, body: { message: 'This is not signed by Stripe.' } }
  const old = new Date(world.now.getTime() - 301_000)
  const forged = [
    { ...good, signature: '' },
    { ...good, signature: good.signature.replace(/v1=./, 'v1=x') },
    { ...good, signature: good.signature.replace('v1=', 'v0=') },
    { ...good, payload: good.payload.replace('"event"', '"event" ') },
    fake.event(paid, world.now, { secret: 'whsec_other' }),
    fake.event(paid, old),
  ]
  for (const event of forged) expect((await send(event)).statusAndBody).toEqual(refused)
  expect(await planOf()).toBe('free')
  for (const metadata of [null, {}, { organisation_id: 'x' }, { organisation_id: paid.id }])
    expect((await send(fake.event({ ...paid, metadata }, world.now))).status).toBe(200)
  expect(await planOf()).toBe('free')
  const without = await world.call('POST', WEBHOOK, {
    body: good.payload,
    headers: { 'Stripe-Signature': good.signature },
  })
  expect(without.status).toBe(404)
})

test('a malformed idempotency key is denied, and ignored where nothing is changed', async () => {
  const headers = { 'Idempotency-Key': 'not a UUID' }
  const DENIED = { status: 400, body: { message: 'Idempotency-Key must be one UUID.' } }
  const customers = fake.customers.length
  const upgraded = await mia.post(PATH, { plan: 'professional' }, headers)
  expect(upgraded.statusAndBody).toEqual(DENIED)
  expect((await mia.call('DELETE', PATH, { headers })).statusAndBody).toEqual(DENIED)
  expect(fake.customers).toHaveLength(customers)
  expect((await mia.call('GET', `${PATH}/customer-portal`, { headers })).status).toBe(200)
})

test('calls to an unavailable Stripe are retried, and errors do not disclose the key', async () => {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
  const paid = fake.pay(await checkout(), world.now)
  fake.isDown = true
  const away = {
    status: 503,
    body: { message: 'The payment provider is not responding. Please try again.' },
  }
  expect((await upgrade()).statusAndBody).toEqual(away)
  expect((await mia.call('DELETE', PATH)).statusAndBody).toEqual(away)
  expect((await mia.get(`${PATH}/customer-portal`)).statusAndBody).toEqual(away)
  const event = fake.event(paid, world.now)
  expect((await send(event)).status).toBe(503)
  fake.isDown = false
  // Stripe delivers the same event again.
  expect((await send(event)).status).toBe(200)
  expect(await planOf()).toBe('professional')
  const wrong = createStripe({ ...fake.configuration, secretKey: 'sk_wrong' })
  expect(
    (await mia.atApp(world.appWith({ stripe: wrong })).get(`${PATH}/customer-portal`))
      .statusAndBody,
  ).toEqual(away)
  spy.mockRestore()
  expect(lines.length).toBeGreaterThan(4)
  expect(lines.join('\n')).not.toMatch(/sk_|whsec_/)
})

test('the portal is Stripe’s, and its address can run no code', async () => {
  const { url } = (await mia.get(`${PATH}/customer-portal`)).data<{ url: string }>()
  expect(url).toMatch(/^https:\/\/stripe\.example\/portal\/cus_/)
  for (const pages of ['javascript:alert(1)//', 'http://stripe.example']) {
    fake.pages = pages
    expect((await mia.get(`${PATH}/customer-portal`)).status).toBe(503)
  }
})

test('billing is for the owner only, of their own organisation', async () => {
  const admin = (
    await world.addMember(await world.createUser('Ada'), mia.organisation, 'admin')
  ).atApp(app)
  const outsider = (await world.createOwner('Outsider', 'free')).atApp(app)
  const forbidden = { status: 403, body: { message: 'You may not do this.' } }
  const customers = fake.customers.length
  for (const [method, path, body] of [
    ['POST', PATH, { plan: 'professional' }],
    ['DELETE', PATH, undefined],
    ['GET', `${PATH}/customer-portal`, undefined],
  ] as const) {
    const call = { ...(body && { body }) }
    expect((await admin.call(method, path, call)).statusAndBody).toEqual(forbidden)
    const outside = await outsider
      .inOrganisation(mia.organisation)
      .atApp(app)
      .call(method, path, call)
    expect(outside.status).toBe(403)
    expect((await world.call(method, path, call, app)).status).toBe(401)
  }
  expect((await mia.post(PATH, { plan: 'free' })).status).toBe(422)
  expect(fake.customers).toHaveLength(customers)
  await subscribed()
  expect(await planOf(outsider)).toBe('free')
})

test('a renewal without an event is found at the end of the period', async () => {
  const paid = await subscribed()
  world.advance({ days: 30 })
  fake.renew(paid)
  await restoreStripe()
  expect(await subscription()).toMatchObject({ status: 'active', current_period_end: later(30) })
})

const removeOrganisation = async () => {
  const path = `/api/v1/organisations/${mia.organisation}`
  const { name } = (await mia.get(path)).data()
  expect((await mia.call('DELETE', path, { body: { name } })).status).toBe(204)
}

test('a deleted organisation’s subscription is cancelled, also after an outage of Stripe', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const paid = await subscribed()
  await removeOrganisation()
  fake.isDown = true
  await restoreStripe()
  expect(paid.status).toBe('active')
  fake.isDown = false
  await restoreStripe()
  expect(paid.status).toBe('canceled')
  spy.mockRestore()
})

/** Another user makes an organisation with the id of Mia’s. */
const makeAgain = async () => {
  const other = (await world.createOwner('Max', 'free')).atApp(app)
  const made = await other.post('/api/v1/organisations', { id: mia.organisation, name: 'Mine now' })
  return { made, other: other.inOrganisation(mia.organisation).atApp(app) }
}

test('the id of a deleted organisation is taken while it has a customer at Stripe', async () => {
  const paid = await subscribed()
  await removeOrganisation()
  const { made, other } = await makeAgain()
  expect(made.statusAndBody).toMatchObject({
    status: 422,
    body: { errors: { id: ['This id is taken.'] } },
  })
  expect((await other.get(`${PATH}/customer-portal`)).status).toBe(403)
  await restoreStripe()
  expect(paid.status).toBe('canceled')
  const second = await makeAgain()
  expect(second.made.status).toBe(201)
  const { url } = (await second.other.get(`${PATH}/customer-portal`)).data<{ url: string }>()
  expect(url).not.toContain(paid.customer)
})

test('an organisation that its owner makes again under its id is another customer', async () => {
  const before = await checkout()
  const path = `/api/v1/organisations/${mia.organisation}`
  const { name } = (await mia.get(path)).data()
  await removeOrganisation()
  await restoreStripe()
  const again = await mia.post('/api/v1/organisations', { id: mia.organisation, name })
  expect(again.status).toBe(201)
  expect(await checkout()).not.toBe(before)
})

test('a customer that Stripe makes while its organisation is deleted goes to no other one', async () => {
  let again: Awaited<ReturnType<typeof makeAgain>> | undefined
  const create = billing.createCustomer
  const creating = vi.spyOn(billing, 'createCustomer').mockImplementationOnce(async (about) => {
    const customer = await create(about)
    await removeOrganisation()
    again = await makeAgain()
    return customer
  })
  expect((await mia.get(`${PATH}/customer-portal`)).status).toBe(403)
  creating.mockRestore()
  expect(again?.made.status).toBe(201)
  const { url } = (await again!.other.get(`${PATH}/customer-portal`)).data<{ url: string }>()
  expect(url).toBe(`https://stripe.example/portal/${fake.customers.at(-1)?.id}`)
  expect(fake.customers.at(-1)?.asked.get('email')).toBe(again?.other.email)
})

test('a built-in subscription that ends takes nothing from an organisation that pays', async () => {
  const before = mia.atApp(world.app)
  expect((await before.post(PATH, { plan: 'professional' })).status).toBe(200)
  expect((await before.call('DELETE', PATH)).status).toBe(204)
  world.advance({ days: 20 })
  await subscribed()
  world.advance({ days: 15 })
  await purgeExpired(world.database, world.now, { usesStripe: true })
  expect(await planOf()).toBe('professional')
  expect(await subscription()).toMatchObject({ plan: 'professional', status: 'active' })
})

test('without Stripe, a subscription that ended there does not end a built-in one', async () => {
  await subscribed()
  world.advance({ days: 40 })
  const after = mia.atApp(world.app)
  expect((await after.post(PATH, { plan: 'professional' })).data()).toMatchObject({
    plan: 'professional',
    status: 'active',
  })
  await purgeExpired(world.database, world.now)
  expect(await planOf()).toBe('professional')
})

const upgradedBefore = async () =>
  expect((await mia.atApp(world.app).post(PATH, { plan: 'professional' })).status).toBe(200)

test('a built-in subscription outlasts what ends at Stripe, and is shown again', async () => {
  await upgradedBefore()
  expect(await subscription()).toMatchObject({ plan: 'professional', status: 'active' })
  // It makes the organisation a customer, which has paid nothing.
  expect((await upgrade()).json).toMatchObject({ data: { plan: 'professional' } })
  const paid = fake.pay(await checkout(), world.now)
  await tell(paid)
  paid.status = 'canceled'
  await tell(paid)
  expect(await planOf()).toBe('professional')
  const again = await subscribed()
  world.advance({ days: 40 })
  await purgeExpired(world.database, world.now, { usesStripe: true })
  expect(await planOf()).toBe('professional')
  again.status = 'canceled'
  await restoreStripe()
  expect(await planOf()).toBe('professional')
  expect(await subscription()).toMatchObject({ status: 'active', ends_at: null })
})

test.for([false, true])(
  'a built-in subscription is cancelled with its month (a customer of Stripe: %s)',
  async (isCustomer) => {
    await upgradedBefore()
    if (isCustomer) await checkout()
    const { current_period_end } = await subscription()
    expect(current_period_end).toBeTypeOf('string')
    expect((await mia.call('DELETE', PATH)).status).toBe(204)
    const ending = { plan: 'professional', status: 'cancelled', ends_at: current_period_end }
    expect(await subscription()).toMatchObject(ending)
    expect((await mia.call('DELETE', PATH)).status).toBe(204)
    expect(await subscription()).toMatchObject(ending)
    world.advance({ days: 32 })
    await purgeExpired(world.database, world.now, { usesStripe: true })
    expect(await planOf()).toBe('free')
    expect(await subscription()).toMatchObject({ plan: 'free', status: 'none' })
  },
)
