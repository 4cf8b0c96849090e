// What the app is beyond its window: the count on its icon, starts from elsewhere, notifications.
import { confirmPush, dropPushSubscription } from '../features/profile/push-device.ts'
import type { Sync } from '../sync/client.ts'
import { toast } from '../ui/toast.tsx'
import { installedWords } from './installed-words.ts'
import type { Operation } from '../sync/operation.ts'
import { loadPage } from '../ui/load-page.ts'

/** Chromium's; in no TypeScript library. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { targetURL?: string }) => void): void
}

/** Minds all of it for that page. */
export function mindInstalledApp(page: Sync): void {
  page.operations.subscribe(() => void badge(page))
  page.kept.subscribe(() => void badge(page))
  void badge(page)
  mindPush(page)
  sayReady(page)
  const { launchQueue } = window as { launchQueue?: LaunchQueue }
  let isFirst = true
  launchQueue?.setConsumer(({ targetURL }) => {
    // The start of this very window is one, too.
    const began = performance.getEntriesByType('navigation')[0]?.name
    if (!(isFirst && targetURL === began)) goTo(targetURL)
    isFirst = false
  })
}

/** How many operations of that user need attention. */
export const needingAttention = (
  operations: readonly Operation[],
  user_id: string | undefined,
): number => operations.filter((one) => one.user_id === user_id && one.state === 'attention').length

async function badge(page: Sync): Promise<void> {
  if (!('setAppBadge' in navigator)) return
  const user_id = page.session.current()?.user.id
  const count = needingAttention(page.operations.get(), user_id)
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(
    () => undefined,
  )
}

/**
 * A shortcut or something shared leads on in the window that is open, whose drafts are kept while it is
 * left. The icon alone only brings that window to the front.
 */
function goTo(target: string | undefined): void {
  if (target === undefined) return
  if (new URL(target).pathname !== '/') loadPage(target)
}

const READY_SAID = 'ready_said'

/** Says once on this device that all is here: the shell, and the whole of an organisation. */
function sayReady(page: Sync): void {
  if (!('serviceWorker' in navigator)) return
  const end = page.syncedAt.subscribe(() => void look())
  void look()

  async function look() {
    if (page.syncedAt.get() === null) return
    // Controlled or not, an active worker has the shell.
    await navigator.serviceWorker.ready
    end()
    try {
      if (localStorage.getItem(READY_SAID)) return
      localStorage.setItem(READY_SAID, 'yes')
    } catch {
      return
    }
    toast(installedWords.ready)
  }
}

/** The subscription ends with the session, also with one that ended in another tab. */
function mindPush(page: Sync): void {
  let user_id = page.session.current()?.user.id
  if (user_id !== undefined) void confirmPush().catch(() => undefined)
  page.kept.subscribe(() => {
    const now = page.session.current()?.user.id
    if (user_id !== undefined && now !== user_id) void dropPushSubscription().catch(() => undefined)
    user_id = now
  })
}
