// The answer to a write is lost, at a server that would store a repeat as another record.
import { expect, onTestFinished, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { Http } from '../../../src/sync/core/api/http.ts'
import { Lookup } from '../../../src/sync/core/arrival/lookup.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import type { NetworkRequest, Ports, Store } from '../../../src/sync/core/ports.ts'
import { moveClock, offline, waitFor } from '../engine-fixture.ts'
import { forgetEarlierTwins } from '../simulation/plain/plain-mutants.ts'
import { PlainFixture } from './plain-fixture.ts'

const MINUTE_MS = 60_000
const JSON_TYPE = { 'content-type': 'application/json' }

const post = (tab: Engine, body = 'They signed.', plan = '1') =>
  tab.enqueue('postPlanUpdate', {
    path: { id: plan },
    body: { id: crypto.randomUUID(), body },
  })

const account = (tab: Engine, name = 'Flood Co') =>
  tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name } })

const WRITE = /(updates|accounts)$/

/** A device whose next writes are lost: before they take effect, or after. */
async function losing(times: number, when: 'before' | 'after') {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  let left = times
  stage.network = (request) => {
    if (left === 0 || request.method !== 'POST' || !WRITE.test(request.url))
      return stage.answer(request)
    left -= 1
    if (when === 'after') stage.answer(request)
    throw new TypeError('Failed to fetch')
  }
  const posts = () => stage.requests.filter((one) => one.method === 'POST' && WRITE.test(one.url))
  return { stage, tab, posts }
}

test.for(['update', 'account'])(
  'an %s that has arrived is found, and not sent again',
  async (kind) => {
    const { stage, tab, posts } = await losing(1, 'after')
    await (kind === 'update' ? post(tab) : account(tab))
    await waitFor(async () => {
      tab.wake()
      expect((await tab.outbox.all()).filter(({ state }) => state === 'pending')).toEqual([])
    })
    expect(posts()).toHaveLength(1)
    const { tables } = stage.plain.records
    const found = [...tables.updates, ...tables.accounts].filter(
      ({ body, name }) => body === 'They signed.' || name === 'Flood Co',
    )
    expect(found).toHaveLength(1)
  },
)

test('what has not arrived is sent again after two readings, the first two minutes later', async () => {
  const { stage, tab, posts } = await losing(1, 'before')
  await post(tab)
  await waitFor(() => expect(posts()).toHaveLength(1))
  const began = stage.now()
  await stage.settled(tab)
  expect(posts()).toHaveLength(2)
  expect(stage.now() - began).toBeGreaterThanOrEqual(4 * MINUTE_MS - 5_000)
  expect(
    stage.plain.records.tables.updates.filter(({ body }) => body === 'They signed.'),
  ).toHaveLength(1)
})

test('a gateway’s 503 may follow a write that was stored; only one that says when to come back is a refusal', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const answers: Record<string, string>[] = [
    { 'content-type': 'application/json' },
    { 'retry-after': '1' },
  ]
  stage.network = (request) => {
    const headers = request.method === 'POST' ? answers.shift() : undefined
    const answer = headers && !('retry-after' in headers) ? stage.answer(request) : undefined
    return headers ? { ...answer, status: 503, headers, text: '{}' } : stage.answer(request)
  }
  await post(tab)
  await stage.settled(tab)
  await post(tab, 'They left.')
  await stage.settled(tab)
  const bodies = stage.plain.records.tables.updates.map(({ body }) => body)
  expect(bodies.filter((body) => body === 'They signed.')).toHaveLength(1)
  expect(bodies.filter((body) => body === 'They left.')).toHaveLength(1)
})

test('a slow server that stores it after the first look has it once', async () => {
  const { stage, tab, posts } = await losing(1, 'before')
  await post(tab)
  await waitFor(async () => {
    tab.wake()
    expect((await tab.outbox.all())[0]?.not_before).toBeGreaterThan(Date.now() + MINUTE_MS)
  })
  const [request] = posts()
  if (request) stage.answer(request)
  await stage.settled(tab)
  expect(posts()).toHaveLength(1)
})

test('an earlier update with the same words is not taken for it', async () => {
  const { stage, tab, posts } = await losing(0, 'before')
  await post(tab)
  await stage.settled(tab)
  let isLost = false
  stage.network = (request) => {
    if (isLost || request.method !== 'POST' || !WRITE.test(request.url))
      return stage.answer(request)
    isLost = true
    throw new TypeError('Failed to fetch')
  }
  await post(tab)
  await stage.settled(tab)
  expect(posts()).toHaveLength(3)
  expect(
    stage.plain.records.tables.updates.filter(({ body }) => body === 'They signed.'),
  ).toHaveLength(2)
})

