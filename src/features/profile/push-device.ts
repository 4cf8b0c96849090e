// Push notifications in this browser: subscribe, unsubscribe, and clean-up when the session ends.
import * as v from 'valibot'
import { Config } from '../../../contract/schemas/config.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { PushSubscriptionDraft } from '../../../contract/schemas/push.ts'
import { CallError, sync } from '../../sync/client.ts'
import type { PushFacts } from './push-state.ts'

const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/**
 * This browser's subscription, or null; undefined if there is no worker or it does not become ready.
 */
async function currentSubscription(): Promise<PushSubscription | null | undefined> {
  if (!isSupported()) return undefined
  const registration = await navigator.serviceWorker.getRegistration()
  return await registration?.pushManager.getSubscription()
}

async function serverKey(): Promise<string | null | undefined> {
  try {
    const answer = await fetch('/config.json', { signal: AbortSignal.timeout(10_000) })
    return answer.ok ? v.parse(Config, await answer.json()).vapidPublicKey : undefined
  } catch {
    return undefined
  }
}

/** The current state of server and browser. */
export async function readPushFacts(): Promise<Omit<PushFacts, 'ios' | 'installed'>> {
  const [key, subscription] = await Promise.all([
    serverKey(),
    currentSubscription().catch(() => undefined),
  ])
  return {
    supported: isSupported(),
    key,
    permission: isSupported() ? Notification.permission : 'default',
    // A subscription with another key than the server's receives nothing.
    subscribed: subscription != null && (typeof key !== 'string' || isWith(subscription, key)),
  }
}

/**
 * Asks for permission and subscribes; call it only from a click. Does nothing if permission is denied.
 * Throws a DOMException if the push service fails, another error if the server does or there is no worker.
 */
export async function turnPushOn(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return
  const registration = await Promise.race([navigator.serviceWorker.ready, noWorker()])
  const before = await registration.pushManager.getSubscription()
  // The server cannot use a subscription made with another key.
  if (before && !isWith(before, key)) await before.unsubscribe()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  })
  try {
    await registerSubscription(subscription)
  } catch (problem) {
    await subscription.unsubscribe()
    throw problem
  }
}

const WORKER_TIMEOUT_MS = 10_000

/** Rejects when no worker can be expected any more: where it could not be installed, it is never ready. */
const noWorker = () =>
  new Promise<never>((_, reject) =>
    setTimeout(reject, WORKER_TIMEOUT_MS, new Error('There is no service worker.')),
  )

const registerSubscription = async (subscription: PushSubscription): Promise<unknown> =>
  sync().call(endpoints.createPushSubscription, {
    body: v.parse(PushSubscriptionDraft, subscription.toJSON()),
  })

function isWith({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === key
}

/** Removes what this browser still shows: the next user of the device must not read it. */
async function closeNotifications(): Promise<void> {
  if (!isSupported()) return
  const registration = await navigator.serviceWorker.getRegistration()
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
}

/** How long a sign-out waits for the server. */
const UNSUBSCRIBE_TIMEOUT_MS = 2_000

/**
 * Unsubscribes: on the server if it answers in time, and always in this browser, so that later messages
 * are answered with 410. Closes the notifications.
 */
export async function turnPushOff(): Promise<void> {
  await closeNotifications().catch(() => undefined)
  const subscription = await currentSubscription().catch(() => undefined)
  if (!subscription) return
  const { endpoint } = subscription
  const unregistered = sync().call(endpoints.deletePushSubscription, { body: { endpoint } })
  await Promise.race([
    unregistered.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, UNSUBSCRIBE_TIMEOUT_MS)),
  ])
  await subscription.unsubscribe()
}

/** Removes the browser's subscription and notifications when no user is signed in who could tell the server. */
export async function dropPushSubscription(): Promise<void> {
  await closeNotifications().catch(() => undefined)
  await (await currentSubscription())?.unsubscribe()
}

/**
 * Registers the subscription with the server again: the browser may have renewed it, or the server lost
 * it. To be called while notifications are permitted.
 */
export async function confirmPush(): Promise<void> {
  const subscription = await currentSubscription()
  if (!subscription) return
  try {
    await registerSubscription(subscription)
  } catch (problem) {
    // The server sends no notifications any more, or not to this endpoint.
    if (problem instanceof CallError && problem.status === 422) await dropPushSubscription()
  }
}
