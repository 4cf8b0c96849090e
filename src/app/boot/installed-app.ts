// What the app is beyond its window: the count on its icon, starts from elsewhere, notifications.
import { confirmPush, dropPushSubscription } from '../../features/profile/push-device.ts'
import type { SyncClient } from '../../sync/client.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { installedMessages } from './installed-messages.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { loadPage } from '../../ui/platform/load-page.ts'

/** Chromium's; in no TypeScript library. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { targetURL?: string }) => void): void
}

/** Minds all of it for that page. */
export function startInstalledApp(page: SyncClient): void {
  page.operations.subscribe(() => void updateBadge(page))
  page.storedSession.subscribe(() => void updateBadge(page))
  void updateBadge(page)
  followSessionForPush(page)
  announceOfflineReady(page)
  const { launchQueue } = window as { launchQueue?: LaunchQueue }
  let isFirst = true
  launchQueue?.setConsumer(({ targetURL }) => {
    // The start of this very window is one, too.
    const openedUrl = performance.getEntriesByType('navigation')[0]?.name
    if (!(isFirst && targetURL === openedUrl)) openLaunchTarget(targetURL)
    isFirst = false
  })
}

/** How many operations of that user need attention. */
export const countNeedingAttention = (
  operations: readonly Operation[],
  user_id: string | undefined,
): number => operations.filter((one) => one.user_id === user_id && one.state === 'attention').length

async function updateBadge(page: SyncClient): Promise<void> {
  if (!('setAppBadge' in navigator)) return
  const user_id = page.session.current()?.user.id
  const count = countNeedingAttention(page.operations.get(), user_id)
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(
    () => undefined,
  )
}

/**
 * A shortcut or something shared leads on in the window that is open, whose drafts are kept while it is
 * left. The icon alone only brings that window to the front.
 */
function openLaunchTarget(target: string | undefined): void {
  if (target === undefined) return
  if (new URL(target).pathname !== '/') loadPage(target)
}

const READY_SHOWN_KEY = 'ready_said'

/** Says once on this device that all is here: the shell, and the whole of an organisation. */
function announceOfflineReady(page: SyncClient): void {
  if (!('serviceWorker' in navigator)) return
  const unsubscribe = page.lastSyncedAt.subscribe(() => void check())
  void check()

  async function check() {
    if (page.lastSyncedAt.get() === null) return
    // Controlled or not, an active worker has the shell.
    await navigator.serviceWorker.ready
    unsubscribe()
    try {
      if (localStorage.getItem(READY_SHOWN_KEY)) return
      localStorage.setItem(READY_SHOWN_KEY, 'yes')
    } catch {
      return
    }
    toast(installedMessages.ready)
  }
}

/** The subscription ends with the session, also with one that ended in another tab. */
function followSessionForPush(page: SyncClient): void {
  let user_id = page.session.current()?.user.id
  if (user_id !== undefined) void confirmPush().catch(() => undefined)
  page.storedSession.subscribe(() => {
    const now = page.session.current()?.user.id
    if (user_id !== undefined && now !== user_id) void dropPushSubscription().catch(() => undefined)
    user_id = now
  })
}
