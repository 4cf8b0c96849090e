// Notifications through a push service that verifies the signature and decrypts the message.
import { generateVAPIDKeys } from 'web-push'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readIntegrations } from '../../../server/configuration/integrations.ts'
import { createPushService } from '../../../server/integrations/web-push.ts'
import { createPushQueue, type PushQueue } from '../../../server/jobs/push-queue.ts'
import { sendDueReminders } from '../../../server/jobs/due-reminders.ts'
import { purgeExpired } from '../../../server/jobs/purge.ts'
import { FakePushService, signerOf, type FakeBrowser } from '../fixtures/push-service.ts'
import { PASSWORD, ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'

const PATH = '/api/v1/push-subscriptions'
const KEYS = generateVAPIDKeys()
const SUBJECT = 'mailto:operator@example.com'

let service: FakePushService
let world: ApiFixture
let push: PushQueue
let app: ApiFixture['app']
let mia: ApiUser
let jonas: ApiUser
let browser: FakeBrowser
beforeAll(async () => {
  service = await FakePushService.start()
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 3_600 * 24 * 365 } })
  push = createPushQueue(world.database, {
    service: createPushService({ ...KEYS, subject: SUBJECT, services: [service.url] }),
    now: () => world.now,
  })
  app = world.appWith({ push, tokenLifetimes: { accessTokenSeconds: 3_600 * 24 * 365 } })
})
beforeEach(async () => {
  mia = (await world.createOwner('Mia')).atApp(app)
  jonas = (
    await world.addMember(await world.createUser('Jonas'), mia.organisation, 'member')
  ).atApp(app)
  browser = service.subscribe()
  service.answer = { status: 201 }
  await subscribe(jonas)
})
afterEach(() => world.database.system((tx) => tx.deleteFrom('push_subscriptions').execute()))
afterAll(async () => {
  await world.close()
  await service.stop()
})

const subscribe = (person: ApiUser, on = browser) => person.post(PATH, on.subscription)
async function update(plan: string, by = mia, body = 'Secret words'): Promise<void> {
  const posted = await by.post(`/api/v1/success-plans/${plan}/updates`, { body })
  expect(posted.status).toBe(201)
  await push.deliver()
}
const storedSubscriptions = () =>
  world.database.system(async (tx) => ({
    pushes: await tx.selectFrom('pushes').selectAll().execute(),
    subscriptions: await tx.selectFrom('push_subscriptions').selectAll().execute(),
  }))

