// The service worker as the page sees it: registered after the first paint, and a new build that
// waits until the user wants it.
import { useSyncExternalStore } from 'react'
import { Observable } from '../sync/observable.ts'

const LOOK_EVERY = 60 * 60_000

const ready = new Observable(false)
let accept: () => void = () => undefined

/** Registers the worker, and looks for a new build now and then. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  // After the first paint, which does not need it.
  const { Workbox } = await import('workbox-window')
  const worker = new Workbox('/sw.js')
  let accepted = false
  worker.addEventListener('waiting', () => {
    accept = () => {
      accepted = true
      worker.messageSkipWaiting()
    }
    ready.set(true)
  })
  worker.addEventListener('controlling', (event) => {
    if (accepted) location.reload()
    else if (event.isUpdate) {
      // Accepted in another tab. This one goes on with its own build until its user agrees.
      accept = () => location.reload()
      ready.set(true)
    }
  })
  const registration = await worker.register().catch(() => undefined)
  if (!registration) return
  const look = () => void registration.update().catch(() => undefined)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look()
  })
  setInterval(look, LOOK_EVERY)
}

/** Whether a new build is there, and how to change to it: the page reloads, drafts and queue stay. */
export function useNewVersion(): { ready: boolean; accept: () => void } {
  return {
    ready: useSyncExternalStore(ready.subscribe, ready.get),
    accept: () => accept(),
  }
}
