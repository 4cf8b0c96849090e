// @vitest-environment jsdom
// A session that turned out to be over at the start left its push subscription: the page took it for signed out.
import { expect, test, vi } from 'vitest'
import { startInstalledApp } from '../../../src/app/boot/installed-app.ts'
import { waitFor } from '../../wait-for.ts'
import { ANN, openOffline } from '../fixtures/offline-client.ts'

const push = vi.hoisted(() => ({ confirmPush: vi.fn(), dropPushSubscription: vi.fn() }))
vi.mock('../../../src/features/profile/push-device.ts', () => push)

test('the push subscription ends at the start where the session of the page is over', async () => {
  vi.stubGlobal('Notification', { permission: 'granted' })
  const page = await openOffline()
  startInstalledApp(page, ANN.user.id)
  await waitFor(() => expect(push.confirmPush).toHaveBeenCalledOnce())
  expect(push.dropPushSubscription).not.toHaveBeenCalled()

  await (await page.engine()).session.signOut(ANN.user.id, true)
  await waitFor(() => expect(push.dropPushSubscription).toHaveBeenCalledOnce())

  startInstalledApp(page, ANN.user.id)
  await waitFor(() => expect(push.dropPushSubscription).toHaveBeenCalledTimes(2))
  expect(push.confirmPush).toHaveBeenCalledOnce()
})
