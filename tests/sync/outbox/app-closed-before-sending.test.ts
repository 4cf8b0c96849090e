import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import type { Ports } from '../../../src/sync/core/ports.ts'
import { EngineFixture, postUpdate, offline, waitFor } from '../engine-fixture.ts'

const MINUTE = 60_000

const outboxOf = (stage: EngineFixture) => new Outbox(stage.ports()).all()

/** The tab has tried to send without a network, and what it has not sent is given back. */
async function attempted(stage: EngineFixture, tab: Engine): Promise<void> {
  await waitFor(async () => expect((await outboxOf(stage))[0]?.attempts).toBeGreaterThan(0))
  await waitFor(() => expect(tab.state.connection.get()).toBe('offline'))
  await waitFor(async () => expect((await navigator.locks.query()).held).toEqual([]))
}

/** A device on which Ann posted an update offline and closed the app. */
async function closedAppWith(
  ...texts: string[]
): Promise<{ stage: EngineFixture; operations: Operation[] }> {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  stage.network = offline
  const operations: Operation[] = []
  for (const text of texts) operations.push(await postUpdate(tab, text))
  await attempted(stage, tab)
  stage.closeTabs()
  stage.requests.length = 0
  stage.network = (_request, answer) => answer()
  return { stage, operations }
}

/** The worker's replay; resolves to the number of operations left for another attempt. */
function replayInWorker(
  stage: EngineFixture,
  {
    ports = stage.ports(),
    last = false,
    sleep = async (_wait: number) => {},
    signal = new Cancellation(),
  } = {},
): Promise<number> {
  const client = async () => ({ client_id: 'app' })
  const options = { last, sleep, signal, reads: product }
  return replayInBackground(ports, { ...product.token, client }, options)
}

test('sends operations once, in order, as their author', async () => {
  const { stage } = await closedAppWith('First.', 'Second.')
  expect(await replayInWorker(stage)).toBe(0)
  expect(await replayInWorker(stage)).toBe(0)
  expect(stage.effects).toMatchObject([
    { text: 'First.', user_id: 'ann', organisation_id: 'north' },
    { text: 'Second.', user_id: 'ann', organisation_id: 'north' },
  ])
})

test('refreshes an expired token in the background, and the next start uses it', async () => {
  const { stage } = await closedAppWith('They signed.')
  stage.serverClockAheadMs = 20 * MINUTE
  expect(await replayInWorker(stage)).toBe(0)
  expect(stage.storedTexts).toEqual(['They signed.'])
  const refreshes = () => stage.requests.filter(({ url }) => url === '/oauth/token').length
  const spent = refreshes()
  const tab = await stage.tab()
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBe(null))
  expect(tab.session.current().session?.user.id).toBe('ann')
  expect(refreshes()).toBe(spent)
})

test('keeps operations without a response and asks the browser to retry', async () => {
  const { stage, operations } = await closedAppWith('They signed.')
  stage.network = offline
  expect(await replayInWorker(stage)).toBe(1)
  expect(await outboxOf(stage)).toMatchObject([{ id: operations[0]?.id, state: 'pending' }])
})

test('tells open tabs nothing when nothing was sent', async () => {
  const { stage } = await closedAppWith('They signed.')
  const received: string[] = []
  stage.ports().channel.subscribe(({ type }) => received.push(type))
  stage.network = offline
  expect(await replayInWorker(stage)).toBe(1)
  expect(received).not.toContain('sent')
})

test('a rejected refresh signs out, seals the operations and asks for no retry', async () => {
  const { stage } = await closedAppWith('They signed.')
  stage.serverClockAheadMs = 20 * MINUTE
  stage.network = (request, answer) =>
    request.url === '/oauth/token'
      ? {
          status: 400,
          headers: { 'content-type': 'application/json' },
          text: '{"error":"invalid_grant"}',
        }
      : answer()
  expect(await replayInWorker(stage)).toBe(0)
  const tab = await stage.tab()
  expect(tab.session.current()).toMatchObject({ session: null, left: { user_id: 'ann' } })
  expect(await tab.outbox.all()).toMatchObject([{ state: 'pending', user_id: 'ann' }])
})

test('waits for a short Retry-After and leaves a long one to a later try', async () => {
  const busy = (seconds: number) => ({
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
    text: '{"message":"Busy"}',
  })
  const { stage } = await closedAppWith('They signed.')
  stage.network = (request, answer) => (request.method === 'POST' ? busy(120) : answer())
  expect(await replayInWorker(stage)).toBe(1)

  const other = await closedAppWith('They signed.')
  other.stage.network = (request, answer) => (request.method === 'POST' ? busy(20) : answer())
  let now = Date.now()
  const slept: number[] = []
  const sleep = async (wait: number) => {
    slept.push(Math.round(wait / 1_000))
    now += wait
    other.stage.network = (_request, answer) => answer()
  }
  const ports: Ports = { ...other.stage.ports(), clock: { now: () => now } }
  expect(await replayInWorker(other.stage, { ports, sleep })).toBe(0)
  expect(slept).toEqual([20])
  expect(other.stage.storedTexts).toEqual(['They signed.'])
})

test('asks for no retry when an operation needs attention', async () => {
  const { stage } = await closedAppWith('They signed.')
  stage.network = (request, answer) =>
    request.method === 'POST'
      ? {
          status: 422,
          headers: { 'content-type': 'application/json' },
          text: '{"message":"No.","errors":{}}',
        }
      : answer()
  expect(await replayInWorker(stage)).toBe(0)
  expect(await outboxOf(stage)).toMatchObject([
    { state: 'attention', last_error: { message: 'No.' } },
  ])
})

