// A server had keys when an operation was first sent, and has none when it is sent again.
import { expect, test, vi } from 'vitest'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const MINUTE_MS = 60_000

interface Answer {
  /** 0: the request is lost. */
  status: number
  headers?: Record<string, string>
}

/**
 * A device whose first create was answered so, under its key and the id of the device; then the server has neither any
 * more.
 */
async function answeredUnderKey(...answers: Answer[]) {
  return await answeredBy('ids, keys', ...answers)
}

/** The same, at a server that had these capabilities. */
async function answeredBy(capabilities: string, ...answers: Answer[]) {
  const clientIds = capabilities.includes('ids') ? 'unique' : 'ignored'
  const stage = new PlainFixture({ capabilities, clientIds })
  const tab = await stage.readTab()
  stage.network = (request) => {
    const isCreate = request.method === 'POST' && request.url.endsWith('/accounts')
    const answer = isCreate ? answers.shift() : undefined
    if (answer?.status === 0) throw new TypeError('Failed to fetch')
    if (!answer) return stage.answer(request)
    return { status: answer.status, headers: { ...JSON_TYPE, ...answer.headers }, text: '{}' }
  }
  await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } })
  const count = answers.length
  const posts = () => stage.plain.seen('POST', /accounts$/)
  const withdraw = async () => {
    await waitFor(async () => {
      const [operation] = await tab.outbox.all()
      expect([answers.length, operation?.last_error?.status]).toEqual([0, expect.anything()])
      expect(operation?.attempts).toBe(count)
    })
    stage.plain.options.capabilities = ''
    // What is known of the server is trusted for five minutes.
    stage.aheadMs += 6 * MINUTE_MS
    await stage.settled(tab)
  }
  return { stage, tab, posts, withdraw }
}

test.for([
  [429, {}],
  [425, {}],
  [501, {}],
  [503, { 'retry-after': '1' }],
] as const)(
  'an attempt that was answered %i has not arrived: it is sent again without a question',
  async ([status, headers]) => {
    const { tab, posts, withdraw } = await answeredUnderKey({ status, headers })
    await withdraw()
    expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
    expect(posts()).toHaveLength(1)
  },
)

test.for([
  ['a 503 of a gateway', 503, {}],
  ['a 409 to a key that is in use', 409, { 'retry-after': '1' }],
  ['a 408', 408, {}],
] as const)('after %s it may have arrived: its author is asked', async ([, status, headers]) => {
  const { tab, posts, withdraw } = await answeredUnderKey({ status, headers })
  await withdraw()
  expect(await tab.outbox.all()).toMatchObject([
    { state: 'attention', last_error: { code: 'undecided' } },
  ])
  expect(posts()).toHaveLength(0)
})

test('a rejection says nothing of an earlier attempt that was lost', async () => {
  const { tab, posts, withdraw } = await answeredUnderKey({ status: 0 }, { status: 429 })
  await withdraw()
  expect(await tab.outbox.all()).toMatchObject([
    { state: 'attention', last_error: { code: 'undecided' } },
  ])
  expect(posts()).toHaveLength(0)
})

test('what its author wants to be sent again is sent, and not looked for once more', async () => {
  const { stage, tab, posts, withdraw } = await answeredUnderKey({ status: 500 })
  await withdraw()
  const [asked] = await tab.outbox.all()
  expect(asked).toMatchObject({ state: 'attention', last_error: { code: 'undecided' } })
  await tab.outbox.retry(asked?.id ?? '')
  await tab.outboxChanged()
  await stage.settled(tab)
  expect(posts()).toHaveLength(1)
  expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
})

test('a server that made the ids: a lost attempt is looked for among what was not there before', async () => {
  const { tab, posts, withdraw } = await answeredBy('keys', { status: 500 })
  await withdraw()
  expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
  expect(posts()).toHaveLength(1)
})

test.for<[string, number]>([
  ['gets no answer', 0],
  ['is not understood', 404],
])(
  'an attempt that was answered 401, and whose refresh %s, has not arrived',
  async ([, status]) => {
    const stage = new PlainFixture({ capabilities: 'ids, keys', clientIds: 'unique' })
    const tab = await stage.readTab()
    const posts = () => stage.plain.seen('POST', /accounts$/)
    let isFailed = false
    stage.network = (request) => {
      const isFirst = posts().length === 0
      if (isFirst && request.url.endsWith('/accounts')) stage.plain.tokens.expireAll()
      if (isFailed || !request.url.endsWith('/oauth/token')) return stage.answer(request)
      isFailed = true
      stage.plain.options.capabilities = ''
      if (status === 0) throw new TypeError('Failed to fetch')
      return { status, headers: JSON_TYPE, text: '{}' }
    }
    await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } })
    await waitFor(() => expect(isFailed).toBe(true))
    // What is known of the server is trusted for five minutes.
    stage.aheadMs += 6 * MINUTE_MS
    await stage.settled(tab)
    expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
    // The next one may find its token expired, too.
    expect(posts().filter((one) => one.status !== 401)).toMatchObject([{ status: 201 }])
    expect(stage.aheadMs).toBeLessThan(7 * MINUTE_MS)
  },
)

