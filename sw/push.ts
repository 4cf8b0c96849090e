// Push notifications: shown to their recipient only, and opened at their path.
import * as v from 'valibot'
import { PushMessage } from '../contract/schemas/push.ts'
import type { StoredSession } from '../src/sync/core/session-store.ts'
import { readSession } from '../src/sync/core/session-store.ts'
import { IndexedDbStore } from '../src/sync/browser/indexeddb-store.ts'

declare const self: ServiceWorkerGlobalScope

/** The session as stored in IndexedDB; undefined when storage fails. */
const readStoredSession = async (): Promise<StoredSession | undefined> =>
  await new IndexedDbStore().transact(['session'], 'readonly', readSession).catch(() => undefined)

/**
 * Shows a pushed message. One for a user who is not signed in here any more is not shown, and ends the
 * push subscription. Messages in another format are ignored.
 */
export async function showPushed(data: PushMessageData | null): Promise<void> {
  const parsed = v.safeParse(PushMessage, readJson(data))
  const stored = await readStoredSession()
  if (!parsed.success) return
  if (stored?.session?.user.id !== parsed.output.user_id) {
    // Zero: no session was ever stored, so the browser has lost its database, and the user has not signed out.
    if (stored && stored.seq > 0) await endSubscription()
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

/** Cancels the push subscription, and closes notifications of the user who has signed out. */
export async function endSubscription(): Promise<void> {
  const { registration } = self
  for (const notification of await registration.getNotifications()) notification.close()
  await (await registration.pushManager.getSubscription())?.unsubscribe()
}

/** Opens a notification's path in an open window, or else in a new one. */
export async function openNotified(notification: Notification): Promise<void> {
  const { path, organisation_id } = notification.data as { path: string; organisation_id: string }
  const active = (await readStoredSession())?.session?.active_organisation?.id
  // Another organisation has to be chosen first.
  const target =
    active === organisation_id ? path : `/organisations?redirect=${encodeURIComponent(path)}`
  const windows = await self.clients.matchAll({ type: 'window' })
  const openWindow = windows.find(({ url }) => {
    const { pathname, search, hash } = new URL(url)
    return pathname === target || pathname + search + hash === target
  })
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
