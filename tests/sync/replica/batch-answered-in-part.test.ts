// Many operations in one request: what becomes of each by its result, and of all where the answer is lost, or
// is no answer to a batch.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { mayHaveArrived } from '../../../src/sync/core/arrival/attempt.ts'
import { random } from '../../../src/sync/browser/web-ports.ts'
import { BATCH, partsOf } from '../simulation/model/batch.ts'
import { errorResponse, json, type ServerAnswer } from '../simulation/model-tenant.ts'
import { EngineFixture, moveClock, waitFor } from '../engine-fixture.ts'

afterEach(() => void vi.restoreAllMocks())

interface Draft {
  plan: string
  text: string
  delayMs?: number
}

/** A tab, and updates to be enqueued there; a number of plans times a number of updates of each. */
async function signedIn(prepare?: (stage: EngineFixture) => void) {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  prepare?.(stage)
  const tab = await stage.signedInTab('ann')
  const caller = tab.session.caller()
  const north = stage.server.tenants.get('north')
  if (!caller || !north) throw new Error('No one is signed in.')
  const plan = north.records.success_plans.get('north-1')
  for (const id of ['north-3', 'north-4'])
    north.put('success_plans', { ...plan, id, title: id, created_by: 'ann' })
  /** Stores updates and sends them. */
  const post = async (drafts: readonly Draft[]): Promise<Operation[]> => {
    const stored = await tab.outbox.enqueueAll(
      drafts.map(({ plan: id, text, delayMs }) => ({
        ...caller,
        endpoint: 'postPlanUpdate',
        input: { path: { id }, body: { id: random.id(), body: text } },
        ...(delayMs !== undefined && { delayMs }),
      })),
    )
    stage.requests.length = 0
    await tab.outboxChanged()
    return stored
  }
  const isEmpty = () => waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  /** The requests that operations were sent in. */
  const sent = () => stage.requests.filter(({ method }) => method !== 'GET')
  const batches = () => sent().filter(({ url }) => url === BATCH)
  return { stage, tab, caller, post, isEmpty, sent, batches }
}

const keyOf = ({ headers }: { headers: Record<string, string> }) => headers['Idempotency-Key'] ?? ''

const PLANS = ['north-1', 'north-2', 'north-3', 'north-4']
/** Updates in turns of the plans. */
const updates = (count: number, plans = PLANS): Draft[] =>
  Array.from({ length: count }, (_, index) => ({
    plan: plans[index % plans.length] ?? '',
    text: `Update ${index}`,
  }))
const textsOf = (drafts: readonly Draft[]) => drafts.map(({ text }) => text)

/** Replaces the answer to the first batch. */
function atFirstBatch(stage: EngineFixture, answer: (own: () => ServerAnswer) => ServerAnswer) {
  let isFirst = true
  stage.network = (request, own) => {
    if (request.url !== BATCH || !isFirst) return own()
    isFirst = false
    return answer(own)
  }
}

interface Results {
  data: { key: string; status: number | null; headers: object; body: unknown }[]
}
const resultsOf = (answer: ServerAnswer) => (JSON.parse(answer.text) as Results).data

test('forty updates of four plans are one request, each arrives once, those of a plan in order', async () => {
  const { stage, post, isEmpty, sent } = await signedIn()
  const drafts = updates(40)
  await post(drafts)
  await isEmpty()
  expect(sent().map(({ url }) => url)).toEqual([BATCH])
  expect(stage.storedTexts.toSorted()).toEqual(textsOf(drafts).toSorted())
  for (const plan of PLANS) {
    const own = textsOf(drafts.filter((one) => one.plan === plan))
    expect(stage.storedTexts.filter((text) => own.includes(text))).toEqual(own)
  }
})

test('what a batch has confirmed is stored at once, not in a transaction for each', async () => {
  const { stage, post, isEmpty, batches } = await signedIn()
  const transact = vi.spyOn(stage.store, 'transact')
  await post(updates(40))
  await isEmpty()
  expect(batches()).toHaveLength(1)
  const writes = transact.mock.calls.filter(([tables, mode]) => {
    return mode === 'readwrite' && tables.join(' ') === 'operations'
  })
  // It is claimed, and confirmed.
  expect(writes).toHaveLength(2)
})

test('a few are sent one by one, and so are all at a server without batches', async () => {
  const few = await signedIn()
  await few.post(updates(4))
  await few.isEmpty()
  expect(few.sent()).toHaveLength(4)
  const without = await signedIn(({ server }) => (server.settings.has_batch = false))
  await without.post(updates(12))
  await without.isEmpty()
  expect(without.sent()).toHaveLength(12)
  expect(without.batches()).toEqual([])
})

