// The service worker from the page's side: registered after the first paint; a new build waits until
// the user accepts it.
import { useSyncExternalStore } from 'react'
import { Observable } from '../../sync/core/observable.ts'

const UPDATE_CHECK_INTERVAL_MS = 60 * 60_000

const updateReady = new Observable(false)
let applyUpdate: () => void = () => undefined

/** Registers the worker and checks for a new build regularly. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  // Workbox is loaded after the first paint, which does not need it.
  const { Workbox } = await import('workbox-window')
  const worker = new Workbox('/sw.js')
  let accepted = false
  worker.addEventListener('waiting', () => {
    applyUpdate = () => {
      accepted = true
      worker.messageSkipWaiting()
    }
    updateReady.set(true)
  })
  worker.addEventListener('controlling', (event) => {
    if (accepted) location.reload()
    else if (event.isUpdate) {
      // Accepted in another tab. This tab stays on its own build until its user agrees.
      applyUpdate = () => location.reload()
      updateReady.set(true)
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
 * Whether a new build is waiting, and `accept`, which activates it and reloads. Drafts and the queue
 * are unaffected.
 */
export function useNewVersion(): { ready: boolean; accept: () => void } {
  return {
    ready: useSyncExternalStore(updateReady.subscribe, updateReady.get),
    accept: () => applyUpdate(),
  }
}