test.for([
  ['is not taken for it', (store: Store) => store, 2],
  [
    'is taken for it once the records of before are forgotten',
    (store: Store) => {
      const ports = { store } as Ports
      forgetEarlierTwins(ports)
      return ports.store
    },
    1,
  ],
] as const)('an update with the same words from another device %s', async ([, storeOf, stored]) => {
  const stage = new PlainFixture({}, undefined, storeOf)
  const tab = await stage.readTab()
  const signedIn = stage.requests.findLast(({ headers }) => headers.Authorization !== undefined)
  const body = JSON.stringify({ body: 'They signed.' })
  const headers = { ...signedIn?.headers, 'Content-Type': 'application/json' }
  const url = '/api/v1/success-plans/1/updates'
  expect(stage.plain.handle({ method: 'POST', url, headers, body }).status).toBe(201)
  let isLost = false
  stage.network = (request) => {
    if (isLost || request.method !== 'POST' || !WRITE.test(request.url))
      return stage.answer(request)
    isLost = true
    throw new TypeError('Failed to fetch')
  }
  await post(tab)
  await stage.settled(tab)
  const { updates } = stage.plain.records.tables
  expect(updates.filter((one) => one.body === 'They signed.')).toHaveLength(stored)
})

test('one record is the answer of one operation: two accounts of one name become two', async () => {
  const { stage, tab, posts } = await losing(2, 'before')
  // The first of the two arrives all the same.
  await account(tab)
  await account(tab)
  await waitFor(() => expect(posts()).toHaveLength(2))
  const [first] = posts()
  if (first) stage.answer(first)
  await stage.settled(tab)
  const { accounts } = stage.plain.records.tables
  expect(accounts.filter(({ name }) => name === 'Flood Co')).toHaveLength(2)
  expect(posts()).toHaveLength(3)
  const { aliases } = await tab.outbox.read()
  expect(new Set(aliases.map(({ id }) => id)).size).toBe(2)
})

test('of several that may be it, a person decides, and can send it again or discard it', async () => {
  const { stage, tab, posts } = await losing(1, 'after')
  await post(tab)
  await waitFor(() => expect(posts()).toHaveLength(1))
  // Ana posts the same from another device.
  const [request] = posts()
  if (request) stage.answer(request)
  await stage.settled(tab)
  const [asked] = await tab.outbox.all()
  expect(asked).toMatchObject({ state: 'attention', last_error: { code: 'undecided' } })
  expect(posts()).toHaveLength(1)
  await tab.outbox.retry(asked?.id ?? '')
  await tab.outboxChanged()
  await stage.settled(tab)
  expect(posts()).toHaveLength(2)
})

test('a killed app looks for what it had sent', async () => {
  const { stage, tab } = await losing(0, 'after')
  let posted = 0
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method !== 'POST' || !WRITE.test(request.url)) return answer
    posted += 1
    stage.closeTabs()
    throw new TypeError('The app is killed.')
  }
  await post(tab)
  await waitFor(() => expect(posted).toBe(1))
  stage.network = stage.answer
  const next = await stage.reopened()
  await stage.settled(next)
  expect(
    stage.plain.records.tables.updates.filter(({ body }) => body === 'They signed.'),
  ).toHaveLength(1)
})

test('a context at rest reads a list for this purpose at most once in ten minutes', async () => {
  const { stage, tab, posts } = await losing(Infinity, 'before')
  await account(tab)
  await waitFor(() => expect(posts()).toHaveLength(1))
  // The lost answer looks like a lost network, after which all is read again.
  await tab.pullScheduler.pullAgain()
  const lists = () => stage.requests.filter(({ url }) => /accounts\?/.test(url)).length
  const before = lists()
  for (let minute = 0; minute < 9; minute += 1) {
    stage.aheadMs += MINUTE_MS
    await tab.outboxChanged()
    await tab.outboxChanged()
  }
  expect(lists() - before).toBeLessThanOrEqual(1)
  expect(posts()).toHaveLength(1)
})

