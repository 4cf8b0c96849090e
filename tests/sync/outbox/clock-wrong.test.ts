// The device's clock is hours wrong, or is corrected while operations are pending: it must not change
// their order, delay them for long, or sign the user out.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

afterEach(() => void vi.restoreAllMocks())

/** Sets the device's clock off by that many milliseconds. */
function setClock(off: number): void {
  const now = Date.now.bind(Date)
  const real = vi.isMockFunction(Date.now) ? () => performance.timeOrigin + performance.now() : now
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(real() + off))
}

const BUSY = {
  status: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '60' },
  text: '{"message":"Busy."}',
}

test('sends updates in the order they were written when the clock is set back', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const online = stage.network
  stage.network = () => {
    throw new Error('There is no network.')
  }
  await postUpdate(tab, 'First.')
  setClock(-7 * HOUR)
  await postUpdate(tab, 'Second.')
  stage.network = online
  tab.wake()
  await waitFor(() => expect(stage.storedTexts).toEqual(['First.', 'Second.']))
})

test('ignores a retry time set while the clock was ahead', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  setClock(5 * HOUR)
  let busy = true
  stage.network = (request, answer) => (busy && request.method === 'POST' ? BUSY : answer())
  await postUpdate(tab, 'They signed.')
  await waitFor(async () => expect((await tab.outbox.all())[0]?.last_error?.status).toBe(503))
  busy = false
  expect(stage.storedTexts).toEqual([])
  setClock(0)
  tab.wake()
  await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
})

/** A tab with an update that the server, busy, has answered `attempts` times. */
async function busyTab(busy: { headers: Record<string, string> }, attempts: number) {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const online = stage.network
  stage.network = (request, answer) => (request.method === 'POST' ? { ...BUSY, ...busy } : answer())
  await postUpdate(tab, 'They signed.')
  const stored = async () => (await tab.outbox.all())[0]
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await waitFor(async () => {
      expect(await stored()).toMatchObject({ last_error: { status: 503 } })
      // A slow machine may let the engine make the next one by itself.
      expect((await stored())?.attempts).toBeGreaterThanOrEqual(attempt)
      expect((await stored())?.not_before).toBeGreaterThan(Date.now())
    })
    if (attempt < attempts) await tab.sendNow(true)
  }
  return { stage, tab, stored, recover: () => (stage.network = online) }
}
const NO_RETRY_AFTER = { headers: { 'content-type': 'application/json' } }

test.for([-4 * MINUTE, -3 * HOUR, 10 * MINUTE, 3 * HOUR])(
  'a clock that is put right by %i ms while an update waits delays nothing',
  async (correction) => {
    setClock(-correction)
    const { stage, recover } = await busyTab({ headers: BUSY.headers }, 1)
    stage.closeTabs()
    recover()
    setClock(0)
    await stage.tab()
    await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
  },
)

test('reads the date of Retry-After by the clock of the server', async () => {
  setClock(-4 * MINUTE)
  const at = Date.now() + 4 * MINUTE
  const headers = {
    ...NO_RETRY_AFTER.headers,
    date: new Date(at).toUTCString(),
    'retry-after': new Date(at + 20_000).toUTCString(),
  }
  const { stored } = await busyTab({ headers }, 1)
  expect(Number((await stored())?.not_before) - Date.now()).toBeLessThanOrEqual(20_000)
})

test('sends on request although the back-off is not over', async () => {
  const { stage, tab, stored, recover } = await busyTab(NO_RETRY_AFTER, 6)
  expect(Number((await stored())?.not_before) - Date.now()).toBeGreaterThan(10_000)
  recover()
  expect(await tab.sendNow(true)).toBe(undefined)
  await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
})

test('on request it sends nothing before the time that the server asked for, and tells that time', async () => {
  const { stage, tab, stored, recover } = await busyTab({ headers: BUSY.headers }, 1)
  recover()
  const until = await tab.sendNow(true)
  expect(until).toBe((await stored())?.not_before)
  expect(Number(until) - Date.now()).toBeGreaterThan(10_000)
  await tab.pullScheduler.pullAgain()
  expect(
    stage.requests.filter(({ method, url }) => method === 'POST' && /updates/.test(url)),
  ).toHaveLength(1)
})