test('more than a hundred are several requests, side by side', async () => {
  const { stage, post, isEmpty, batches } = await signedIn()
  const north = stage.server.tenants.get('north')
  const plans = Array.from({ length: 25 }, (_, index) => `plan-${index}`)
  for (const id of plans)
    north?.put('success_plans', {
      ...north.records.success_plans.get('north-1'),
      id,
      created_by: 'ann',
    })
  await post(updates(500, plans))
  await isEmpty()
  expect(batches().map((request) => partsOf(request).length)).toEqual([100, 100, 100, 100, 100])
  expect(new Set(stage.storedTexts).size).toBe(500)
  expect(stage.effects).toHaveLength(500)
})

test('a lost answer repeats the operations under their keys', async () => {
  const { stage, post, isEmpty, batches } = await signedIn()
  atFirstBatch(stage, (own) => {
    own()
    throw new Error('The answer was cut.')
  })
  const drafts = updates(20)
  const stored = await post(drafts)
  await isEmpty()
  expect(stage.storedTexts.toSorted()).toEqual(textsOf(drafts).toSorted())
  const keys = batches()
    .slice(1)
    .flatMap((request) => partsOf(request).map(keyOf))
  expect(keys.toSorted()).toEqual(stored.map(({ id }) => id).toSorted())
})

test('a refused operation needs attention, and holds neither its plan nor the others', async () => {
  const { stage, tab, post } = await signedIn()
  const drafts = updates(12)
  const refused = { plan: 'north-2', text: 'invalid' }
  const all = [...drafts.slice(0, 5), refused, ...drafts.slice(5)]
  await post(all)
  await waitFor(async () =>
    expect(await tab.outbox.all()).toMatchObject([
      { state: 'attention', input: { body: { body: 'invalid' } }, last_error: { status: 422 } },
    ]),
  )
  expect(stage.storedTexts.toSorted()).toEqual(textsOf(drafts).toSorted())
})

test('what the server has not begun is no attempt, and is sent again', async () => {
  const { stage, tab, post, isEmpty, batches } = await signedIn()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  atFirstBatch(stage, () => {
    const request = batches()[0]
    if (!request) throw new Error('There is no batch.')
    let begun = 0
    return stage.server.handle(request, Date.now(), (_part, answer) => {
      begun += 1
      return begun > 7 ? undefined : answer()
    })
  })
  stage.delayRequest = ({ url }) =>
    url === BATCH && batches().length > 1 ? held : Promise.resolve()
  const drafts = updates(20)
  await post(drafts)
  await waitFor(() => expect(batches()).toHaveLength(2))
  // Those of the second batch have begun their first attempt.
  const left = (await tab.outbox.all()).filter(({ state }) => state === 'pending')
  expect(left.map(({ attempts, last_error }) => [attempts, last_error])).toEqual(
    Array.from({ length: 13 }, () => [1, null]),
  )
  release()
  await isEmpty()
  expect(stage.storedTexts.toSorted()).toEqual(textsOf(drafts).toSorted())
})

const fewer = (answer: ServerAnswer) => json(200, { data: resultsOf(answer).slice(0, -1) })
const swapped = (answer: ServerAnswer) => {
  const [first, second, ...others] = resultsOf(answer)
  return json(200, { data: [second, first, ...others] })
}
/** By what is wrong: the answer, and how many batches are tried some minutes later. */
const ODD: [string, (own: () => ServerAnswer) => ServerAnswer, number][] = [
  ['fewer results than operations', (own) => fewer(own()), 1],
  ['results of other keys', (own) => swapped(own()), 1],
  ['no result begun', (own) => notBegun(own()), 1],
  ['a record', () => json(200, { data: { id: 'north-1' } }), 1],
  ['statuses that are none', (own) => odd(own()), 1],
  ['results that are not of the server', (own) => foreign(own()), 1],
  ['413', () => errorResponse(413, 'The request is larger than 512 KiB.'), 1],
  ['422', () => errorResponse(422, 'That is not valid.'), 1],
  ['404', () => errorResponse(404, 'Not found.'), 0],
  ['404 of a proxy', () => ({ status: 404, headers: {}, text: 'Not found' }), 0],
  ['405', () => errorResponse(405, 'Not allowed.'), 0],
]
const notBegun = (answer: ServerAnswer) =>
  json(200, {
    data: resultsOf(answer).map(({ key }) => ({ key, status: null, headers: {}, body: null })),
  })
const foreign = (answer: ServerAnswer) =>
  json(200, {
    data: resultsOf(answer).map(({ key }) => ({ key, status: 302, headers: {}, body: null })),
  })
const odd = (answer: ServerAnswer) =>
  json(200, { data: resultsOf(answer).map((one) => ({ ...one, status: 'created' })) })

