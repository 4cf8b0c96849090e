// A server without `changes` is read as a whole every minute, or not again for hours.
import { expect, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { random } from '../../../src/sync/browser/web-ports.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import type { CallInput } from '../../../src/sync/core/ports.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import { offline, waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const MINUTE_MS = 60_000

test('whole readings come at the start, on reconnection, by hand, and every 15 minutes', async () => {
  const stage = new PlainFixture()
  let now = Date.now()
  const real = stage.ports.bind(stage)
  stage.ports = () => ({ ...real(), clock: { now: () => now } })
  const tab = await stage.readTab()
  const readings = () => stage.plain.seen('GET', /\/accounts$/).length
  const wakeAndCount = async () => {
    tab.wake()
    await tab.pullScheduler.pullIfDue()
    return readings()
  }
  const first = readings()
  now += 14 * MINUTE_MS
  expect(await wakeAndCount()).toBe(first)
  now += MINUTE_MS
  expect(await wakeAndCount()).toBe(first + 1)
  await tab.pullScheduler.pull()
  expect(readings()).toBe(first + 2)
  stage.network = offline
  await tab.pullScheduler.pull()
  expect(tab.state.connection.get()).toBe('offline')
  stage.network = stage.answer
  tab.wake()
  await waitFor(() => expect(readings()).toBe(first + 3))
})

test('a reading that completes another one does not put off the next whole one', async () => {
  const stage = new PlainFixture()
  let now = Date.now()
  const real = stage.ports.bind(stage)
  stage.ports = () => ({ ...real(), clock: { now: () => now } })
  const tab = await stage.readTab()
  let result: 'unreachable' | 'done' = 'unreachable'
  const pull = vi.spyOn(tab.puller, 'pull').mockImplementation(async () => result)
  await tab.pullScheduler.pull()
  const readings = async (minutes: number) => {
    now += minutes * MINUTE_MS
    pull.mockClear()
    await tab.pullScheduler.pullIfDue()
    return pull.mock.calls.map(([, reading]) => reading)
  }
  result = 'done'
  expect(await readings(1)).toEqual(['missed'])
  expect(await readings(13)).toEqual([])
  expect(await readings(1)).toEqual(['all'])
})

/** Lets the app wake up so often, as timers and events of the browser do. */
async function wakeOften(tab: Awaited<ReturnType<PlainFixture['tab']>>, times = 40) {
  for (let count = 0; count < times; count += 1) {
    tab.wake()
    await tab.pullScheduler.pullIfDue()
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const PAGE = { 'content-type': 'text/html' }

test.for<[string, RegExp, { status: number; headers: Record<string, string>; text: string }]>([
  [
    'of accounts is not JSON',
    /\/accounts\?/,
    { status: 200, headers: JSON_TYPE, text: '<br>{"data":[]}' },
  ],
  ['of accounts is a page', /\/accounts\?/, { status: 200, headers: PAGE, text: '<h1>Hi</h1>' }],
  [
    'of members, the last one, is a redirect',
    /\/organisation-users\?/,
    { status: 0, headers: {}, text: '' },
  ],
  ['of any kind is a page', /\/api\/v1\/[a-z-]+\?/, { status: 200, headers: PAGE, text: '<h1>' }],
  [
    'of any kind is denied',
    /\/api\/v1\/[a-z-]+\?/,
    { status: 404, headers: JSON_TYPE, text: '{}' },
  ],
  ['of accounts fails', /\/accounts\?/, { status: 500, headers: PAGE, text: '<h1>Oops</h1>' }],
])('where the list %s, readings are paced, and never given up', async ([, list, answer]) => {
  const stage = new PlainFixture()
  stage.network = (request) => (list.test(request.url) ? answer : stage.answer(request))
  const tab = await stage.anasTab()
  const readings = () => stage.requests.filter(({ url }) => /\/accounts\?/.test(url)).length
  await wakeOften(tab)
  const first = readings()
  expect(first).toBeLessThanOrEqual(4)
  // Asked for by a screen.
  await tab.pullScheduler.pull()
  expect(readings()).toBe(first + 1)
  stage.aheadMs += 15 * MINUTE_MS
  await wakeOften(tab)
  expect(readings()).toBe(first + 2)

  stage.network = stage.answer
  stage.aheadMs += 15 * MINUTE_MS
  await wakeOften(tab)
  expect(await stored(tab, 'accounts')).toHaveLength(3)
  expect(readings()).toBe(first + 3)
})

test('an incomplete reading is repeated twice, after 2 minutes, and after 4 more', async () => {
  const stage = new PlainFixture()
  stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, 500, '<h1>Oops</h1>')
  const tab = await stage.anasTab()
  const readingsAfter = async (minutes: number) => {
    stage.aheadMs += minutes * MINUTE_MS
    await wakeOften(tab)
    return stage.plain.seen('GET', /\/accounts$/).length
  }
  const counts = []
  for (const minutes of [0, 2, 2, 2]) counts.push(await readingsAfter(minutes))
  expect(counts).toEqual([3, 4, 4, 5])
})

test('what a reading did not bring is read alone at first, then with all other lists', async () => {
  const stage = new PlainFixture()
  const fails = stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, 500, '<h1>Oops</h1>')
  stage.plain.refuse({ method: 'GET', path: /\/actions$/ }, 200, '<br>{"data":[]}')
  const tab = await stage.anasTab()
  const counts = () =>
    ['accounts', 'actions', 'initiatives', 'organisation-users'].map(
      (list) => stage.plain.seen('GET', new RegExp(`/${list}$`)).length,
    )
  await wakeOften(tab)
  expect(counts()).toEqual([3, 3, 1, 1])
  expect(tab.state.lastSyncedAt.get()).toBe(null)
  stage.aheadMs += 2 * MINUTE_MS
  await wakeOften(tab)
  expect(counts()).toEqual([4, 4, 2, 2])

  fails()
  stage.aheadMs += 4 * MINUTE_MS
  await wakeOften(tab)
  expect(counts()).toEqual([5, 5, 3, 3])
  expect(await stored(tab, 'accounts')).toHaveLength(3)
})

test('a reading is complete with the lists that it did not bring at first', async () => {
  const stage = new PlainFixture()
  const refused = stage.plain.refuse({ method: 'GET', path: /\/initiatives$/ }, 404)
  const fails = stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, 500, '<h1>Oops</h1>')
  const tab = await stage.anasTab()
  await tab.pullScheduler.pull()
  expect(tab.state.lastSyncedAt.get()).toBe(null)
  fails()
  await wakeOften(tab)
  expect(await stored(tab, 'accounts')).toHaveLength(3)
  expect(tab.state.lastSyncedAt.get()).not.toBe(null)
  expect(tab.state.readReport.get().refused).toEqual({ initiatives: 404 })
  expect(stage.plain.seen('GET', /\/organisation-users$/)).toHaveLength(1)
  refused()
  await tab.pullScheduler.pull()
  expect(stage.plain.seen('GET', /\/organisation-users$/)).toHaveLength(2)
  expect(tab.state.readReport.get().refused).toEqual({})
})

test('a device that lost its records meanwhile reads all lists again', async () => {
  const stage = new PlainFixture()
  const fails = stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, 500, '<h1>Oops</h1>')
  const tab = await stage.anasTab()
  await tab.pullScheduler.pull()
  await stage.store.transact(['cache'], 'readwrite', async (tx) => tx.deleteAll('cache', []))
  fails()
  await wakeOften(tab)
  expect(await stored(tab, 'accounts')).toHaveLength(3)
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
})

