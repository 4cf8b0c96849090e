// Features of the installed app outside its window: icon badge, launches, notifications.
import type { SyncClient } from '../../sync/client.ts'
import { dismissActions, toast } from '../../ui/overlay/toast.tsx'
import { installedMessages } from './installed-messages.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { loadPage } from '../../ui/platform/load-page.ts'

/** Chromium only; missing from TypeScript's DOM library. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { targetURL?: string }) => void): void
}

/**
 * Starts the badge, launch handling, the offline announcement and the push clean-up for this page. `user_id` is who
 * was signed in when the page began.
 */
export function startInstalledApp(page: SyncClient, user_id: string | undefined): void {
  page.operations.subscribe(() => void updateBadge(page))
  page.storedSession.subscribe(() => void updateBadge(page))
  void updateBadge(page)
  followSession(page, user_id)
  announceOfflineReady(page)
  const { launchQueue } = window as { launchQueue?: LaunchQueue }
  // Chromium delivers what is queued during the call: the launch that opened this window, and after a reload the last
  // one again.
  let isQueued = true
  launchQueue?.setConsumer(({ targetURL }) => {
    const [opened] = performance.getEntriesByType('navigation')
    if (isQueued && (opened?.type === 'reload' || opened?.name === targetURL)) return
    openLaunchTarget(targetURL)
  })
  isQueued = false
}

/** Number of operations of that user that need attention. */
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
 * Opens a shortcut or share target in the running window; its drafts are stored when it navigates. A
 * launch of the icon alone only focuses the window.
 */
function openLaunchTarget(target: string | undefined): void {
  if (target === undefined) return
  if (new URL(target).pathname !== '/') loadPage(target)
}

const READY_SHOWN_KEY = 'ready_said'

/**
 * Announces once per device that the app works offline: the shell is cached and one organisation is
 * fully downloaded.
 */
function announceOfflineReady(page: SyncClient): void {
  if (!('serviceWorker' in navigator)) return
  const unsubscribe = page.lastSyncedAt.subscribe(() => void check())
  void check()

  async function check() {
    if (page.lastSyncedAt.get() === null) return
    // An active worker has cached the shell, whether or not it controls this page.
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

/**
 * Confirms the push subscription at the start. When the session ends, also in another tab, the subscription
 * ends too, and the undo buttons of this user are removed.
 */
function followSession(page: SyncClient, before: string | undefined): void {
  let user_id = before
  const follow = () => {
    const now = page.session.current()?.user.id
    if (user_id !== undefined && now !== user_id) {
      dismissActions()
      forPush(({ dropPushSubscription }) => dropPushSubscription())
    }
    user_id = now
  }
  follow()
  if (user_id !== undefined) forPush(({ confirmPush }) => confirmPush())
  page.storedSession.subscribe(follow)
}

/** Does something where the browser may have a subscription, which needs the user's permission. */
function forPush(work: (push: typeof import('../../features/profile/push-device.ts')) => unknown) {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  void import('../../features/profile/push-device.ts').then(work).catch(() => undefined)
}
