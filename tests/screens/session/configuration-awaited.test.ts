// @vitest-environment jsdom
// A page starts without a stored configuration: its calls go to the host of the app.
import 'fake-indexeddb/auto'
import { locks } from 'node:worker_threads'
import { beforeAll, expect, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import { startEngine } from '../../../src/sync/browser/start-engine.ts'
import { createSync } from '../../../src/sync/client.ts'
import { screenCache } from '../../../src/sync/react/apply-changes.ts'
import { ANN } from '../fixtures/offline-client.ts'

beforeAll(() => {
  // jsdom has no Web Locks, and Node's do not take its signals.
  const request = (name: string, { steal = false }: LockOptions, work: () => Promise<unknown>) =>
    locks.request(name, { steal }, work)
  Object.defineProperty(navigator, 'locks', { value: { request } })
})

test('the page asks for it first, and then only the server that it names', async () => {
  const asked: string[] = []
  const apiBaseUrl = 'https://api.test'
  let configuration: object | undefined
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const url = input instanceof Request ? input.url : String(input)
    asked.push(url)
    if (url !== '/config.json') return Response.json({ message: 'Not now.' }, { status: 503 })
    if (!configuration) throw new Error('There is no network.')
    return Response.json(configuration)
  })
  writeStoredSession(localStorage, { seq: 1, session: ANN })
  const client = createSync(async (page) => startEngine(page, product, screenCache))
  await client.start()
  await client.syncNow()
  expect([...new Set(asked)]).toEqual(['/config.json'])

  configuration = { clientId: 'app', clientSecret: 'public', apiBaseUrl }
  asked.length = 0
  await client.syncNow()
  const [first, ...others] = asked
  expect(first).toBe('/config.json')
  expect(others).not.toEqual([])
  expect(others.filter((url) => !url.startsWith(`${apiBaseUrl}/`))).toEqual([])
})
