// Consent to analytics on this device, stored in a cookie. No cookie means no choice yet.
import { useSyncExternalStore } from 'react'
import { readCookie, writeCookie } from '../boot/cookie.ts'

const COOKIE_NAME = 'analytics_consent'
const COOKIE_DAYS = 180

export type Consent = 'yes' | 'no'

/** Used where cookies are blocked, until the page is closed. */
let choiceInMemory: Consent | undefined
const listeners = new Set<() => void>()

/** The choice on this device; undefined if none was made, or it expired after half a year. */
export function consent(): Consent | undefined {
  const stored = readCookie(COOKIE_NAME)
  return stored === 'yes' || stored === 'no' ? stored : choiceInMemory
}

/** Stores the choice on this device for half a year. */
export function chooseConsent(choice: Consent): void {
  choiceInMemory = choice
  writeCookie(COOKIE_NAME, choice, COOKIE_DAYS)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  // The choice may have been made in another tab.
  document.addEventListener('visibilitychange', listener)
  return () => {
    listeners.delete(listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

/** The choice on this device, also when it changes; undefined before one was made. */
export const useConsent = (): Consent | undefined => useSyncExternalStore(subscribe, consent)
