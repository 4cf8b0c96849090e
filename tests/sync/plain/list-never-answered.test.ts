// The server answers, and never with the list in which what a create makes would be looked for.
import { afterEach, expect, test, vi } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { moveClock, waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

afterEach(() => void vi.restoreAllMocks())

const FEED = { method: 'GET', path: /\/success-plans\/1\/updates$/ }
const PAGE = '<h1>Not here</h1>'

const post = (tab: Engine) =>
  tab.enqueue('postPlanUpdate', {
    path: { id: '1' },
    body: { id: crypto.randomUUID(), body: 'They signed.' },
  })

/** A device that has read all lists, and no plan's updates. */
async function readDevice() {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const sent = () =>
    stage.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('updates'))
  const reads = () => stage.plain.seen('GET', FEED.path)
  const arrived = () =>
    stage.plain.records.tables.updates.filter(({ body }) => body === 'They signed.')
  /** The answer to each update that arrives is lost. */
  const loseAnswers = () => {
    stage.network = (request) => {
      const answer = stage.answer(request)
      if (request.method === 'POST' && request.url.endsWith('updates')) throw new TypeError('Lost')
      return answer
    }
  }
  /** Wakes the tab often, `times` with some minutes in between. */
  const wait = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      stage.aheadMs += 200_000
      const before = stage.requests.length
      await tab.outboxChanged()
      await waitFor(() => {
        tab.wake()
        expect(stage.requests.length).toBeGreaterThan(before + 1)
      })
    }
  }
  return { stage, tab, sent, reads, arrived, loseAnswers, wait }
}

test.for<[number, string | undefined]>([
  [500, undefined],
  [429, undefined],
  [200, PAGE],
  [200, '{"message":"ok"}'],
])('an update whose list is answered with %i %s is sent all the same', async ([status, text]) => {
  const { stage, tab, sent, reads, arrived } = await readDevice()
  stage.plain.refuse(FEED, status, text)
  await post(tab)
  await stage.settled(tab)
  expect(arrived()).toHaveLength(1)
  expect(sent()).toHaveLength(1)
  expect(reads()).toHaveLength(8)
})

test.for<[number, string | undefined]>([
  [500, undefined],
  [200, PAGE],
])(
  'whether one arrived whose answer is lost is asked when its list is answered with %i %s',
  async ([status, text]) => {
    const { stage, tab, sent, arrived, loseAnswers } = await readDevice()
    loseAnswers()
    await post(tab)
    await waitFor(() => expect(sent()).toHaveLength(1))
    stage.plain.refuse(FEED, status, text)
    await stage.settled(tab)
    expect((await tab.outbox.all())[0]).toMatchObject({
      state: 'attention',
      last_error: { code: 'undecided' },
    })
    expect(sent()).toHaveLength(1)
    expect(arrived()).toHaveLength(1)
  },
)

test('sent without its list, and its answer lost, it is not taken for an earlier one', async () => {
  const { stage, tab, sent, arrived } = await readDevice()
  const { updates } = stage.plain.records.tables
  const [update] = updates
  if (update) updates.push({ ...update, id: '1000', body: 'They signed.' })
  const end = stage.plain.refuse(FEED, 500)
  stage.network = (request) => {
    if (request.method !== 'POST' || !request.url.endsWith('updates')) return stage.answer(request)
    end()
    throw new TypeError('Failed to fetch')
  }
  await post(tab)
  await stage.settled(tab)
  expect((await tab.outbox.all())[0]).toMatchObject({
    state: 'attention',
    last_error: { code: 'undecided' },
  })
  expect(sent()).toHaveLength(1)
  expect(arrived()).toHaveLength(1)
})