test.for([
  ['in the same instant', false],
  ['while another look reads its list', true],
] as const)('what was looked for %s shares that reading', async ([, isAtOnce]) => {
  const { stage, tab, posts } = await losing(Infinity, 'before')
  await account(tab)
  await account(tab, 'Dry Ltd')
  await waitFor(() => expect(posts()).toHaveLength(2))
  const ports = stage.ports()
  const exchange = vi.fn((request: NetworkRequest) => ports.network.exchange(request))
  const counted = { ...ports, network: { ...ports.network, exchange } }
  const http = new Http(counted, tab.session, () => undefined)
  const lookup = new Lookup(counted, http, product)
  onTestFinished(() => void vi.restoreAllMocks())
  // The clock stands still.
  moveClock(3 * MINUTE_MS)
  const finding = { kind: 'wait', missing_at: Date.now() }
  const looks: Promise<unknown>[] = []
  for (const operation of await tab.outbox.all()) {
    looks.push(lookup.look(operation))
    if (!isAtOnce) await looks.at(-1)
  }
  expect(await Promise.all(looks)).toMatchObject([finding, finding])
  expect(exchange).toHaveBeenCalledTimes(1)
})

test('the lock of another context is not stolen while an attempt may leave', async () => {
  const { stage, tab, posts } = await losing(0, 'before')
  stage.lockTimeoutMs = 20
  const asked: (boolean | undefined)[] = []
  const ports = stage.ports.bind(stage)
  stage.ports = () => {
    const real = ports()
    const withLock: Ports['locks']['withLock'] = async (name, options, work) => {
      const locked = await real.locks.withLock(name, options, work)
      if (name === 'cairn-replay') asked.push(options.steal)
      return locked
    }
    return { ...real, locks: { withLock } }
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  stage.delayRequest = (request) =>
    request.method === 'POST' && WRITE.test(request.url) ? promise : Promise.resolve()
  await post(tab)
  await waitFor(() => expect(posts()).toHaveLength(1))
  const other = await stage.reopened()
  await post(other, 'And paid.')
  await waitFor(() => expect(asked.length).toBeGreaterThan(0))
  expect(asked).not.toContain(true)
  expect(posts()).toHaveLength(1)
  resolve()
  await stage.settled(tab)
  expect(posts()).toHaveLength(2)
})

test('after a sign-out the record of an earlier update in the same words is not taken for that of a lost one', async () => {
  const stage = new PlainFixture({ capabilities: 'ids', clientIds: 'unique' })
  const tab = await stage.readTab()
  const replica = tab.activeReplica()
  if (replica) await tab.pullScheduler.pullPartition(replica, 'success_plan_updates', '1')
  let isLost = false
  stage.network = (request) => {
    if (isLost && request.method === 'POST' && WRITE.test(request.url)) {
      isLost = false
      throw new TypeError('Failed to fetch')
    }
    return stage.answer(request)
  }
  const states = async () =>
    (await tab.outbox.all()).map(({ state, attempts }) => [state, attempts])
  await post(tab)
  await waitFor(async () => expect(await states()).toEqual([['acknowledged', 1]]))
  isLost = true
  await post(tab)
  await waitFor(async () => expect(await states()).toContainEqual(['pending', 1]))
  await tab.signOut('keep')
  const again = await stage.anasTab()
  await stage.settled(again)
  const same = stage.plain.records.tables.updates.filter(({ body }) => body === 'They signed.')
  expect(same).toHaveLength(2)
})

test('sent while the server had keys, and changed by another before it was looked for: its author decides', async () => {
  const { stage, tab, posts } = await losing(1, 'after')
  stage.plain.options.capabilities = 'keys'
  await tab.pullScheduler.pullAgain()
  await account(tab)
  await waitFor(() => expect(posts()).toHaveLength(1))
  expect(posts()[0]?.headers).toHaveProperty('Idempotency-Key')
  const { accounts } = stage.plain.records.tables
  for (const one of accounts) if (one.name === 'Flood Co') one.name = 'Flood Corporation'
  stage.plain.options.capabilities = ''
  // What is known of the server is trusted for five minutes.
  stage.aheadMs = 6 * MINUTE_MS
  await stage.settled(tab)
  expect((await tab.outbox.all())[0]).toMatchObject({
    state: 'attention',
    last_error: { code: 'undecided' },
  })
  expect(posts()).toHaveLength(1)
})

test.for<[string, number, number]>([
  ['a key that the server still knows is sent again', 8 * MINUTE_MS, 2],
  [
    'a key that the server may have forgotten by now is not: the record is found',
    10 * MINUTE_MS,
    1,
  ],
  ['a key is not trusted when the clock was set back by longer than its time', -11 * MINUTE_MS, 1],
])('%s', async ([, afterMs, sent]) => {
  const { stage, tab, posts } = await losing(1, 'after')
  stage.plain.options.capabilities = 'keys=600'
  await tab.pullScheduler.pullAgain()
  await account(tab)
  await waitFor(async () => {
    expect(posts()).toHaveLength(1)
    expect((await tab.outbox.all())[0]?.attempts).toBe(1)
  })
  stage.aheadMs = afterMs
  await stage.settled(tab)
  expect(posts()).toHaveLength(sent)
})

test.for<[string, ReturnType<PlainFixture['answer']> | undefined]>([
  ['gets no answer', undefined],
  ['is not understood', { status: 404, headers: JSON_TYPE, text: '{}' }],
])(
  'what was refused with 401, and whose refresh %s, has not arrived: it is sent again without a look',
  async ([, answer]) => {
    const stage = new PlainFixture()
    const tab = await stage.readTab()
    let [isExpired, isFailed] = [false, false]
    stage.network = (request) => {
      if (!isExpired && request.method === 'POST' && WRITE.test(request.url)) {
        isExpired = true
        stage.plain.tokens.expireAll()
      }
      if (isFailed || !request.url.endsWith('/oauth/token')) return stage.answer(request)
      isFailed = true
      if (!answer) throw new TypeError('Failed to fetch')
      return answer
    }
    await post(tab)
    await waitFor(() => expect(isFailed).toBe(true))
    await stage.settled(tab)
    expect(stage.plain.seen('POST', WRITE).map(({ status }) => status)).toEqual([401, 201])
    expect(stage.aheadMs).toBeLessThan(MINUTE_MS)
  },
)

test('of two contexts that have read an operation, one begins an attempt', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = offline
  const operation = await tab.enqueue('createAccount', {
    body: { id: crypto.randomUUID(), name: 'New' },
  })
  const begun = [
    await tab.outbox.beginAttempt(operation, []),
    await tab.outbox.beginAttempt(operation, []),
  ]
  expect(begun).toMatchObject([{ attempts: operation.attempts + 1 }, undefined])
})