test('leaves operations of a newer build alone', async () => {
  const { stage } = await closedAppWith('They signed.')
  const newer = { id: 'newer', v: 2, seq: 0, state: 'pending', user_id: 'ann' }
  await stage.store.transact(['operations'], 'readwrite', async (tx) =>
    tx.put('operations', 'newer', newer),
  )
  expect(await replayInWorker(stage)).toBe(0)
  expect(stage.storedTexts).toEqual(['They signed.'])
  const stored = await stage.store.transact(['operations'], 'readonly', (tx) =>
    tx.get('operations', 'newer'),
  )
  expect(stored).toEqual(newer)
})

test('waits for a running replay and notifies open tabs of what was sent', async () => {
  const { stage } = await closedAppWith('They signed.')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: sending, resolve: beginSending } = Promise.withResolvers<void>()
  const slow: Ports = stage.ports()
  const exchange = slow.network.exchange.bind(slow.network)
  slow.network = {
    ...slow.network,
    exchange: async (request) => {
      if (request.method === 'POST') {
        beginSending()
        await held
      }
      return await exchange(request)
    },
  }
  const first = replayInWorker(stage, { ports: slow })
  await sending
  const received: string[] = []
  stage.ports().channel.subscribe(({ type }) => received.push(type))
  const second = replayInWorker(stage)
  await waitFor(async () => {
    const { pending } = await navigator.locks.query()
    expect(pending?.map(({ name }) => name)).toEqual(['cairn-replay'])
  })
  release()
  expect(await Promise.all([first, second])).toEqual([0, 0])
  expect(stage.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(received).toContain('sent')
})

test('stops waiting before the browser ends the sync event', async () => {
  const { stage } = await closedAppWith('They signed.')
  stage.network = (request, answer) =>
    request.method === 'POST'
      ? { status: 503, headers: { 'content-type': 'application/json' }, text: '{"message":"Busy"}' }
      : answer()
  let now = Date.now()
  const sleep = async (wait: number) => void (now += wait)
  const began = now
  const ports: Ports = { ...stage.ports(), clock: { now: () => now } }
  expect(await replayInWorker(stage, { ports, sleep, last: true })).toBe(1)
  expect(now - began).toBeLessThan(2 * MINUTE)
})

/** Answers no POST for as long as the test runs. */
function withSilentServer(stage: EngineFixture): void {
  const silent = new Promise<void>(() => undefined)
  stage.delayRequest = ({ method }) => (method === 'POST' ? silent : Promise.resolve())
}

test('ends at once when another build takes over, and what was not sent can be edited', async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `Update ${index}.`)
  const stage = new EngineFixture()
  stage.server.settings.has_batch = false
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  stage.network = offline
  for (const [index, text] of texts.entries()) await postUpdate(tab, text, `north-${index}`)
  await attempted(stage, tab)
  const before = (await outboxOf(stage)).map(({ attempts }) => attempts)
  stage.closeTabs()
  stage.network = (_request, answer) => answer()
  withSilentServer(stage)
  const signal = new Cancellation()
  const replay = replayInWorker(stage, { signal })
  await waitFor(async () =>
    expect((await outboxOf(stage)).map(({ attempts }) => attempts)).toEqual(
      before.map((attempts) => attempts + 1),
    ),
  )
  // It waits for the lock meanwhile, and must not send once it gets it.
  const waiting = replayInWorker(stage, { signal })
  await waitFor(async () => {
    const { pending } = await navigator.locks.query()
    expect(pending?.map(({ name }) => name)).toEqual(['cairn-replay'])
  })
  signal.cancel()
  expect(await Promise.all([replay, waiting])).toEqual([12, 12])
  await waitFor(async () =>
    expect(await navigator.locks.query()).toMatchObject({ held: [], pending: [] }),
  )
  const left = await outboxOf(stage)
  expect(left.map(({ state }) => state)).toEqual(texts.map(() => 'pending'))
  // Six at once are sent; the attempts of those that were only claimed are taken back.
  expect(left.map(({ attempts }) => attempts)).toEqual(
    before.map((attempts, place) => (place < 6 ? attempts + 1 : attempts)),
  )
})

test('sends no batch that was claimed while another build took over', async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `Update ${index}.`)
  const { stage } = await closedAppWith(...texts)
  const before = (await outboxOf(stage)).map(({ attempts }) => attempts)
  const signal = new Cancellation()
  const ports = stage.ports()
  let claims = 0
  const { store } = ports
  ports.store = {
    transact: async (tables, mode, work) => {
      const result = await store.transact(tables, mode, work)
      // The first write of the outbox is the claim.
      if (mode === 'readwrite' && tables.includes('operations') && (claims += 1) === 1)
        signal.cancel()
      return result
    },
  }
  // All are of one plan, of which the first can be sent.
  expect(await replayInWorker(stage, { ports, signal })).toBe(1)
  await waitFor(async () => expect((await navigator.locks.query()).held).toEqual([]))
  expect(claims).toBe(2)
  expect(stage.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  expect((await outboxOf(stage)).map(({ attempts }) => attempts)).toEqual(before)
})

test('ends at once when another build takes over while it waits to try again', async () => {
  const { stage } = await closedAppWith('They signed.')
  stage.network = (request, answer) =>
    request.method === 'POST'
      ? { status: 503, headers: { 'content-type': 'application/json' }, text: '{"message":"Busy"}' }
      : answer()
  const signal = new Cancellation()
  const sleep = () => {
    signal.cancel()
    return new Promise<void>(() => undefined)
  }
  expect(await replayInWorker(stage, { signal, sleep })).toBe(1)
})
