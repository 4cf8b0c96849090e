// Background Sync (WICG draft): the browser wakes the service worker once there is a network.

/** Tag of the sync event. One build registers it and another may receive it, so it never changes. */
export const REPLAY_TAG = 'cairn-replay'

/**
 * Asks the browser to wake the service worker as soon as there is a network, even with no tab open.
 * Does nothing without Background Sync support or without a registered worker.
 */
export async function registerBackgroundSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const { sync } = (registration ?? {}) as { sync?: { register(tag: string): Promise<void> } }
  await sync?.register(REPLAY_TAG)
}
