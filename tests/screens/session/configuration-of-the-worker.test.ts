// @vitest-environment jsdom
// The worker knew only the configuration of its own last replay, and a start waited for a Cache Storage that never
// answered.
import * as v from 'valibot'
import { beforeEach, expect, test, vi } from 'vitest'
import { Config } from '../../../contract/schemas/config.ts'
import { waitFor } from '../../wait-for.ts'

const GIVEN = { clientId: 'app', clientSecret: 'public', apiBaseUrl: 'https://api.test' }
const put = vi.fn<(path: string, response: Response) => Promise<void>>()
beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
  put.mockReset()
  vi.stubGlobal('fetch', async () =>
    Response.json(GIVEN, { headers: { 'Content-Security-Policy': "default-src 'none'" } }),
  )
})

const start = async () => {
  const { requireConfig } = await import('../../../src/app/boot/runtime-config.ts')
  return await requireConfig()
}

test('what a page has read is stored for the worker', async () => {
  const open = vi.fn(async (_name: string) => ({ put }))
  vi.stubGlobal('caches', { open, keys: async () => [] })
  await start()
  await waitFor(() => expect(put).toHaveBeenCalled())
  const [path, response] = put.mock.calls[0] ?? []
  expect([open.mock.calls, path]).toEqual([[['cairn-config']], '/config.json'])
  expect(v.parse(Config, await response?.json())).toMatchObject(GIVEN)
})

test.each([
  ['never answers', () => new Promise<never>(() => undefined)],
  ['fails', () => Promise.reject(new DOMException('', 'QuotaExceededError'))],
])('a page starts where Cache Storage %s', async (_, answer) => {
  vi.stubGlobal('caches', { open: answer, keys: answer })
  expect(await start()).toMatchObject(GIVEN)
})
