// The outbox cannot be read while something is about to be sent: the replay ends, and another tab sends the same.
import { expect, onTestFinished, test } from 'vitest'
import { remainingDelay } from '../../../src/sync/core/operation.ts'
import type { Store } from '../../../src/sync/core/ports.ts'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'
import { errorResponse } from '../simulation/model-tenant.ts'
import { PlainFixture, stored } from '../plain/plain-fixture.ts'

const POST = /success-plans\/1\/updates$/

test('another tab sends nothing until the request of the first one has ended', async () => {
  let isBroken = false
  let failures = 0
  const breakable = (real: Store): Store => ({
    transact: async (tables, mode, work) => {
      if (isBroken) {
        failures += 1
        throw new Error('The database is closed.')
      }
      return await real.transact(tables, mode, work)
    },
  })
  const stage = new PlainFixture({}, undefined, breakable)
  const tab = await stage.readTab()
  const other = await stage.reopened()
  const posts = () =>
    stage.requests.filter(({ method, url }) => method === 'POST' && POST.test(url))
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let questions = 0
  // Whether the server answers is asked before a write leaves.
  stage.delayRequest = async ({ url }) => {
    if (url.endsWith('/userinfo') && (questions += 1) === 1) await held
  }
  const body = { id: crypto.randomUUID(), body: 'They signed.' }
  await tab.enqueue('postPlanUpdate', { path: { id: '1' }, body })
  await waitFor(() => expect(questions).toBe(1))
  isBroken = true
  await tab.outboxChanged()
  // The screen and the replay have tried.
  await waitFor(() => expect(failures).toBeGreaterThan(1))
  isBroken = false
  other.wake()
  await other.pullScheduler.pull()
  expect(posts()).toEqual([])
  release()
  await stage.settled(other)
  expect(posts()).toHaveLength(1)
  expect(stage.plain.records.tables.updates.filter((one) => one.body === body.body)).toHaveLength(1)
})

test('an edit whose record was read waits before its next attempt', async () => {
  let isBroken = false
  const breakable = (real: Store): Store => ({
    transact: async (tables, mode, work) => {
      if (!isBroken) return await real.transact(tables, mode, work)
      isBroken = false
      throw new Error('The database is closed.')
    },
  })
  const stage = new PlainFixture({}, undefined, breakable)
  const tab = await stage.readTab()
  const seen = (await stored(tab, 'accounts')).find(({ id }) => id === '1')
  const writes = () => stage.requests.filter(({ method }) => method === 'PUT')
  let readings = 0
  stage.network = (request) => {
    const answer = stage.answer(request)
    isBroken = request.method === 'GET' && request.url.endsWith('accounts/1')
    if (isBroken) readings += 1
    return answer
  }
  await tab.enqueue('updateAccount', { path: { id: '1' }, body: { name: 'Ours' } }, seen)
  await waitFor(async () => {
    const [operation] = await tab.outbox.all()
    expect(operation).toMatchObject({ state: 'pending', attempts: 1 })
    expect(remainingDelay(operation!, stage.ports().clock.now())).toBeGreaterThan(0)
  })
  expect(readings).toBe(1)
  expect(writes()).toEqual([])
  stage.network = stage.answer
  await stage.settled(tab)
  expect(writes()).toHaveLength(1)
})

test('what another tab was asked to wait with meanwhile is not sent by the one that had claimed it', async () => {
  let isBroken = false
  let failures = 0
  const breakable = (real: Store): Store => ({
    transact: async (tables, mode, work) => {
      if (!isBroken) return await real.transact(tables, mode, work)
      failures += 1
      throw new Error('The database is closed.')
    },
  })
  const stage = new EngineFixture(breakable)
  onTestFinished(() => stage.close())
  stage.server.settings.has_batch = false
  const tab = await stage.signedInTab('ann')
  const other = await stage.tab()
  const posts = () => stage.requests.filter(({ method }) => method === 'POST')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  stage.network = (request, answer) =>
    request.method === 'POST'
      ? errorResponse(503, 'The server restarts.', { 'retry-after': '60' })
      : answer()
  stage.delayRequest = ({ method }) => (method === 'POST' ? held : Promise.resolve())
  const caller = tab.session.caller()
  if (!caller) throw new Error('No one is signed in.')
  stage.requests.length = 0
  // One lane each: six are on their way, and the others are claimed ahead.
  await tab.outbox.enqueueAll(
    Array.from({ length: 12 }, (_, index) => ({
      ...caller,
      endpoint: 'postPlanUpdate',
      input: { path: { id: `north-${index}` }, body: { id: crypto.randomUUID(), body: 'News' } },
    })),
  )
  await tab.outboxChanged()
  await waitFor(async () => {
    const attempts = (await tab.outbox.all()).map((one) => one.attempts)
    expect([posts().length, attempts]).toEqual([6, Array.from({ length: 12 }, () => 1)])
  })
  // The other tab waits for its turn, which comes when the first one cannot read the outbox.
  other.wake()
  await waitFor(async () => {
    const { pending } = await navigator.locks.query()
    expect(pending?.map(({ name }) => name)).toContain('cairn-replay')
  })
  isBroken = true
  await tab.outboxChanged().catch(() => undefined)
  await waitFor(() => expect(failures).toBeGreaterThan(1))
  isBroken = false
  release()
  await waitFor(async () => {
    const all = await other.outbox.all()
    expect(all.map((one) => one.delayed_by_server)).toEqual(all.map(() => true))
  })
  const before = posts().length
  await postUpdate(tab, 'The next one', 'north-12')
  await waitFor(() => expect(posts().length).toBeGreaterThan(before))
  expect(posts()).toHaveLength(13)
})
