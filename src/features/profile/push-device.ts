// Notifications in this browser: turning them on and off, and giving them up with the session.
import * as v from 'valibot'
import { Config } from '../../../contract/schemas/config.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { PushSubscriptionDraft } from '../../../contract/schemas/push.ts'
import { CallError, sync } from '../../sync/client.ts'
import type { PushFacts } from './push-state.ts'

const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Resolves to undefined where there is no worker, or it does not come. */
async function subscriptionHere(): Promise<PushSubscription | null | undefined> {
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

/** What holds by now, of server and browser. */
export async function readPushFacts(): Promise<Omit<PushFacts, 'ios' | 'installed'>> {
  const [key, subscription] = await Promise.all([
    serverKey(),
    subscriptionHere().catch(() => undefined),
  ])
  return {
    supported: isSupported(),
    key,
    permission: isSupported() ? Notification.permission : 'default',
    // With another key than the server's nothing arrives any more.
    subscribed: subscription != null && (typeof key !== 'string' || isWith(subscription, key)),
  }
}

/**
 * Asks for the permission, only ever after a click, and subscribes. Does nothing where it is not given.
 * Throws where the browser's push service or the server does not answer.
 */
export async function turnPushOn(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return
  const registration = await navigator.serviceWorker.ready
  const before = await registration.pushManager.getSubscription()
  // With another key the server could not use it.
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

const registerSubscription = async (subscription: PushSubscription): Promise<unknown> =>
  sync().call(endpoints.createPushSubscription, {
    body: v.parse(PushSubscriptionDraft, subscription.toJSON()),
  })

function isWith({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === key
}

/** How long a sign-out waits for the server to forget this browser. Milliseconds. */
const UNSUBSCRIBE_TIMEOUT_MS = 2_000

/**
 * Gives them up: on the server where it can be reached in time, and here in any case, so that what it
 * still sends is answered with 410.
 */
export async function turnPushOff(): Promise<void> {
  const subscription = await subscriptionHere().catch(() => undefined)
  if (!subscription) return
  const { endpoint } = subscription
  const told = sync().call(endpoints.deletePushSubscription, { body: { endpoint } })
  await Promise.race([
    told.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, UNSUBSCRIBE_TIMEOUT_MS)),
  ])
  await subscription.unsubscribe()
}

/** Ends this browser's own part of it, when nobody is signed in any more who could tell the server. */
export async function dropPushSubscription(): Promise<void> {
  await (await subscriptionHere())?.unsubscribe()
}

/** Tells the server again of a subscription that the browser or the server may have lost sight of. */
export async function confirmPush(): Promise<void> {
  const subscription = await subscriptionHere()
  if (!subscription || Notification.permission !== 'granted') return
  try {
    await registerSubscription(subscription)
  } catch (problem) {
    // The server sends none any more, or not there.
    if (problem instanceof CallError && problem.status === 422) await subscription.unsubscribe()
  }
}
