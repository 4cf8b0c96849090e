// @vitest-environment node
// A pressed notification loaded the app again in the window that showed its place, where its path has a query or a
// hash.
import 'fake-indexeddb/auto'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import { SESSION_KEY } from '../../../src/sync/core/session-store.ts'

// By its path, since it is compiled for workers and these tests for pages.
const { openNotified } = (await import(join(import.meta.dirname, '../../../sw/push.ts'))) as {
  openNotified: (notification: { data: object }) => Promise<void>
}

const focus = vi.fn()
const navigate = vi.fn(async (_path: string) => ({ focus }))
const shown = vi.fn<() => string>()

beforeEach(async () => {
  vi.clearAllMocks()
  const open = async () => [{ url: `https://cairn.example${shown()}`, focus, navigate }]
  vi.stubGlobal('self', { clients: { matchAll: open } })
  const session = {
    access_token: 'access',
    refresh_token: 'refresh',
    user: { id: 'ann' },
    active_organisation: { id: 'north' },
  }
  await new IndexedDbStore().transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, { seq: 1, session }),
  )
})

test.each([
  ['/success-plans/1', '/success-plans/1'],
  ['/success-plans/1', '/success-plans/1?show=about'],
  ['/initiatives?open=i#a', '/initiatives?open=i#a'],
])('%s is shown by a window at %s', async (path, at) => {
  shown.mockReturnValue(at)
  await openNotified({ data: { path, organisation_id: 'north' } })
  expect(focus).toHaveBeenCalledOnce()
  expect(navigate).not.toHaveBeenCalled()
})

test.each([
  ['/initiatives?open=i#a', '/initiatives'],
  ['/initiatives?open=i#a', '/initiatives?open=i#b'],
])('a window goes to %s from %s', async (path, at) => {
  shown.mockReturnValue(at)
  await openNotified({ data: { path, organisation_id: 'north' } })
  expect(navigate).toHaveBeenCalledWith(path)
  expect(focus).toHaveBeenCalledOnce()
})