test.for(ODD)('after %s nothing counts, and all are sent one by one', async ([, answer, later]) => {
  const { stage, tab, post, isEmpty, sent, batches } = await signedIn()
  stage.network = (request, own) => (request.url === BATCH ? answer(own) : own())
  const rejected = vi.spyOn(tab.outbox, 'reject')
  const drafts = updates(12)
  const stored = await post(drafts)
  await isEmpty()
  expect(batches()).toHaveLength(1)
  const single = sent().filter(({ url }) => url !== BATCH)
  expect(single.map(keyOf).toSorted()).toEqual(stored.map(({ id }) => id).toSorted())
  expect(stage.storedTexts.toSorted()).toEqual(textsOf(drafts).toSorted())
  expect(rejected).not.toHaveBeenCalled()
  moveClock(6 * 60_000)
  stage.network = (_request, own) => own()
  await post(updates(12))
  await isEmpty()
  expect(batches()).toHaveLength(later)
})

test('expired tokens are refreshed once, and each operation arrives once', async () => {
  const { stage, post, isEmpty } = await signedIn()
  stage.server.tokens.expireAll()
  const drafts = updates(12)
  await post(drafts)
  await isEmpty()
  expect(stage.requests.filter(({ url }) => url === '/oauth/token')).toHaveLength(1)
  expect(stage.effects).toHaveLength(drafts.length)
})

test.for([404, 405, 413, 422, 501])(
  'a batch that is refused with %i has not arrived, as a whole',
  async (status) => {
    const { stage, tab, post, batches } = await signedIn()
    stage.network = (request, own) => {
      if (request.url === BATCH) return errorResponse(status, 'Not like this.')
      if (request.method !== 'GET') throw new TypeError('Failed to fetch')
      return own()
    }
    await post(updates(12))
    await waitFor(async () => {
      expect(batches()).toHaveLength(1)
      const all = await tab.outbox.all()
      expect(all).toHaveLength(12)
      // Sent one by one then, up to a limit, and lost.
      expect(all.filter(mayHaveArrived).length).toBeLessThan(12)
    })
  },
)

test('a batch that was answered 401, and whose refresh gets no answer, has not arrived', async () => {
  const { stage, tab, post, batches } = await signedIn()
  stage.server.tokens.expireAll()
  stage.network = (request, own) => {
    if (request.url === '/oauth/token') throw new TypeError('Failed to fetch')
    return own()
  }
  await post(updates(12))
  await waitFor(async () => {
    const all = await tab.outbox.all()
    expect(all).toHaveLength(12)
    expect(batches()).not.toEqual([])
    expect(all.some(mayHaveArrived)).toBe(false)
  })
})

test('tokens that expire within a batch blame no operation', async () => {
  const { stage, tab, post, isEmpty } = await signedIn()
  atFirstBatch(stage, () => {
    const request = stage.requests.find(({ url }) => url === BATCH)
    if (!request) throw new Error('There is no batch.')
    return stage.server.handle(request, Date.now(), (_part, answer, index) =>
      index < 3 ? answer() : errorResponse(401, 'Unauthenticated.'),
    )
  })
  const rejected = vi.spyOn(tab.outbox, 'reject')
  const postponed = vi.spyOn(tab.outbox, 'postpone')
  const drafts = updates(12)
  await post(drafts)
  await isEmpty()
  expect(stage.storedTexts.toSorted()).toEqual(textsOf(drafts).toSorted())
  expect(rejected).not.toHaveBeenCalled()
  expect(postponed).not.toHaveBeenCalled()
})

test('when the server asks to wait, all wait, and none counts as failed', async () => {
  const { stage, tab, post, batches } = await signedIn()
  stage.network = (request, own) =>
    request.url === BATCH
      ? errorResponse(503, 'The server restarts.', { 'retry-after': '60' })
      : own()
  await post(updates(12))
  await waitFor(async () => {
    const all = await tab.outbox.all()
    expect(all.every(({ delayed_by_server }) => delayed_by_server === true)).toBe(true)
  })
  const all = await tab.outbox.all()
  expect(all.map(({ state, failures }) => [state, failures])).toEqual(
    all.map(() => ['pending', undefined]),
  )
  expect(new Set(all.map(({ not_before }) => not_before)).size).toBe(1)
  expect(batches()).toHaveLength(1)
})

test('a request that is too much for the line is repeated with less in it', async () => {
  const { stage, post, isEmpty, batches } = await signedIn()
  stage.network = (request, own) => {
    if (request.url === BATCH && partsOf(request).length > 20) throw new Error('No answer in time.')
    return own()
  }
  const drafts = updates(60)
  await post(drafts)
  await isEmpty()
  expect(stage.storedTexts.toSorted()).toEqual(textsOf(drafts).toSorted())
  expect(stage.effects).toHaveLength(60)
  const sizes = batches().map((request) => partsOf(request).length)
  expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual(25)
})
