// The device's clock is hours wrong, or is corrected while operations are pending: it must not change
// their order, delay them for long, or sign the user out.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

const HOUR = 3_600_000

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