test('an edit that was taken without its record is asked about when that is never answered', async () => {
  const { stage, tab } = await readDevice()
  stage.plain.options.writes = 'empty'
  const isSent = () => stage.plain.seen('PATCH', /success-plans\/1$/).length > 0
  stage.network = (request) =>
    request.method === 'GET' && request.url.endsWith('success-plans/1') && isSent()
      ? { status: 500, headers: { 'content-type': 'application/json' }, text: '{}' }
      : stage.answer(request)
  await tab.enqueue('updateSuccessPlan', { path: { id: '1' }, body: { description: 'Dry feet' } })
  await stage.settled(tab)
  expect((await tab.outbox.all())[0]).toMatchObject({
    state: 'attention',
    last_error: { code: 'undecided' },
  })
})

test.for<[string, () => ReturnType<PlainFixture['answer']>]>([
  [
    'gets no answer',
    () => {
      throw new TypeError('Failed to fetch')
    },
  ],
  [
    'is a page, as every answer',
    () => ({ status: 200, headers: { 'content-type': 'text/html' }, text: PAGE }),
  ],
  ['is an error, as every answer', () => ({ status: 502, headers: {}, text: '' })],
])('an update whose list %s waits', async ([name, answer]) => {
  const { stage, tab, sent, wait } = await readDevice()
  const isAll = name.endsWith('every answer')
  stage.network = (request) =>
    isAll || FEED.path.test(request.url.split('?')[0] ?? '') ? answer() : stage.answer(request)
  await post(tab)
  await wait(12)
  expect((await tab.outbox.all())[0]?.state).toBe('pending')
  expect(sent()).toHaveLength(0)
})

test.for<[string, object]>([
  ['updateAction', { body: { id: '1', title: 'Ours' } }],
  ['deleteAction', { path: { id: '1' } }],
])('%s needs attention when the list of its record is never answered', async ([call, input]) => {
  const { stage, tab } = await readDevice()
  const seen = (await stored(tab, 'actions')).find(({ id }) => id === '1')
  stage.plain.refuse({ method: 'GET', path: /\/actions$/ }, 500)
  await tab.enqueue(call, input, seen)
  await stage.settled(tab)
  expect(await tab.outbox.all()).toMatchObject([
    { state: 'attention', last_error: { code: 'unreadable' } },
  ])
  expect(stage.plain.seen('GET', /\/actions$/).length).toBeLessThan(12)
  const writes = stage.requests.filter(({ method }) => method === 'PUT' || method === 'DELETE')
  expect(writes).toEqual([])
})

test('*Send now* counts no reading that is not made', async () => {
  const { stage, tab, sent, reads } = await readDevice()
  // The next reading is due when the test moves the clock, however slow the machine is.
  moveClock(0)
  const end = stage.plain.refuse(FEED, 500)
  await post(tab)
  await waitFor(() => expect(reads()).toHaveLength(1))
  for (let count = 0; count < 10; count += 1) {
    await waitFor(async () =>
      expect((await tab.outbox.all())[0]?.not_before).toBeGreaterThan(stage.now()),
    )
    await tab.sendNow(true)
  }
  expect(reads()).toHaveLength(1)
  expect((await tab.outbox.all())[0]).toMatchObject({ state: 'pending', unread_count: 1 })
  expect(sent()).toEqual([])
  end()
  await stage.settled(tab)
  expect(sent()).toHaveLength(1)
  expect(reads()).toHaveLength(2)
})

test('a list that is not answered is read ever less often, and keeps nothing else waiting', async () => {
  const { stage, tab, reads } = await readDevice()
  // The next reading is due when the test moves the clock, however slow the machine is.
  moveClock(0)
  stage.plain.refuse(FEED, 500)
  await post(tab)
  await post(tab)
  await waitFor(() => expect(reads()).toHaveLength(1))
  await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } })
  const { accounts } = stage.plain.records.tables
  await waitFor(() => expect(accounts.map(({ name }) => name)).toContain('Flood Co'))
  for (let count = 0; count < 20; count += 1) {
    await tab.outboxChanged()
    tab.wake()
  }
  expect(reads()).toHaveLength(1)
})