test('lists are left alone for as long as the server asks', async () => {
  const stage = new PlainFixture()
  const headers = { ...PAGE, 'retry-after': '300' }
  stage.network = (request) =>
    /\/accounts\?/.test(request.url)
      ? { status: 429, headers, text: '<h1>Too many requests</h1>' }
      : stage.answer(request)
  const tab = await stage.anasTab()
  const readings = () => stage.requests.filter(({ url }) => /\/accounts\?/.test(url)).length
  await tab.pullScheduler.pull()
  const first = readings()
  await wakeOften(tab)
  expect(readings()).toBe(first)
  stage.aheadMs += 5 * MINUTE_MS
  await wakeOften(tab, 1)
  expect(readings()).toBe(first + 1)
})

test('a list of a capability that is never answered makes no reading incomplete', async () => {
  const stage = new PlainFixture({ capabilities: 'templates, handover' })
  stage.plain.refuse({ path: /templates|former/ }, 200, '<h1>Hi</h1>')
  const tab = await stage.readTab()
  const readings = () => stage.plain.seen('GET', /\/accounts$/).length
  const first = readings()
  await wakeOften(tab)
  expect(readings()).toBe(first)
  expect(tab.state.lastSyncedAt.get()).not.toBe(null)
})

test.for<[string, { status: number; headers: Record<string, string>; text: string } | undefined]>([
  ['a page', { status: 200, headers: PAGE, text: '<h1>Hi</h1>' }],
  ['a page that forbids', { status: 403, headers: PAGE, text: '<h1>No</h1>' }],
  ['nothing', { status: 204, headers: {}, text: '' }],
  ['no answer', undefined],
])(
  'where the last list is of a capability and gets %s, the connection is not taken for lost and back again',
  async ([, answer]) => {
    const stage = new PlainFixture({ capabilities: 'handover' })
    stage.network = (request) => {
      if (!/former/.test(request.url)) return stage.answer(request)
      if (!answer) throw new Error('No answer.')
      return answer
    }
    const tab = await stage.anasTab()
    const states = new Set<string>()
    tab.state.connection.subscribe(() => states.add(tab.state.connection.get()))
    await tab.pullScheduler.pull()
    const readings = () => stage.plain.seen('GET', /\/accounts$/).length
    const first = readings()
    await waitFor(() => {
      tab.wake()
      expect(tab.state.connection.get()).toBe('online')
    })
    await wakeOften(tab)
    expect(readings()).toBe(first)
    expect(states.has('offline')).toBe(answer === undefined)
  },
)

