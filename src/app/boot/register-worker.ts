// The service worker from the page's side: registered after the first paint, which does not need it.
import { Workbox } from 'workbox-window'
import { nextBuild, offerNextBuild } from './next-build.ts'

const UPDATE_CHECK_INTERVAL_MS = 60 * 60_000
const TAKEOVER_INTERVAL_MS = 1_000

/** Registers the worker and checks for a new build regularly. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const worker = new Workbox('/sw.js')
  worker.addEventListener('waiting', () => {
    // An even newer build replaces the accepted one while that waits.
    if (nextBuild.get() === 'accepted') return worker.messageSkipWaiting()
    return offerNextBuild(() => {
      worker.messageSkipWaiting()
      // Until this page is reloaded: an old worker that the browser has started again does not know that it
      // is to be replaced, and may be waiting for the server.
      setInterval(() => worker.messageSkipWaiting(), TAKEOVER_INTERVAL_MS)
    })
  })
  worker.addEventListener('controlling', (event) => {
    // Not earlier: until the new worker is in control, a reload would start the old build.
    if (nextBuild.get() === 'accepted') location.reload()
    // Accepted in another tab. This tab stays on its own build until its user agrees.
    else if (event.isUpdate) offerNextBuild(() => location.reload())
  })
  const registration = await worker.register().catch(() => undefined)
  if (!registration) return
  const checkForUpdate = () => void registration.update().catch(() => undefined)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkForUpdate()
  })
  setInterval(checkForUpdate, UPDATE_CHECK_INTERVAL_MS)
}
