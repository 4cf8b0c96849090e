import { expect, test } from 'vitest'
import { locks } from '../../../src/sync/browser/web-ports.ts'

/** Holds the lock of that name until it is released. */
async function freeze(name: string) {
  const { promise: frozen, resolve: thaw } = Promise.withResolvers<string>()
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>()
  const holding = locks.withLock(name, { timeoutMs: 1_000 }, () => {
    isHeld()
    return frozen
  })
  await held
  return { thaw, holding }
}

test('takes the lock from a frozen replay, whose result still counts', async () => {
  const { thaw, holding } = await freeze('replay-of-the-test')
  const overtaking = { timeoutMs: 5, steal: true }
  const taken = await locks.withLock('replay-of-the-test', overtaking, async () => 'sent')
  expect(taken).toEqual({ value: 'sent' })
  thaw('late')
  expect(await holding).toEqual({ value: 'late' })
})

test('never takes the lock from a running refresh', async () => {
  const { thaw, holding } = await freeze('refresh-of-the-test')
  let entered = false
  const second = await locks.withLock('refresh-of-the-test', { timeoutMs: 5 }, async () => {
    entered = true
  })
  expect({ second, entered }).toEqual({ second: undefined, entered: false })
  thaw('done')
  await holding
  expect(
    await locks.withLock('refresh-of-the-test', { timeoutMs: 1_000 }, async () => 'free'),
  ).toEqual({ value: 'free' })
})
