// Installing the app: browsers that ask by themselves are asked to wait for whoever wants it.
import { useSyncExternalStore } from 'react'

/** Chromium's event; in no standard, and so not in TypeScript's library. */
interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/** Whether it is installed, can be at a press, or by hand: on iOS, in Safari on a Mac, or elsewhere. */
export type InstallState = 'installed' | 'offered' | 'ios' | 'mac-safari' | 'by-hand'

let offer: InstallOffer | undefined
let installed = false
const listeners = new Set<() => void>()

function notify() {
  for (const listener of listeners) listener()
}

/** Keeps the browser's offer until somebody asks for it. Called once, early: it is made only once. */
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

/** An iPad says that it is a Mac, but a Mac has no touch screen. */
export const isIos = (): boolean =>
  /iPad|iPhone/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useInstallState = (): InstallState => useSyncExternalStore(subscribe, currentState)

/** Asks the browser to install the app. Resolves to whether it was wanted in the end. */
export async function install(): Promise<boolean> {
  const prompted = offer
  // Good for one question.
  offer = undefined
  const outcome = (await prompted?.prompt())?.outcome
  installed ||= outcome === 'accepted'
  notify()
  return outcome === 'accepted'
}
