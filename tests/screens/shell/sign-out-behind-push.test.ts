// @vitest-environment jsdom
// The session, the replica and the drafts stayed on the device until push notifications were turned off, which a
// browser or its push service may never finish.
import { expect, test, vi } from 'vitest'
import { signOut } from '../../../src/app/sync-centre/sign-out.ts'
import { sync } from '../../../src/sync/client.ts'
import { openOffline } from '../fixtures/offline-client.ts'

test('the session ends where the browser does not end the subscription', async () => {
  await openOffline()
  const unsubscribe = vi.fn(() => new Promise<never>(() => undefined))
  const subscription = { endpoint: 'https://push.example.com/1', unsubscribe }
  const registration = {
    getNotifications: async () => [],
    pushManager: { getSubscription: async () => subscription },
  }
  vi.stubGlobal('PushManager', {})
  vi.stubGlobal('Notification', {})
  Object.defineProperty(navigator, 'serviceWorker', {
    value: { getRegistration: async () => registration },
  })
  const navigate = vi.fn()
  await signOut(navigate, 'keep')
  expect(unsubscribe).toHaveBeenCalled()
  expect(navigate).toHaveBeenCalledWith('/auth')
  expect(sync().session.current()).toBeNull()
})
