// Push notifications: shown to their recipient only, and opened at their path.
import * as v from 'valibot'
import { PushMessage } from '../contract/schemas/push.ts'
import type { Session } from '../src/sync/core/session-store.ts'
import { readSession } from '../src/sync/core/session-store.ts'
import { IndexedDbStore } from '../src/sync/browser/indexeddb-store.ts'

declare const self: ServiceWorkerGlobalScope

/** The session as stored in IndexedDB; null when signed out. Rejects when storage fails. */
const readStoredSession = async (): Promise<Session | null> =>
  (await new IndexedDbStore().transact(['session'], 'readonly', readSession)).session

/**
 * Shows a pushed message. One for a user who is not signed in here any more is not shown, and ends the push
 * subscription. Messages in another format are ignored.
 */
export async function showPushed(data: PushMessageData | null): Promise<void> {
  const parsed = v.safeParse(PushMessage, readJson(data))
  const user_id = (await readStoredSession().catch(() => null))?.user.id
  if (!parsed.success) return
  if (user_id !== parsed.output.user_id) {
    await (await self.registration.pushManager.getSubscription())?.unsubscribe()
    return
  }
  const { title, body, path, tag, organisation_id } = parsed.output
  await self.registration.showNotification(title, {
    body,
    tag,
    icon: '/icons/icon-192.png',
    badge: '/icons/monochrome-96.png',
    data: { path, organisation_id },
  })
}

/** Opens a notification's path in an open window, or else in a new one. */
export async function openNotified(notification: Notification): Promise<void> {
  const { path, organisation_id } = notification.data as { path: string; organisation_id: string }
  const active = (await readStoredSession().catch(() => null))?.active_organisation?.id
  // Another organisation has to be chosen first.
  const target =
    active === organisation_id ? path : `/organisations?redirect=${encodeURIComponent(path)}`
  const windows = await self.clients.matchAll({ type: 'window' })
  const openWindow = windows.find(({ url }) => new URL(url).pathname === target)
  if (openWindow) return void (await openWindow.focus())
  const [any] = windows
  const navigated = await any?.navigate(target).catch(() => null)
  await (navigated ? navigated.focus() : self.clients.openWindow(target))
}

/** The message as JSON; undefined when it is none. */
function readJson(data: PushMessageData | null): unknown {
  try {
    return data?.json()
  } catch {
    return undefined
  }
}
