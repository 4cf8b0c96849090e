// @vitest-environment jsdom
// Storage took longer than its time at a start, and the network never answered: the screen waited for the network,
// though the device had the records.
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { CallError, sync } from '../../../src/sync/client.ts'
import { Replica } from '../../../src/sync/core/replica.ts'
import { collectionQuery } from '../../../src/sync/react/query-options.ts'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const STORED = [{ id: 'northwind' }]

/** A screen whose storage answers once `resolve` is called. */
function slowStorage() {
  vi.useFakeTimers()
  const { promise, resolve } = Promise.withResolvers<typeof STORED | undefined>()
  vi.spyOn(Replica.prototype, 'collection').mockReturnValue(promise)
  const shown = new QueryClient().fetchQuery({ ...collectionQuery('accounts'), retry: false })
  return { shown, resolve }
}

test('records that are read late are shown while the network answers nothing', async () => {
  const pull = vi.spyOn(sync(), 'pull').mockReturnValue(new Promise(() => undefined))
  const { shown, resolve } = slowStorage()
  await vi.advanceTimersByTimeAsync(400)
  expect(pull).toHaveBeenCalledOnce()
  resolve(STORED)
  expect(await shown).toEqual(STORED)
})

test('a device that turns out to have nothing says what the network said', async () => {
  const { promise, reject } = Promise.withResolvers<void>()
  vi.spyOn(sync(), 'pull').mockReturnValue(promise)
  const { shown, resolve } = slowStorage()
  const failure = expect(shown).rejects.toMatchObject({ kind: 'busy' })
  await vi.advanceTimersByTimeAsync(400)
  resolve(undefined)
  reject(new CallError('busy'))
  await failure
})
