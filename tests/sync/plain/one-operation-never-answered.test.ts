// The server answers one operation with an error for hours, and others of its kind as usual.
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const PAGE = { 'content-type': 'text/html' }

const post = (tab: Engine, body: string, plan = '1') =>
  tab.enqueue('postPlanUpdate', { path: { id: plan }, body: { id: crypto.randomUUID(), body } })

/** A server that answers 503 to one text. */
async function failing(capabilities = '') {
  const stage = new PlainFixture({ capabilities })
  const tab = await stage.readTab()
  stage.network = (request) =>
    request.body?.includes('The bad one.') === true
      ? {
          status: 503,
          headers: { 'content-type': 'application/json', 'retry-after': '30' },
          text: '{"message":"No."}',
        }
      : stage.answer(request)
  const attempts = () => stage.requests.filter(({ body }) => body?.includes('The bad one.')).length
  return { stage, tab, attempts }
}

/** Retries the bad one `times` times, at least three minutes apart. */
async function retry({ stage, tab, attempts }: Awaited<ReturnType<typeof failing>>, times: number) {
  for (let count = 0; count < times; count += 1) {
    const before = attempts()
    stage.aheadMs += 200_000
    await tab.outboxChanged()
    await waitFor(() => {
      tab.wake()
      expect(attempts()).toBeGreaterThan(before)
    })
  }
}

test.for(['', 'keys'])(
  'the operation needs attention, and its lane goes on (%s)',
  async (capabilities) => {
    const device = await failing(capabilities)
    const { stage, tab, attempts } = device
    await post(tab, 'The bad one.')
    await post(tab, 'The next one.')
    await retry(device, 3)
    await post(tab, 'Elsewhere.', '2')
    await stage.settled(tab)
    const bodies = stage.plain.records.tables.updates.map(({ body }) => body)
    expect(bodies).toEqual(expect.arrayContaining(['Elsewhere.', 'The next one.']))
    const parked = (await tab.outbox.all()).filter(({ state }) => state === 'attention')
    expect(parked).toMatchObject([
      { input: { body: { body: 'The bad one.' } }, last_error: { status: 503, message: 'No.' } },
    ])
    expect(attempts()).toBeGreaterThanOrEqual(20)
  },
)

test('the operation waits as long as no other of its kind is answered', async () => {
  const device = await failing()
  const { tab, attempts } = device
  await post(tab, 'The bad one.')
  await retry(device, 25)
  expect((await tab.outbox.all())[0]?.state).toBe('pending')
  expect(attempts()).toBeGreaterThanOrEqual(20)
})

test.for<[string, { status: number; headers: Record<string, string>; text: string }]>([
  ['a page that forbids', { status: 403, headers: PAGE, text: '<h1>Blocked</h1>' }],
  ['a redirect', { status: 0, headers: {}, text: '' }],
  ['a page in place of the record', { status: 200, headers: PAGE, text: '<h1>Blocked</h1>' }],
])('a text that a firewall answers with %s is tried ever less often', async ([, blocked]) => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) =>
    request.body?.includes('SELECT') === true ? blocked : stage.answer(request)
  const attempts = () => stage.requests.filter(({ body }) => body?.includes('SELECT')).length
  await tab.enqueue('updateSuccessPlan', { path: { id: '1' }, body: { description: 'SELECT' } })
  const wakeOften = async () => {
    for (let count = 0; count < 40; count += 1) {
      tab.wake()
      await tab.outboxChanged()
      await new Promise(setImmediate)
    }
  }
  await waitFor(() => {
    tab.wake()
    expect(attempts()).toBe(4)
  })
  await wakeOften()
  expect(attempts()).toBe(4)
  expect((await tab.outbox.all())[0]?.not_before).toBeGreaterThan(Date.now() + 10_000)
  await post(tab, 'Elsewhere.', '2')
  const texts = () => stage.plain.records.tables.updates.map(({ body }) => body)
  await waitFor(() => expect(texts()).toContain('Elsewhere.'))
})

test('a text that a firewall answers in place of the server waits for its author after an hour', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) =>
    request.body?.includes('SELECT') === true
      ? { status: 403, headers: PAGE, text: '<h1>Blocked</h1>' }
      : stage.answer(request)
  const attempts = () => stage.requests.filter(({ body }) => body?.includes('SELECT')).length
  await tab.enqueue('updateSuccessPlan', { path: { id: '1' }, body: { description: 'SELECT' } })
  await retry({ stage, tab, attempts }, 3)
  await tab.enqueue('updateSuccessPlan', { path: { id: '2' }, body: { description: 'Plain.' } })
  await waitFor(() => expect(stage.plain.seen('PATCH', /plans\/2$/)).toHaveLength(1))
  await stage.settled(tab)
  expect(await tab.outbox.all()).toContainEqual(
    expect.objectContaining({
      state: 'attention',
      last_error: expect.objectContaining({ code: 'foreign_answer' }) as unknown,
    }),
  )
  expect(attempts()).toBeGreaterThanOrEqual(20)
})

test.for(['', 'keys', 'ids, keys'])(
  'a write that only ever gets a page needs attention after an hour, though nothing else is sent (%s)',
  async (capabilities) => {
    const clientIds = capabilities.includes('ids') ? 'unique' : 'ignored'
    const stage = new PlainFixture({ capabilities, clientIds })
    const tab = await stage.readTab()
    const isWrite = ({ method, url }: { method: string; url: string }) =>
      method === 'POST' && url.endsWith('/accounts')
    stage.network = (request) =>
      isWrite(request)
        ? { status: 200, headers: PAGE, text: '<h1>Sign in to the proxy</h1>' }
        : stage.answer(request)
    const attempts = () => stage.requests.filter(isWrite).length
    await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } })
    const states = new Set<string>()
    tab.state.connection.subscribe(() => states.add(tab.state.connection.get()))
    const began = stage.aheadMs
    await stage.settled(tab)
    expect(stage.aheadMs - began).toBeGreaterThan(3_000_000)
    expect(await tab.outbox.all()).toMatchObject([
      { state: 'attention', last_error: { code: 'foreign_answer' } },
    ])
    expect(states).toContain('not-understood')
    expect(attempts()).toBeLessThanOrEqual(40)
    // Its author can have it sent again, when the proxy lets it through.
    stage.network = stage.answer
    const [operation] = await tab.outbox.all()
    await tab.outbox.retry(operation?.id ?? '')
    await tab.outboxChanged()
    await stage.settled(tab)
    const accounts = stage.plain.records.tables.accounts.filter(({ name }) => name === 'Flood Co')
    expect(accounts).toHaveLength(1)
  },
)
