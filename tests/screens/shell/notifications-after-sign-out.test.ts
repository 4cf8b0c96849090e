// @vitest-environment jsdom
// What the system still lists of one user is read by the next.
import { beforeEach, expect, test, vi } from 'vitest'
import { dropPushSubscription, turnPushOff } from '../../../src/features/profile/push-device.ts'
import { createSync } from '../../../src/sync/client.ts'

const unsubscribe = vi.fn()
const close = vi.fn()
let subscription: object | null

beforeEach(() => {
  vi.clearAllMocks()
  subscription = { endpoint: 'https://push.example.com/1', unsubscribe }
  createSync(() => Promise.reject(new Error('No engine.')))
  vi.stubGlobal('PushManager', {})
  vi.stubGlobal('Notification', {})
  const registration = {
    getNotifications: async () => [{ close }, { close }],
    pushManager: { getSubscription: async () => subscription },
  }
  const getRegistration = async () => registration
  Object.defineProperty(navigator, 'serviceWorker', {
    value: { getRegistration },
    configurable: true,
  })
})

test.each([
  ['a sign-out', turnPushOff],
  ['a sign-out in another tab', dropPushSubscription],
])('%s closes the notifications and ends the subscription', async (_, end) => {
  await end()
  expect(close).toHaveBeenCalledTimes(2)
  expect(unsubscribe).toHaveBeenCalledOnce()
})

test('notifications of a subscription that is gone are closed as well', async () => {
  subscription = null
  await turnPushOff()
  expect(close).toHaveBeenCalledTimes(2)
})
