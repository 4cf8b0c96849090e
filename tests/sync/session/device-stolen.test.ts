// A stolen device is kept without a network: what was downloaded must not stay readable for good.
import { expect, onTestFinished, test, vi } from 'vitest'
import { engineTable } from '../../../contract/engine-table.ts'
import { product } from '../../../src/app/boot/product.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Sets the device's clock forwards or back; it runs on from there. */
function createClock() {
  const real = Date.now
  let aheadMs = 0
  const now = vi.spyOn(Date, 'now').mockImplementation(() => real() + aheadMs)
  onTestFinished(() => now.mockRestore())
  return { turn: (ms: number) => void (aheadMs += ms) }
}

/** Ann has a replica, a draft and an unsent update on her device, which forgets her after 14 days. */
async function device({ days }: { days: number | undefined } = { days: 14 }) {
  const clock = createClock()
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBe(null))
  stage.network = offline
  await postUpdate(tab, 'They signed.')
  await stage.store.transact(['drafts'], 'readwrite', async (tx) =>
    tx.put('drafts', ['ann', 'north', 'update'], 'An unfinished sentence'),
  )
  await tab.session.forgetAfter(days)
  return { clock, stage, tab }
}

async function stored(stage: EngineFixture) {
  const [cache, drafts, operations] = await stage.store.transact(
    ['cache', 'drafts', 'operations'],
    'readonly',
    (tx) => Promise.all([tx.all('cache', ['ann']), tx.all('drafts', []), tx.all('operations', [])]),
  )
  return { cache: cache.length > 0, drafts, operations: JSON.stringify(operations) }
}

async function expectForgotten(stage: EngineFixture) {
  const left = await stored(stage)
  expect(left).toMatchObject({ cache: false, drafts: [] })
  expect(left.operations).toContain('They signed.')
  const session = await stage.store.transact(['session'], 'readonly', (tx) =>
    tx.get('session', 'session'),
  )
  expect(session).toMatchObject({
    session: null,
    left: { user_id: 'ann', forced: true, silent_days: 14 },
  })
}

async function expectKnown(stage: EngineFixture) {
  expect(await stored(stage)).toMatchObject({ cache: true, drafts: ['An unfinished sentence'] })
}

test('the next start after those days forgets the user, but not what is unsent', async () => {
  const { clock, stage } = await device()
  stage.closeTabs()
  clock.turn(14 * DAY_MS - HOUR_MS)
  await stage.tab()
  await expectKnown(stage)
  stage.closeTabs()
  clock.turn(HOUR_MS)
  const tab = await stage.tab()
  await expectForgotten(stage)
  expect(tab.session.current().session).toBe(null)

  // Its user signs in again and goes on; the choice stays.
  stage.network = (_request, answer) => answer()
  await stage.signIn(tab, 'ann')
  await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
  expect(tab.session.contact.days).toBe(14)
})

test('a choice that is stored while the session is read stays the choice', async () => {
  const { tab } = await device({ days: undefined })
  // The read begins before the choice is stored, and ends while it is.
  await Promise.all([tab.session.reload(), tab.session.forgetAfter(7)])
  expect(tab.session.contact.days).toBe(7)
  expect(tab.session.contact.endsAt).toBeGreaterThan(Date.now())
})

test('an open tab forgets the user when the device wakes up, though the network is back', async () => {
  const { clock, stage, tab } = await device()
  clock.turn(15 * DAY_MS)
  stage.network = (_request, answer) => answer()
  tab.session.noteAnswer()
  tab.wake()
  await waitFor(() => expectForgotten(stage))
})

test('the service worker forgets the user without the app being opened', async () => {
  const { clock, stage } = await device()
  stage.closeTabs()
  clock.turn(15 * DAY_MS)
  stage.requests.length = 0
  await replayInBackground(
    stage.ports(),
    { ...engineTable.token, client: async () => ({ client_id: 'app' }) },
    { last: false, sleep: async () => {}, signal: new Cancellation(), reads: product },
  )
  await expectForgotten(stage)
  expect(stage.requests.filter(({ headers }) => headers.Authorization)).toEqual([])
})

test('an answer of the server starts the days from zero', async () => {
  const { clock, stage, tab } = await device()
  clock.turn(13 * DAY_MS)
  stage.network = (_request, answer) => answer()
  tab.wake()
  await waitFor(async () => {
    const contact = (await stage.store.transact(['session'], 'readonly', (tx) =>
      tx.get('session', 'contact'),
    )) as { read_at: number; silent_ms: number }
    expect(contact.silent_ms).toBe(0)
    expect(contact.read_at).toBeGreaterThan(Date.now() - HOUR_MS)
  })
  stage.closeTabs()
  clock.turn(13 * DAY_MS)
  await stage.tab()
  await expectKnown(stage)
})

test('an answer that is no success does not count', async () => {
  const { clock, stage, tab } = await device()
  clock.turn(13 * DAY_MS)
  stage.network = () => ({
    status: 503,
    text: '{}',
    headers: { 'content-type': 'application/json' },
  })
  await tab.sendNow(true)
  await waitFor(() => expect(stage.requests.at(-1)?.headers.Authorization).toBeDefined())
  stage.closeTabs()
  clock.turn(DAY_MS)
  await stage.tab()
  await expectForgotten(stage)
})

test('a clock set forward by hours ends no session, and one set back hides no time', async () => {
  const { clock, stage } = await device()
  for (const hours of [20, -20, 20, -20]) {
    clock.turn(hours * HOUR_MS)
    stage.closeTabs()
    await stage.tab()
  }
  await expectKnown(stage)
  for (let starts = 0; starts < 4; starts += 1) {
    clock.turn(4 * DAY_MS)
    stage.closeTabs()
    await stage.tab()
    clock.turn(-4 * DAY_MS)
    stage.closeTabs()
    await stage.tab()
  }
  await expectForgotten(stage)
})

test('a clock that was years ahead at the last answer does not put it off', async () => {
  const { clock, stage, tab } = await device()
  clock.turn(3 * 365 * DAY_MS)
  await tab.session.forgetAfter(14)
  clock.turn(-3 * 365 * DAY_MS)
  tab.wake()
  stage.closeTabs()
  await stage.tab()
  clock.turn(14 * DAY_MS)
  stage.closeTabs()
  await stage.tab()
  await expectForgotten(stage)
})

test('another open tab knows at once after how many days the device forgets its user', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const other = await stage.tab()
  await tab.session.forgetAfter(14)
  await waitFor(() => expect(other.session.contact.days).toBe(14))
})

test('a device without such a choice keeps everything', async () => {
  const { clock, stage } = await device({ days: undefined })
  stage.closeTabs()
  clock.turn(1_000 * DAY_MS)
  await stage.tab()
  await expectKnown(stage)
})
