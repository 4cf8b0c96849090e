// The device's clock is hours wrong, or is set right while something waits: it orders nothing, delays
// nothing for long, and signs nobody out.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { Stage, say, until } from './stage.ts'

const HOUR = 3_600_000

afterEach(() => void vi.restoreAllMocks())

/** From now on the device's clock is so many milliseconds off. */
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

test('set back by hours between two updates: they arrive in the order of saying', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  const online = stage.network
  stage.network = () => {
    throw new Error('There is no network.')
  }
  await say(tab, 'First.')
  setClock(-7 * HOUR)
  await say(tab, 'Second.')
  stage.network = online
  tab.wake()
  await until(() => expect(stage.texts).toEqual(['First.', 'Second.']))
})

test('a wait that was begun when the clock was hours ahead is not waited for', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  setClock(5 * HOUR)
  let busy = true
  stage.network = (request, answer) => (busy && request.method === 'POST' ? BUSY : answer())
  await say(tab, 'They signed.')
  await until(async () => expect((await tab.outbox.all())[0]?.last_error?.status).toBe(503))
  busy = false
  expect(stage.texts).toEqual([])
  setClock(0)
  tab.wake()
  await until(() => expect(stage.texts).toEqual(['They signed.']))
})
