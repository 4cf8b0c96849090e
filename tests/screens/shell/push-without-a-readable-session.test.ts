// @vitest-environment node
// A push message arrives while the worker cannot read the session, or after the user has left.
import 'fake-indexeddb/auto'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import { SESSION_KEY, type StoredSession } from '../../../src/sync/core/session-store.ts'

// By its path, since it is compiled for workers and these tests for pages.
const { showPushed } = (await import(join(import.meta.dirname, '../../../sw/push.ts'))) as {
  showPushed: (data: { json: () => unknown }) => Promise<void>
}

const ANN = {
  access_token: 'access',
  refresh_token: 'refresh',
  user: { id: 'ann' },
  active_organisation: null,
}
const MESSAGE = {
  user_id: 'ann',
  organisation_id: 'north',
  title: 'Pilot',
  body: 'Mia posted an update.',
  path: '/success-plans/1',
  tag: 'plan-1',
}
const push = () => showPushed({ json: () => MESSAGE })
const unsubscribe = vi.fn()
const showNotification = vi.fn()
const close = vi.fn()

beforeEach(() => {
  vi.clearAllMocks()
  vi.stubGlobal('self', {
    registration: {
      showNotification,
      getNotifications: async () => [{ close }],
      pushManager: { getSubscription: async () => ({ unsubscribe }) },
    },
  })
})

const store = (stored: StoredSession) =>
  new IndexedDbStore().transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, stored),
  )

test('in a new database nothing is shown, and the subscription stays', async () => {
  await push()
  expect(showNotification).not.toHaveBeenCalled()
  expect(unsubscribe).not.toHaveBeenCalled()
})

test('where the database does not open nothing is shown, and the subscription stays', async () => {
  const opened = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('The database is damaged.', 'UnknownError')
  })
  await push()
  opened.mockRestore()
  expect(showNotification).not.toHaveBeenCalled()
  expect(unsubscribe).not.toHaveBeenCalled()
})

test('a message for the signed-in user is shown', async () => {
  await store({ seq: 1, session: ANN })
  await push()
  expect(showNotification).toHaveBeenCalledOnce()
  expect(close).not.toHaveBeenCalled()
})

test.each([
  ['another user is signed in', { ...ANN, user: { id: 'ben' } }],
  ['the user has signed out', null],
])('the subscription and its notifications end when %s', async (_, session) => {
  await store({ seq: 2, session })
  await push()
  expect(showNotification).not.toHaveBeenCalled()
  expect(unsubscribe).toHaveBeenCalledOnce()
  expect(close).toHaveBeenCalledOnce()
})
