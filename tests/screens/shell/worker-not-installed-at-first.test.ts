// @vitest-environment jsdom
// The first installation of the worker failed once, and the page never tried again: the app did not work offline, and
// turning notifications on took for ever.
import { beforeEach, expect, test, vi } from 'vitest'
import { turnPushOn } from '../../../src/features/profile/push-device.ts'

/** A registration whose worker was not installed: browsers forget it, and then cannot update it. */
class Registration extends EventTarget {
  installing: EventTarget | null = null
  waiting: EventTarget | null = null
  active: EventTarget | null = null
  update = vi.fn(async () => {
    if (!this.active) throw new DOMException('There is no worker.', 'InvalidStateError')
  })
}

const register = vi.fn<() => Promise<Registration>>()
beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  register.mockReset()
  const container = Object.assign(new EventTarget(), {
    register,
    getRegistration: async () => undefined,
    ready: new Promise(() => undefined),
  })
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true })
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

const minutes = async (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)
const EVENTS: [string, () => unknown][] = [
  ['after some minutes', () => minutes(5)],
  ['when the browser is online', () => window.dispatchEvent(new Event('online'))],
  ['when the page is visible again', () => document.dispatchEvent(new Event('visibilitychange'))],
]
const FAILURES: [string, () => Promise<Registration>][] = [
  ['that was not installed', async () => new Registration()],
  ['whose script was not answered', () => Promise.reject(new TypeError('503'))],
]

const CASES = EVENTS.flatMap(([when, happen]) =>
  FAILURES.map(([which, fail]) => ({ which, fail, when, happen })),
)

test.each(CASES)('a worker $which is registered again $when', async ({ fail, happen }) => {
  const { registerWorker } = await import('../../../src/app/boot/register-worker.ts')
  const { nextBuild } = await import('../../../src/app/boot/next-build.ts')
  register.mockImplementation(fail)
  await registerWorker()
  const second = new Registration()
  register.mockImplementation(async () => second)
  await happen()
  await vi.advanceTimersByTimeAsync(0)
  // It is updated from then on, and its next build is offered.
  second.active = new EventTarget()
  await minutes(60)
  expect(second.update).toHaveBeenCalledOnce()
  const next = new EventTarget()
  second.installing = next
  second.dispatchEvent(new Event('updatefound'))
  second.waiting = next
  next.dispatchEvent(new Event('statechange'))
  expect(nextBuild.get()).toBe('ready')
})

test('the console says that a worker was not installed, and not that one was replaced', async () => {
  const { registerWorker } = await import('../../../src/app/boot/register-worker.ts')
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const registration = new Registration()
  register.mockImplementation(async () => registration)
  const move = (states: string[]) => {
    const worker = Object.assign(new EventTarget(), { state: 'installing' })
    registration.installing = worker
    registration.dispatchEvent(new Event('updatefound'))
    for (const state of states) {
      worker.state = state
      worker.dispatchEvent(new Event('statechange'))
    }
  }
  await registerWorker()
  move(['installed', 'activating', 'activated', 'redundant'])
  expect(warn).not.toHaveBeenCalled()
  move(['redundant'])
  expect(warn).toHaveBeenCalledOnce()
})

test('notifications are not turned on without a worker, which is said after ten seconds', async () => {
  vi.stubGlobal('Notification', { requestPermission: async () => 'granted' })
  const failed = expect(turnPushOn('key')).rejects.toThrow('no service worker')
  await vi.advanceTimersByTimeAsync(10_000)
  await failed
})
