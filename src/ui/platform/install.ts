// Installing the app. The browser's own prompt is deferred until the user asks for it.
import { useSyncExternalStore } from 'react'

/** Chromium only; missing from TypeScript's DOM library. */
interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/**
 * `offered`: by the browser's prompt. The others need manual steps: iOS, Safari on a Mac, any other
 * browser.
 */
export type InstallState = 'installed' | 'offered' | 'ios' | 'mac-safari' | 'by-hand'

let offer: InstallOffer | undefined
let installed = false
const listeners = new Set<() => void>()

function notify() {
  for (const listener of listeners) listener()
}

/** Captures the browser's install prompt. Call once, early: the event fires only once. */
export function captureInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer = event as InstallOffer
    notify()
  })
  addEventListener('appinstalled', () => {
    offer = undefined
    installed = true
    notify()
  })
}

function currentState(): InstallState {
  if (
    installed ||
    matchMedia(
      '(display-mode: standalone), (display-mode: window-controls-overlay), (display-mode: minimal-ui)',
    ).matches
  )
    return 'installed'
  if (offer) return 'offered'
  if (isIos()) return 'ios'
  const { userAgent } = navigator
  return /Macintosh.* Version\/.* Safari\//.test(userAgent) ? 'mac-safari' : 'by-hand'
}

/** iPads report a Mac platform, but Macs have no touch screen. */
export const isIos = (): boolean =>
  /iPad|iPhone/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How the app can be installed here, also when that changes. */
export const useInstallState = (): InstallState => useSyncExternalStore(subscribe, currentState)

/** Shows the browser's install prompt. Resolves to whether the user accepted. */
export async function install(): Promise<boolean> {
  const prompted = offer
  // A prompt can be used only once.
  offer = undefined
  const outcome = (await prompted?.prompt())?.outcome
  installed ||= outcome === 'accepted'
  notify()
  return outcome === 'accepted'
}
