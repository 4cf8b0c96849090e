// @vitest-environment node
// The worker could not read the configuration, or not store it, fell back to an older one with another API, and ended
// the session of its user by force.
import 'fake-indexeddb/auto'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import { readSession, SESSION_KEY } from '../../../src/sync/core/session-store.ts'

const FORMER = 'https://former.test'
const PRESENT = 'https://present.test'
const ANN = {
  access_token: 'access',
  refresh_token: 'refresh',
  user: { id: 'ann' },
  active_organisation: null,
}
const configOf = (apiBaseUrl: string) => ({ clientId: 'app', redirects: [], apiBaseUrl })

const worker: {
  navigator: object
  registration: object
  replay?: (last: boolean, signal: AbortSignal) => Promise<void>
} = {
  navigator: {},
  registration: {
    getNotifications: async () => [],
    pushManager: { getSubscription: async () => null },
  },
}
vi.stubGlobal('self', worker)
// By its path, since it is compiled for workers and these tests for pages.
await import(join(import.meta.dirname, '../../../sw/background-replay.ts'))

const put = vi.fn<(path: string, response: Response) => Promise<void>>()
const fetchConfig = vi.fn<() => Promise<Response>>()
let stored: object
beforeEach(async () => {
  stored = configOf(FORMER)
  put.mockReset()
  const cache = { put, match: async () => Response.json(stored) }
  vi.stubGlobal('caches', { open: async () => cache })
  vi.stubGlobal('fetch', async (url: unknown) => {
    if (url === '/config.json') return await fetchConfig()
    throw new TypeError('There is no network.')
  })
  await new IndexedDbStore().transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, { seq: 1, session: ANN, api: PRESENT }),
  )
})

const replay = async () => worker.replay?.(false, new AbortController().signal)
const userNow = async () =>
  (await new IndexedDbStore().transact(['session'], 'readonly', readSession)).session?.user.id

test('an older configuration of another server ends no session, and the browser tries again', async () => {
  fetchConfig.mockRejectedValue(new TypeError('It took too long.'))
  await expect(replay()).rejects.toThrow('configuration')
  expect(await userNow()).toBe('ann')
})

test('an older configuration of the same server is used', async () => {
  fetchConfig.mockRejectedValue(new TypeError('It took too long.'))
  stored = { ...configOf('https://moved.test'), formerApiBaseUrls: [PRESENT] }
  await replay()
  expect(await userNow()).toBe('ann')
})

test.each([
  [
    'that the full device does not store',
    () => Promise.reject(new DOMException('', 'QuotaExceededError')),
  ],
  ['whose storing never ends', () => new Promise<void>(() => undefined)],
])('a configuration %s is used', async (_, store) => {
  fetchConfig.mockImplementation(async () => Response.json(configOf(PRESENT)))
  put.mockImplementation(store)
  await replay()
  expect(put).toHaveBeenCalledOnce()
  expect(await userNow()).toBe('ann')
})

test('a configuration with another server ends the session of the former one', async () => {
  fetchConfig.mockImplementation(async () => Response.json(configOf(FORMER)))
  put.mockResolvedValue(undefined)
  await replay()
  expect(await userNow()).toBe(undefined)
})