test('an update notifies the owner, signed and encrypted, without its text', async () => {
  const plan = await mia.createPlan({ title: 'Roll-out', owner_id: jonas.id })
  await update(plan)
  expect(browser.messages).toEqual([
    {
      user_id: jonas.id,
      organisation_id: mia.organisation,
      title: 'Roll-out',
      body: 'Mia posted an update · Mia’s organisation',
      path: `/success-plans/${plan}`,
      tag: plan.replaceAll('-', ''),
    },
  ])
  const [delivery] = browser.deliveries
  if (!delivery) throw new Error('Nothing was delivered.')
  expect(await signerOf(delivery, service.url)).toEqual({ key: KEYS.publicKey, subject: SUBJECT })
  expect(delivery.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' })
  expect(delivery.body.includes('Roll-out')).toBe(false)
  expect((await storedSubscriptions()).pushes).toEqual([])
})

test('authors of earlier updates are notified; the author and other members are not', async () => {
  const plan = await mia.createPlan()
  await update(plan, mia)
  expect(browser.messages).toEqual([])
  await update(plan, jonas)
  expect(browser.messages).toEqual([])
  await update(plan, mia)
  expect(browser.messages).toHaveLength(1)
})

test('a status transition notifies like an update', async () => {
  const plan = await mia.createPlan({ owner_id: jonas.id })
  await mia.call('PATCH', `/api/v1/success-plans/${plan}`, { body: { status: 'in-progress' } })
  await push.deliver()
  expect(browser.messages).toHaveLength(1)
})

test('kinds that are turned off are not sent', async () => {
  const plan = await mia.createPlan({ owner_id: jonas.id })
  await jonas.call('PUT', '/api/v1/notification-consents', {
    body: { push: { plan_update: false } },
  })
  await update(plan)
  expect(browser.messages).toEqual([])
})

test('consents without push fields leave push settings unchanged', async () => {
  await jonas.call('PUT', '/api/v1/notification-consents', {
    body: { push: { plan_update: false } },
  })
  const edited = await jonas.call('PUT', '/api/v1/notification-consents', {
    body: { email: { plan_update: false }, digest: 'off', due_lead_days: 3 },
  })
  expect(edited.data()).toMatchObject({ push: { plan_update: false, action_due: true } })
})

test.each([404, 410])('a subscription that is gone (%i) is deleted', async (status) => {
  const plan = await mia.createPlan({ owner_id: jonas.id })
  service.answer = { status }
  await update(plan)
  expect(browser.deliveries).toHaveLength(1)
  expect(await storedSubscriptions()).toEqual({ pushes: [], subscriptions: [] })
})

test('an unavailable push service is retried when it says, and delivers once', async () => {
  const plan = await mia.createPlan({ owner_id: jonas.id })
  service.answer = { status: 429, headers: { 'Retry-After': '600' } }
  await update(plan)
  service.answer = { status: 201 }
  world.advance({ minutes: 9 })
  await push.deliver()
  expect(browser.deliveries).toHaveLength(1)
  world.advance({ minutes: 2 })
  await push.deliver()
  await push.deliver()
  expect(browser.deliveries).toHaveLength(2)
  expect((await storedSubscriptions()).pushes).toEqual([])
})

test('notifications older than a day are dropped', async () => {
  const plan = await mia.createPlan({ owner_id: jonas.id })
  service.answer = { status: 503 }
  await update(plan)
  world.advance({ days: 1, minutes: 1 })
  service.answer = { status: 201 }
  await push.deliver()
  expect(browser.deliveries).toHaveLength(1)
  expect((await storedSubscriptions()).pushes).toEqual([])
})

test('a former member is not notified, not even of what was queued', async () => {
  await jonas.post('/api/v1/organisations', { name: 'One’s own' })
  const plan = await mia.createPlan({ owner_id: jonas.id })
  service.answer = { status: 503 }
  await update(plan)
  await jonas.post('/api/v1/leave-organisation', { organisation_id: mia.organisation })
  service.answer = { status: 201 }
  world.advance({ minutes: 10 })
  await update(plan)
  expect(browser.deliveries).toHaveLength(1)
  expect((await storedSubscriptions()).pushes).toEqual([])
})

test('a browser notifies the user who signed in last, and sign-out removes it', async () => {
  const miaLink = await mia.createPlan({ title: 'Of Mia' })
  await subscribe(mia)
  await update(miaLink, jonas)
  const jonasPlan = await jonas.createPlan({ title: 'Of Jonas' })
  await update(jonasPlan, mia)
  expect(browser.messages.map(({ title }) => title)).toEqual(['Of Mia'])
  expect((await jonas.call('DELETE', PATH, { body: browser.subscription })).status).toBe(204)
  expect((await storedSubscriptions()).subscriptions).toHaveLength(1)
  expect((await mia.call('DELETE', PATH, { body: browser.subscription })).status).toBe(204)
  expect((await storedSubscriptions()).subscriptions).toEqual([])
})

test('a new password removes all subscriptions', async () => {
  await jonas.post('/api/v1/forgot-password', { email: jonas.email })
  await waitFor(() => expect(world.mails.at(-1)?.to).toBe(jonas.email))
  const token = /reset_token=(\S+)/.exec(world.mails.at(-1)?.text ?? '')?.[1]
  const password = `${PASSWORD}, better`
  const reset = { token, password, password_confirmation: password }
  expect((await jonas.post('/api/v1/reset-password', reset)).status).toBe(204)
  expect((await storedSubscriptions()).subscriptions).toEqual([])
})

test.each([
  'http://169.254.169.254/latest',
  'https://example.com/',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  'http://[',
])('%s is rejected as a push endpoint', async (endpoint) => {
  const refused = await jonas.post(PATH, { ...browser.subscription, endpoint })
  expect(refused.status).toBe(422)
  expect(refused.json.errors).toHaveProperty('endpoint')
})

test('a server without keys rejects subscriptions', async () => {
  const without = jonas.atApp(world.app)
  expect((await without.post(PATH, browser.subscription)).status).toBe(422)
})

test('the oldest subscriptions make room for new ones', async () => {
  for (let count = 0; count < 10; count += 1) {
    world.advance({ seconds: 1 })
    await subscribe(jonas, service.subscribe())
  }
  const { subscriptions } = await storedSubscriptions()
  expect(subscriptions).toHaveLength(10)
  expect(subscriptions.map(({ endpoint }) => endpoint)).not.toContain(browser.endpoint)
})

test('a subscription goes to another user only with the keys of its browser', async () => {
  const [{ user_id } = { user_id: '' }] = (await storedSubscriptions()).subscriptions
  expect(user_id).toBe(jonas.id)
  const { keys } = service.subscribe().subscription
  const taken = await mia.post(PATH, { ...browser.subscription, keys })
  expect(taken.statusAndBody).toEqual({
    status: 422,
    body: {
      message: 'These are not the keys of this subscription.',
      errors: { keys: ['These are not the keys of this subscription.'] },
    },
  })
  const stored = async () => (await storedSubscriptions()).subscriptions.map((row) => row.user_id)
  expect(await stored()).toEqual([jonas.id])
  expect((await subscribe(mia)).status).toBe(201)
  expect(await stored()).toEqual([mia.id])
})

const dateIn = (days: number) =>
  new Date(world.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
const addAction = (by: ApiUser, title: string, due_date: string) =>
  by.post('/api/v1/actions', { id: uuidv7(), title, due_date, assignee_id: jonas.id })
const remind = () => sendDueReminders({ database: world.database, push, now: () => world.now })
/** Midnight of the next working day. */
function awaitWorkingDay(): void {
  do world.advance({ seconds: 86_400 - ((world.now.getTime() / 1_000) % 86_400) })
  while ([0, 6].includes(world.now.getUTCDay()))
}

test('due actions are notified in the morning: once before and once after their day', async () => {
  /** The next working day at eight. */
  const morning = async () => {
    awaitWorkingDay()
    const before = browser.messages.length
    await remind()
    expect(browser.messages).toHaveLength(before)
    world.advance({ minutes: 8 * 60 })
    await remind()
    await remind()
    return browser.messages.slice(before)
  }
  // A Monday, so that no weekend lies between.
  while (world.now.getUTCDay() !== 1) world.advance({ days: 1 })
  await addAction(mia, 'Call the customer', dateIn(2))
  await addAction(mia, 'Send the report', dateIn(-3))
  await addAction(mia, 'Book the room', dateIn(-4))
  // They are sent at the same time.
  const first = (await morning()).map(({ title, path }) => ({ title, path }))
  expect(first.toSorted((one, other) => (one.title < other.title ? -1 : 1))).toEqual([
    { title: '2 of your actions are overdue', path: '/' },
    { title: 'Call the customer', path: '/' },
  ])
  expect(await morning()).toEqual([])
  const [overdue, ...more] = await morning()
  expect(overdue).toMatchObject({ title: 'Call the customer' })
  expect(more).toEqual([])
})

test('a reminder of one action leads to its row', async () => {
  const plan = await mia.createPlan({ title: 'Plan' })
  const initiative = { id: uuidv7(), title: 'Rollout', success_plan_id: plan }
  await mia.post('/api/v1/initiatives', initiative)
  const action = { id: uuidv7(), success_plan_id: plan, initiative_id: initiative.id }
  awaitWorkingDay()
  const fields = { title: 'Meet', due_date: dateIn(-1), assignee_id: jonas.id }
  expect((await mia.post('/api/v1/actions', { ...action, ...fields })).status).toBe(201)
  world.advance({ minutes: 8 * 60 })
  const before = browser.messages.length
  await remind()
  expect(browser.messages.slice(before).map(({ path }) => path)).toEqual([
    `/initiatives?open=${initiative.id}#${action.id}`,
  ])
})

test('reminders of two organisations do not replace each other', async () => {
  const zoe = (await world.createOwner('Zoe')).atApp(app)
  await world.addMember(jonas, zoe.organisation, 'member')
  for (const owner of [mia, zoe]) await addAction(owner, 'Call', dateIn(-3))
  awaitWorkingDay()
  world.advance({ minutes: 8 * 60 })
  await remind()
  expect(browser.messages).toHaveLength(2)
  expect(new Set(browser.messages.map(({ tag }) => tag)).size).toBe(2)
  const topics = browser.deliveries.map(({ headers }) => headers['topic'])
  expect(new Set(topics).size).toBe(2)
  for (const topic of topics) expect(topic).toMatch(/^[A-Za-z0-9_-]{1,32}$/)
})

test('an action that stays overdue for months is announced once, and its row goes with it', async () => {
  /** The sent reminders of the next working day at eight. */
  const nextMorning = async () => {
    const before = browser.messages.length
    awaitWorkingDay()
    world.advance({ minutes: 8 * 60 })
    await remind()
    return browser.messages.slice(before).map(({ title }) => title)
  }
  const purge = async () => {
    world.advance({ days: 31 })
    await purgeExpired(world.database, world.now)
    return world.database.system((tx) =>
      tx.selectFrom('sent_reminders').select('action_id').where('user_id', '=', jonas.id).execute(),
    )
  }
  const { id } = (await addAction(mia, 'Call', dateIn(-3))).data<{ id: string }>()
  expect(await nextMorning()).toEqual(['Call'])
  expect(await purge()).toEqual([{ action_id: id }])
  expect(await nextMorning()).toEqual([])
  const edited = await mia.call('PUT', '/api/v1/actions', {
    body: { id, due_date: dateIn(-2) },
  })
  expect(edited.status).toBe(200)
  expect(await nextMorning()).toEqual(['Call'])
  await mia.call('PUT', '/api/v1/actions', { body: { id, status: 'done' } })
  expect(await purge()).toEqual([])
})

test('mismatched keys stop the start, and only known push services are allowed', () => {
  const env = { VAPID_PUBLIC_KEY: KEYS.publicKey, VAPID_SUBJECT: SUBJECT }
  const other = generateVAPIDKeys().privateKey
  expect(() => readIntegrations({ ...env, VAPID_PRIVATE_KEY: other })).toThrow(/not a pair/)
  expect(() => readIntegrations({ ...env, VAPID_PRIVATE_KEY: 'nonsense' })).toThrow(/not a pair/)
  expect(() => readIntegrations(env)).toThrow(/VAPID_PRIVATE_KEY missing/)
  const { push: read } = readIntegrations({ ...env, VAPID_PRIVATE_KEY: KEYS.privateKey })
  expect(createPushService(read ?? { ...KEYS, subject: '', services: [] })).toSatisfy(
    ({ isAllowedEndpoint }: { isAllowedEndpoint: (endpoint: string) => boolean }) =>
      isAllowedEndpoint('https://web.push.apple.com/a') &&
      isAllowedEndpoint('https://fcm.googleapis.com/fcm/send/a') &&
      !isAllowedEndpoint('https://evilpush.apple.com/a') &&
      !isAllowedEndpoint('https://.push.apple.com/a') &&
      !isAllowedEndpoint('https://a..push.apple.com/a') &&
      !isAllowedEndpoint('https://user:pw@web.push.apple.com/a') &&
      !isAllowedEndpoint('https://user@fcm.googleapis.com/fcm/send/a') &&
      !isAllowedEndpoint('https://fcm.googleapis.com.example.com/a'),
  )
})

const configured = (env: Record<string, string>) =>
  readIntegrations({
    VAPID_PUBLIC_KEY: KEYS.publicKey,
    VAPID_PRIVATE_KEY: KEYS.privateKey,
    VAPID_SUBJECT: SUBJECT,
    ...env,
  }).push

test.each([
  'https://fcm.googleapis.com/fcm',
  'https://FCM.googleapis.com',
  'https://fcm.googleapis.com:443',
  'https://*.push.apple.com/x',
  'https://*.push.apple.com:8443',
  'https://*push.apple.com',
  'https://web.*.apple.com',
])('%s as a push service stops the start, because no endpoint would ever match', (wrong) => {
  const PUSH_SERVICES = `https://push.example.com, ${wrong}`
  expect(() => configured({ PUSH_SERVICES })).toThrow(
    `PUSH_SERVICES must be origins such as https://push.example.com, not "${wrong}".`,
  )
})

test('push services may have a port, subdomains or a slash at the end', () => {
  const PUSH_SERVICES = 'http://localhost:1234 https://*.example.com,https://push.example.org/'
  expect(configured({ PUSH_SERVICES })?.services).toEqual([
    'http://localhost:1234',
    'https://*.example.com',
    'https://push.example.org',
  ])
})

test.each([
  ['with padding', (key: string) => `${key}=`],
  ['with a space', (key: string) => `${key} `],
  ['in standard base64', (key: string) => Buffer.from(key, 'base64url').toString('base64')],
])('a private key %s, which cannot be sent with, stops the start', (_, written) => {
  const VAPID_PRIVATE_KEY = written(KEYS.privateKey)
  expect(() => configured({ VAPID_PRIVATE_KEY })).toThrow(/not a pair/)
})

test('a message that cannot be signed is tried again and removes no subscription', async () => {
  const misconfigured = createPushQueue(world.database, {
    service: createPushService({ ...KEYS, subject: 'operator', services: [service.url] }),
    now: () => world.now,
  })
  const plan = await mia.createPlan({ owner_id: jonas.id })
  const by = mia.atApp(world.appWith({ push: misconfigured }))
  const posted = await by.post(`/api/v1/success-plans/${plan}/updates`, { body: 'News' })
  expect(posted.status).toBe(201)
  await misconfigured.deliver()
  const { pushes, subscriptions } = await storedSubscriptions()
  expect(subscriptions).toHaveLength(1)
  expect(pushes).toHaveLength(1)
  world.advance({ minutes: 2 })
  await push.deliver()
  expect(browser.messages).toHaveLength(1)
})

test('a subscription with a key that no browser makes is deleted', async () => {
  const plan = await mia.createPlan({ owner_id: jonas.id })
  const keys = { ...browser.subscription.keys, p256dh: 'B'.padEnd(87, 'A') }
  await world.database.system((tx) => tx.deleteFrom('push_subscriptions').execute())
  expect((await jonas.post(PATH, { ...browser.subscription, keys })).status).toBe(201)
  await update(plan)
  expect(await storedSubscriptions()).toEqual({ pushes: [], subscriptions: [] })
})

test('an address that is longer than the database can look up is refused at its field', async () => {
  const endpoint = `${service.url}/${'漢'.repeat(1_900)}`
  const refused = await jonas.post(PATH, { ...browser.subscription, endpoint })
  expect(refused.status).toBe(422)
  expect(Object.keys(refused.json.errors as object)).toEqual(['endpoint'])
})
