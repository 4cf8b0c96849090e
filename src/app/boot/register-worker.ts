// The service worker from the page's side: registered after the first paint, which does not need it.
import { messageSW } from 'workbox-window'
import { nextBuild, offerNextBuild } from './next-build.ts'

const UPDATE_CHECK_INTERVAL_MS = 60 * 60_000
/** While there is no worker. */
const INSTALL_INTERVAL_MS = 5 * 60_000
const TAKEOVER_INTERVAL_MS = 1_000

/**
 * Registers the worker and checks for a new build regularly. By events of the browser, as Workbox no longer
 * listens after the first update from elsewhere, and takes each worker for the first one where the page
 * began without one.
 */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  const before = await serviceWorker.getRegistration().catch(() => undefined)
  // The first worker of this address takes control of the page as well, and is no update.
  let isFirst = before?.active?.state !== 'activated'
  serviceWorker.addEventListener('controllerchange', () => {
    // Not earlier: until the new worker is in control, a reload would start the old build.
    if (nextBuild.get() === 'accepted') location.reload()
    // Accepted in another tab. This tab stays on its own build until its user agrees.
    else if (!isFirst) offerNextBuild(() => location.reload())
    isFirst = false
  })
  // What the first screen needs comes first.
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve))
  let registration: ServiceWorkerRegistration | undefined
  // Registered each time: browsers forget a registration whose first worker was not installed, and then cannot update
  // it. One that they have is returned as it is.
  const check = async () => {
    const found = await serviceWorker.register('/sw.js')
    if (found === registration) await found.update()
    else follow((registration = found))
  }
  const tryCheck = () => check().catch(() => undefined)
  const installMissing = () => {
    if (!registration?.active) void tryCheck()
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void tryCheck()
  })
  addEventListener('online', installMissing)
  setInterval(installMissing, INSTALL_INTERVAL_MS)
  setInterval(() => void tryCheck(), UPDATE_CHECK_INTERVAL_MS)
  await tryCheck()
}

/** Offers the builds that a registration finds. */
function follow(registration: ServiceWorkerRegistration): void {
  const takeOver = () => {
    if (registration.waiting) void messageSW(registration.waiting, { type: 'SKIP_WAITING' })
    // Accepted in another tab, before this one had a worker.
    else location.reload()
  }
  const offerWaiting = () => {
    // The first worker waits only for a moment.
    if (!registration.waiting || !registration.active) return
    // An even newer build replaces the accepted one while that waits.
    if (nextBuild.get() === 'accepted') return takeOver()
    offerNextBuild(() => {
      takeOver()
      // Until this page is reloaded: an old worker that the browser has started again does not know that it
      // is to be replaced, and may be waiting for the server.
      setInterval(takeOver, TAKEOVER_INTERVAL_MS)
    })
  }
  const followInstallation = () => {
    const worker = registration.installing
    const conclude = () => {
      if (worker?.state === 'redundant')
        console.warn(
          'The app could not be stored. Does a proxy change its files? See docs/deploy.md.',
        )
      offerWaiting()
    }
    worker?.addEventListener('statechange', conclude, { once: true })
  }
  registration.addEventListener('updatefound', followInstallation)
  followInstallation()
  offerWaiting()
}