/** A tab that is frozen right after it has noted an attempt, and another one that has its lock meanwhile. */
async function frozenAfterItsNote() {
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
  const { promise: frozen, resolve: freeze } = Promise.withResolvers<void>()
  let isFrozen = false
  const stage = new PlainFixture({}, undefined, (real) => ({
    transact: async (tables, mode, work) => {
      const result = await real.transact(tables, mode, work)
      const isNote = (result as Partial<Operation> | undefined)?.attempt !== undefined
      if (isNote && mode === 'strict' && !isFrozen) {
        isFrozen = true
        freeze()
        await thawed
      }
      return result
    },
  }))
  const posts = () => stage.requests.filter((one) => one.method === 'POST' && WRITE.test(one.url))
  const tab = await stage.readTab()
  await post(tab)
  await frozen
  return { stage, tab, posts, thaw }
}

test('a tab that was frozen before its request left does not send it once its lock may be lost', async () => {
  const { stage, tab, posts, thaw } = await frozenAfterItsNote()
  // As a lease that has expired: the other one has locks of its own.
  const ports = stage.ports.bind(stage)
  stage.ports = () => ({
    ...ports(),
    locks: { withLock: async (_name, _options, work) => ({ value: await work() }) },
  })
  const other = await stage.reopened()
  await stage.settled(other)
  expect(posts()).toHaveLength(1)
  thaw()
  await stage.settled(tab)
  await waitFor(async () => expect(await tab.outbox.all()).toHaveLength(1))
  expect(posts()).toHaveLength(1)
})

test('the lock is not stolen with keys while an attempt without one may be on its way', async () => {
  const { stage, posts, thaw } = await frozenAfterItsNote()
  stage.lockTimeoutMs = 20
  stage.plain.options.capabilities = 'keys=86400'
  const asked: (boolean | undefined)[] = []
  const ports = stage.ports.bind(stage)
  stage.ports = () => {
    const real = ports()
    const withLock: Ports['locks']['withLock'] = async (name, options, work) => {
      if (name === 'cairn-replay') asked.push(options.steal)
      return await real.locks.withLock(name, options, work)
    }
    return { ...real, locks: { withLock } }
  }
  const other = await stage.reopened()
  await other.pullScheduler.pull()
  expect(other.http.capabilities.has('keys')).toBe(true)
  const before = asked.length
  await waitFor(() => {
    // The run before may not have ended.
    other.wake()
    // Waited for, and then stolen, or waited for again.
    expect(asked.length).toBeGreaterThan(before + 1)
  })
  expect(asked).not.toContain(true)
  expect(posts()).toHaveLength(0)
  thaw()
  await stage.settled(other)
  expect(posts()).toHaveLength(1)
})
