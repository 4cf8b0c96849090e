// Whether this device may be counted. A cookie holds the choice; without one nobody has chosen.
import { useSyncExternalStore } from 'react'
import { readCookie, writeCookie } from '../boot/cookie.ts'

const COOKIE_NAME = 'analytics_consent'
const COOKIE_DAYS = 180

export type Consent = 'yes' | 'no'

/** Where cookies are refused, a choice holds until the page is left. */
let choiceInMemory: Consent | undefined
const listeners = new Set<() => void>()

/** What was chosen on this device; undefined while nobody was asked, or half a year later. */
export function consent(): Consent | undefined {
  const stored = readCookie(COOKIE_NAME)
  return stored === 'yes' || stored === 'no' ? stored : choiceInMemory
}

export function chooseConsent(choice: Consent): void {
  choiceInMemory = choice
  writeCookie(COOKIE_NAME, choice, COOKIE_DAYS)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  // Another tab may have been asked meanwhile.
  document.addEventListener('visibilitychange', listener)
  return () => {
    listeners.delete(listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

export const useConsent = (): Consent | undefined => useSyncExternalStore(subscribe, consent)