test('an attempt is noted where the server gives up its keys right before it', async () => {
  const stage = new PlainFixture({ capabilities: 'keys', clientIds: 'ignored' })
  const tab = await stage.readTab()
  const update = tab.outbox.update.bind(tab.outbox)
  // What is known before the first attempt is stored.
  vi.spyOn(tab.outbox, 'update').mockImplementationOnce(async (...change) => {
    stage.plain.options.capabilities = ''
    await tab.http.reachesServer()
    return await update(...change)
  })
  const posts: (string | undefined)[] = []
  stage.network = (request) => {
    if (request.method !== 'POST') return stage.answer(request)
    posts.push(request.headers['Idempotency-Key'])
    throw new TypeError('Failed to fetch')
  }
  await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } })
  await waitFor(() => expect(posts).toEqual([undefined]))
  expect(await tab.outbox.all()).toMatchObject([{ attempts: 1, attempt: expect.anything() }])
})

test('a repeat whose server gives up its keys right before it is looked for, not sent without its key', async () => {
  const stage = new PlainFixture({ capabilities: 'keys', clientIds: 'ignored' })
  const tab = await stage.readTab()
  const keys: (string | undefined)[] = []
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method !== 'POST') return answer
    keys.push(request.headers['Idempotency-Key'])
    if (keys.length > 1) return answer
    throw new TypeError('Failed to fetch')
  }
  const asWritten = tab.http.fields.asWritten.bind(tab.http.fields)
  vi.spyOn(tab.http.fields, 'asWritten').mockImplementation(async (...input) => {
    if (keys.length === 1) {
      stage.plain.options.capabilities = ''
      await tab.http.reachesServer()
    }
    return await asWritten(...input)
  })
  await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } })
  await waitFor(() => expect(stage.plain.options.capabilities).toBe(''))
  await stage.settled(tab)
  expect(keys).toEqual([expect.any(String)])
  expect(
    stage.plain.records.tables.accounts.filter(({ name }) => name === 'Flood Co'),
  ).toHaveLength(1)
})

test.for(['', 'keys'])(
  'a record under an id of the server, which has just stopped taking ids, has arrived: no list is read for it (%s)',
  async (left) => {
    const stage = new PlainFixture({ capabilities: 'ids, keys', clientIds: 'unique' })
    const tab = await stage.readTab()
    const methods: string[] = []
    stage.network = (request) => {
      if (!request.url.includes('/updates')) return stage.answer(request)
      methods.push(request.method)
      Object.assign(stage.plain.options, { capabilities: left, clientIds: 'ignored' })
      return stage.answer(request)
    }
    await tab.enqueue('postPlanUpdate', {
      path: { id: '1' },
      body: { id: crypto.randomUUID(), body: 'They signed.' },
    })
    await stage.settled(tab)
    expect(methods).toEqual(['POST'])
    expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
    expect((await tab.outbox.read()).aliases).toMatchObject([{ table: 'success_plan_updates' }])
  },
)

test('what was claimed before its tab was frozen is not sent minutes after another tab has sent it', async () => {
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
  const { promise: frozen, resolve: freeze } = Promise.withResolvers<void>()
  let isFrozen = false
  const stage = new PlainFixture({ capabilities: 'keys=86400' }, undefined, (real) => ({
    transact: async (tables, mode, work) => {
      const result = await real.transact(tables, mode, work)
      const [claimed] = Array.isArray(result) ? (result as Partial<Operation>[]) : []
      if (claimed?.attempts === 1 && mode === 'readwrite' && !isFrozen) {
        isFrozen = true
        freeze()
        await thawed
      }
      return result
    },
  }))
  const tab = await stage.readTab()
  await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } })
  await frozen
  // Its record is not read, so that the operation stays after its answer.
  stage.plain.refuse({ method: 'GET', path: /accounts/ }, 503)
  // As a lease that has expired: the other one has locks of its own.
  const ports = stage.ports.bind(stage)
  stage.ports = () => ({
    ...ports(),
    locks: { withLock: async (_name, _options, work) => ({ value: await work() }) },
  })
  const posts = () =>
    stage.requests.filter(({ method, body }) => method === 'POST' && body?.includes('Flood')).length
  const other = await stage.reopened()
  await waitFor(() => expect(posts()).toBe(1))
  await stage.settled(other)
  // What the server had before that minute it may have forgotten.
  stage.aheadMs += 6 * MINUTE_MS
  thaw()
  // Behind it.
  await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Ebb Co' } })
  await stage.settled(tab)
  expect(posts()).toBe(1)
})
