// The service worker from the page's side: registered after the first paint; a new build waits until
// the user accepts it.
import { useSyncExternalStore } from 'react'
import { Observable } from '../../sync/core/observable.ts'

const UPDATE_CHECK_INTERVAL_MS = 60 * 60_000

/** The next build: none, waiting for the user's consent, or accepted and waiting for the old worker. */
type NextBuild = 'none' | 'ready' | 'accepted'

const nextBuild = new Observable<NextBuild>('none')
let applyUpdate: () => void = () => undefined

/** Registers the worker and checks for a new build regularly. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  // Workbox is loaded after the first paint, which does not need it.
  const { Workbox } = await import('workbox-window')
  const worker = new Workbox('/sw.js')
  worker.addEventListener('waiting', () => {
    // An even newer build replaces the accepted one while that waits.
    if (nextBuild.get() === 'accepted') return worker.messageSkipWaiting()
    applyUpdate = () => worker.messageSkipWaiting()
    nextBuild.set('ready')
  })
  worker.addEventListener('controlling', (event) => {
    // Not earlier: until the new worker is in control, a reload would start the old build.
    if (nextBuild.get() === 'accepted') location.reload()
    else if (event.isUpdate) {
      // Accepted in another tab. This tab stays on its own build until its user agrees.
      applyUpdate = () => location.reload()
      nextBuild.set('ready')
    }
  })
  const registration = await worker.register().catch(() => undefined)
  if (!registration) return
  const checkForUpdate = () => void registration.update().catch(() => undefined)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkForUpdate()
  })
  setInterval(checkForUpdate, UPDATE_CHECK_INTERVAL_MS)
}

/**
 * The next build, and `accept`, which activates it and reloads as soon as it is in control. Drafts and
 * the queue are unaffected.
 */
export function useNewVersion(): { next: NextBuild; accept: () => void } {
  return {
    next: useSyncExternalStore(nextBuild.subscribe, nextBuild.get),
    accept: () => {
      nextBuild.set('accepted')
      applyUpdate()
    },
  }
}
