// The mails or notifications of one organisation, which delayed those of all others and the links for new passwords.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PushMessage } from '../../../contract/schemas/push.ts'
import { createMailQueue } from '../../../server/jobs/mail-queue.ts'
import { createPushQueue } from '../../../server/jobs/push-queue.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { FakePushService } from '../fixtures/push-service.ts'
import { waitFor } from '../../wait-for.ts'

let world: ApiFixture
let service: FakePushService
let mia: ApiUser
let jonas: ApiUser
let sent: string[]
/** Answers what is sent from now on. */
let answer: (message: PushMessage) => Promise<'sent' | { retryInMs: number }>

beforeAll(async () => {
  world = await ApiFixture.open()
  service = await FakePushService.start()
})
beforeEach(async () => {
  mia = await world.createOwner('Mia')
  jonas = await world.createOwner('Jonas')
  sent = []
  answer = () => Promise.resolve('sent')
  await world.database.system((tx) => tx.deleteFrom('push_subscriptions').execute())
  for (const user of [mia, jonas]) await subscribe(user)
})
afterAll(async () => {
  await world.close()
  await service.stop()
})

const push = (database = world.database) =>
  createPushQueue(database, {
    service: {
      isAllowedEndpoint: () => true,
      send(_subscription, message) {
        sent.push(message.title)
        return answer(message)
      },
    },
    now: () => world.now,
  })
const subscribe = ({ id: user_id }: ApiUser) => {
  const { endpoint, keys } = service.subscribe().subscription
  const created_at = world.now.toISOString()
  return world.database.system((tx) =>
    tx
      .insertInto('push_subscriptions')
      .values({ id: uuidv7(), user_id, family_id: null, endpoint, ...keys, created_at })
      .execute(),
  )
}
const enqueue = ({ id: user_id, organisation }: ApiUser, title: string, tag = title) =>
  world.database.system((tx) =>
    push().enqueue(tx, {
      user_id,
      organisation_id: organisation,
      title,
      body: '',
      path: '/',
      tag,
    }),
  )
const waiting = () => world.database.system((tx) => tx.selectFrom('pushes').selectAll().execute())

test('notifications of one organisation do not wait for all those of another', async () => {
  for (let count = 0; count < 20; count += 1) await enqueue(mia, `Mia ${count}`)
  world.advance({ seconds: 1 })
  await enqueue(jonas, 'Jonas')
  await push().deliver()
  expect(sent).toHaveLength(21)
  // Four are sent at a time, in any order.
  expect(sent.indexOf('Jonas')).toBeLessThan(10)
})

test('a notification that takes long does not delay the others', async () => {
  let finish = () => {}
  answer = ({ title }) =>
    title === 'Slow'
      ? new Promise((resolve) => (finish = () => resolve('sent')))
      : Promise.resolve('sent')
  await enqueue(mia, 'Slow')
  world.advance({ seconds: 1 })
  await enqueue(mia, 'Quick')
  const delivered = push().deliver()
  // Both are sent at once, in any order.
  await waitFor(() => expect(sent.toSorted()).toEqual(['Quick', 'Slow']))
  finish()
  await delivered
  expect(await waiting()).toEqual([])
})

/** A database with its running `calls`. If `keep` returns a promise, the answer waits for that. */
function observed(keep: (answer: unknown) => Promise<void> | undefined = () => undefined) {
  const { database } = world
  const calls = new Set<unknown>()
  const system: typeof database.system = async (...call) => {
    calls.add(call)
    const found = await database.system(...call)
    await keep(found)
    calls.delete(call)
    return found
  }
  const untilNoneRuns = () => waitFor(() => expect(calls.size).toBe(0))
  return { database: { ...database, system }, untilNoneRuns }
}

test('a notification that comes while one takes long is sent at once, and the queue stops after both', async () => {
  let finish = () => {}
  answer = ({ title }) =>
    title === 'Slow'
      ? new Promise((resolve) => (finish = () => resolve('sent')))
      : Promise.resolve('sent')
  const { database, untilNoneRuns } = observed()
  const queue = push(database)
  await enqueue(mia, 'Slow')
  let isDelivered = false
  const delivered = queue.deliver().then(() => (isDelivered = true))
  for (const title of ['First', 'Second']) {
    await waitFor(() => expect(sent).toContain('Slow'))
    await untilNoneRuns()
    await enqueue(mia, title)
    void queue.deliver()
    await waitFor(() => expect(sent).toContain(title))
  }
  await untilNoneRuns()
  expect(isDelivered).toBe(false)
  let isStopped = false
  const stopped = queue.stop().then(() => (isStopped = true))
  await enqueue(mia, 'After the stop')
  await untilNoneRuns()
  expect(isStopped).toBe(false)
  finish()
  await Promise.all([delivered, stopped])
  expect(sent).toEqual(['Slow', 'First', 'Second'])
  expect(await waiting()).toHaveLength(1)
})