test('a list that is not answered does not keep the operations of another list in the outbox', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, 500, '<h1>Oops</h1>')
  await tab.enqueue('updateSuccessPlan', { path: { id: '1' }, body: { title: 'Renamed' } })
  await stage.settled(tab)
  await tab.pullScheduler.pullAgain()
  expect(await tab.outbox.all()).toEqual([])
  await waitFor(() => expect(tab.state.operations.get()).toEqual([]))
})

const LISTS = ['accounts', 'success-plans', 'initiatives', 'actions', 'organisation-users']

/** Resolves to the lists that are read from now on, each as often as it is. */
function listLog({ plain }: PlainFixture) {
  const counts = () => LISTS.map((list) => plain.seen('GET', new RegExp(`/v1/${list}$`)).length)
  const before = counts()
  return () =>
    counts().flatMap((count, index) =>
      Array.from({ length: count - (before[index] ?? 0) }, () => LISTS[index]),
    )
}

test.for<[string, string, CallInput, string[]]>([
  [
    'an update reads the list of plans',
    'postPlanUpdate',
    { path: { id: '1' }, body: { id: random.id(), body: 'They signed.' } },
    ['success-plans'],
  ],
  [
    'a new account reads that of accounts',
    'createAccount',
    { body: { id: random.id(), name: 'Northwind' } },
    ['accounts'],
  ],
  [
    'a ticked action reads those whose progress follows it',
    'updateAction',
    { body: { id: '1', status: 'completed' } },
    // Actions have no read of their own: their list is read before an edit as well.
    ['success-plans', 'initiatives', 'actions', 'actions'],
  ],
  [
    'a deleted plan reads those of what belongs to it',
    'deleteSuccessPlan',
    { path: { id: '1' } },
    ['success-plans', 'initiatives', 'actions'],
  ],
])('%s once it has arrived, and no other', async ([, endpoint, input, expected]) => {
  const stage = new PlainFixture({}, { accounts: 3, plans: 10 })
  const tab = await stage.readTab()
  await wakeOften(tab)
  const lists = listLog(stage)
  const { lastSyncedAt } = tab.state
  const syncedAt = lastSyncedAt.get()
  await tab.enqueue(endpoint, input)
  await stage.settled(tab)
  await waitFor(() => expect(lists()).toEqual(expected))
  await wakeOften(tab)
  expect(lists()).toEqual(expected)
  // The other lists are as old as they were.
  expect(lastSyncedAt.get()).toBe(syncedAt)
})

test('what another tab or the service worker has sent has the same lists read once for all tabs', async () => {
  const stage = new PlainFixture({}, { accounts: 3, plans: 10 })
  const tab = await stage.readTab()
  const other = await stage.reopened()
  await other.pullScheduler.pullAgain()
  const lists = listLog(stage)
  await other.enqueue('createAccount', { body: { id: random.id(), name: 'Northwind' } })
  await stage.settled(other)
  await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  await wakeOften(tab)
  await wakeOften(other)
  expect(lists()).toEqual(['accounts'])

  const user_id = tab.session.current().session?.user.id ?? ''
  const { organisation_id = null } = tab.activeReplica()?.scope ?? {}
  const input = { body: { id: random.id(), title: 'Onboarding', type: 'customer' } }
  await tab.outbox.enqueue({ endpoint: 'createSuccessPlan', input, user_id, organisation_id })
  await replayInBackground(stage.ports(), product.token, {
    last: false,
    sleep: async () => {},
    signal: new Cancellation(),
    reads: product,
  })
  await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  await wakeOften(tab)
  await wakeOften(other)
  expect(lists()).toEqual(['accounts', 'success-plans'])
})

test('a list that was not answered after a write is read again, soon', async () => {
  const stage = new PlainFixture({}, { accounts: 3, plans: 10 })
  const tab = await stage.readTab()
  const answers = stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, 500)
  const lists = listLog(stage)
  await tab.enqueue('createAccount', { body: { id: random.id(), name: 'Northwind' } })
  await stage.settled(tab)
  await waitFor(() => expect(lists()).toContain('accounts'))
  answers()
  await waitFor(async () => {
    tab.wake()
    expect(await tab.outbox.all()).toEqual([])
  })
  expect(new Set(lists())).toEqual(new Set(['accounts']))
})
