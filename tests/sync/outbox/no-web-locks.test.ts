// A page without HTTPS has no Web Locks: its tabs share leases in IndexedDB.
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import { createLeaseLocks } from '../../../src/sync/browser/lease-locks.ts'
import { createLocks } from '../../../src/sync/browser/web-ports.ts'

let events: EventTarget
beforeEach(() => {
  events = new EventTarget()
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'setTimeout'] })
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
})

/** Two tabs on one device. */
function tabs() {
  const factory = new IDBFactory()
  const tab = () => createLeaseLocks(new IndexedDbStore(factory))
  return [tab(), tab()] as const
}

/** Holds the lock of that name until it is released. */
async function hold(locks: ReturnType<typeof createLeaseLocks>, name: string) {
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>()
  const { promise: end, resolve: letGo } = Promise.withResolvers<string>()
  const holding = locks.withLock(name, { timeoutMs: 0 }, () => {
    isHeld()
    return end
  })
  await held
  return { letGo, holding }
}

/** Lets `ms` pass, with the database's answers in between. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await vi.advanceTimersByTimeAsync(500)
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
  }
}

test('one tab works at a time, and the next one when it has finished', async () => {
  const [first, second] = tabs()
  const { letGo, holding } = await hold(first, 'replay')
  expect(await second.withLock('replay', { timeoutMs: 0 }, async () => 'entered')).toBeUndefined()
  expect(await second.withLock('other', { timeoutMs: 0 }, async () => 'free')).toEqual({
    value: 'free',
  })
  const waiting = second.withLock('replay', { timeoutMs: 10_000 }, async () => 'next')
  letGo('done')
  expect(await holding).toEqual({ value: 'done' })
  await pass(1_000)
  expect(await waiting).toEqual({ value: 'next' })
})

test('a tab that works for long keeps its lease', async () => {
  const [first, second] = tabs()
  const { letGo, holding } = await hold(first, 'refresh')
  await pass(60_000)
  expect(await second.withLock('refresh', { timeoutMs: 0 }, async () => 'entered')).toBeUndefined()
  letGo('done')
  await holding
})

test('a lease is not renewed after the work', async () => {
  const [first] = tabs()
  await first.withLock('replay', { timeoutMs: 0 }, async () => 'done')
  expect(vi.getTimerCount()).toBe(0)
})

test('the lease of a tab that has crashed expires', async () => {
  const [first, second] = tabs()
  const { letGo, holding } = await hold(first, 'replay')
  vi.clearAllTimers()
  const waiting = second.withLock('replay', { timeoutMs: 30_000 }, async () => 'next')
  await pass(25_000)
  expect(await waiting).toEqual({ value: 'next' })
  letGo('late')
  expect(await holding).toEqual({ value: 'late' })
})

test('a tab that is closed releases its leases', async () => {
  const [first, second] = tabs()
  const { letGo, holding } = await hold(first, 'replay')
  events.dispatchEvent(new Event('pagehide'))
  const waiting = second.withLock('replay', { timeoutMs: 5_000 }, async () => 'next')
  await pass(2_000)
  expect(await waiting).toEqual({ value: 'next' })
  letGo('late')
  await holding
})

test('a frozen tab loses a lock that may be taken, and its result still counts', async () => {
  const [first, second] = tabs()
  const { letGo, holding } = await hold(first, 'replay')
  const stealing = { timeoutMs: 1_000, steal: true }
  const taken = second.withLock('replay', stealing, async () => 'sent')
  await pass(2_000)
  expect(await taken).toEqual({ value: 'sent' })
  letGo('late')
  expect(await holding).toEqual({ value: 'late' })
})

test('without Web Locks the leases are used', async () => {
  vi.stubGlobal('navigator', {})
  const locks = createLocks(new IndexedDbStore(new IDBFactory()))
  const { letGo, holding } = await hold(locks, 'replay')
  expect(await locks.withLock('replay', { timeoutMs: 0 }, async () => 'entered')).toBeUndefined()
  letGo('done')
  await holding
})