test('of what a notification causes, one that takes long does not delay the others', async () => {
  let finish = () => {}
  const { database, untilNoneRuns } = observed()
  answer = async ({ title }) => {
    if (title === 'Slow') await new Promise<void>((resolve) => (finish = resolve))
    if (title !== 'Cause') return 'sent'
    await untilNoneRuns()
    await enqueue(mia, 'Slow')
    world.advance({ seconds: 1 })
    await enqueue(mia, 'Quick')
    return 'sent'
  }
  await enqueue(mia, 'Cause')
  const delivered = push(database).deliver()
  // Both are sent at once, in any order.
  await waitFor(() => expect(sent.toSorted()).toEqual(['Cause', 'Quick', 'Slow']))
  finish()
  await delivered
  expect(await waiting()).toEqual([])
})

test('a notification that comes during the last look for others is sent', async () => {
  let finish = () => {}
  const isFinished = new Promise<void>((resolve) => (finish = resolve))
  answer = async ({ title }) => {
    if (title.startsWith('Slow')) await isFinished
    return 'sent'
  }
  let goOn = () => {}
  const isLookedFor = new Promise<void>((resolve) => (goOn = resolve))
  let looks = 0
  const { database } = observed((found) => {
    if (found !== undefined) return undefined
    looks += 1
    return isLookedFor
  })
  const queue = push(database)
  for (const title of ['Slow 1', 'Slow 2', 'Slow 3']) await enqueue(mia, title)
  const delivered = queue.deliver()
  await waitFor(() => expect(looks).toBe(1))
  expect(sent).toHaveLength(3)
  await enqueue(mia, 'Quick')
  void queue.deliver()
  goOn()
  await waitFor(() => expect(sent).toContain('Quick'))
  finish()
  await delivered
  expect(await waiting()).toEqual([])
})

test('of the notifications with one tag that wait for a browser the last one is sent, at the time of the first', async () => {
  for (const title of ['First', 'Second', 'Last']) {
    await enqueue(mia, title, 'plan')
    await enqueue(mia, `Other ${title}`)
    world.advance({ seconds: 1 })
  }
  const due = (await waiting()).toSorted((a, b) => (a.next_attempt_at < b.next_attempt_at ? -1 : 1))
  // The first two are due at the same moment.
  const titles = due.map(({ message }) => message?.title ?? '')
  expect(titles.slice(0, 2).toSorted()).toEqual(['Last', 'Other First'])
  expect(titles.slice(2)).toEqual(['Other Second', 'Other Last'])
  await push().deliver()
  expect(sent.toSorted()).toEqual(['Last', 'Other First', 'Other Last', 'Other Second'])
})

test('a notification that was postponed is not sent after a later one with its tag', async () => {
  answer = () => Promise.resolve({ retryInMs: 60_000 })
  await enqueue(mia, 'First', 'plan')
  await push().deliver()
  answer = () => Promise.resolve('sent')
  await enqueue(mia, 'Last', 'plan')
  await push().deliver()
  world.advance({ minutes: 10 })
  await push().deliver()
  expect(sent).toEqual(['First', 'Last'])
})

test('an author notifies of 200 updates in a day', async () => {
  const { id: user_id, organisation: organisation_id } = mia
  const post = () =>
    world.database.tenant(organisation_id, (tx) =>
      push().enqueueUpdate(tx, { id: uuidv7(), organisation_id, user_id }),
    )
  for (let count = 0; count < 201; count += 1) await post()
  expect(await waiting()).toHaveLength(200)
  world.advance({ days: 1, seconds: 1 })
  await post()
  expect(await waiting()).toHaveLength(201)
})

test('a link for a new password does not wait for all invitations of an organisation', async () => {
  const to: (string | null)[] = []
  const mail = createMailQueue(world.database, {
    mailer: { send: async (one) => void to.push(one.to) },
    key: world.tokenKey,
    now: () => world.now,
  })
  const expiresAt = new Date(world.now.getTime() + 3_600_000).toISOString()
  const add = (address: string, by: { sent_by?: string }) =>
    world.database.system((tx) =>
      mail.enqueue(
        tx,
        { to: address, subject: 'Subject', text: 'Text' },
        { expiresAt, request_id: uuidv7(), ...by },
      ),
    )
  for (let count = 0; count < 20; count += 1)
    await add(`${count}@example.com`, { sent_by: mia.organisation })
  world.advance({ seconds: 1 })
  await add('password@example.com', {})
  await mail.deliver()
  expect(to).toHaveLength(21)
  // Four are sent at a time, in any order.
  expect(to.indexOf('password@example.com')).toBeLessThan(10)
})
