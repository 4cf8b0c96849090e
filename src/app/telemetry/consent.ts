// Whether this device may be counted. A cookie holds the choice; without one nobody has chosen.
import { useSyncExternalStore } from 'react'
import { readCookie, writeCookie } from '../cookie.ts'

const COOKIE = 'analytics_consent'
const DAYS = 180

export type Consent = 'yes' | 'no'

/** Where cookies are refused, a choice holds until the page is left. */
let said: Consent | undefined
const listeners = new Set<() => void>()

/** What was chosen on this device; undefined while nobody was asked, or half a year later. */
export function consent(): Consent | undefined {
  const kept = readCookie(COOKIE)
  return kept === 'yes' || kept === 'no' ? kept : said
}

export function chooseConsent(choice: Consent): void {
  said = choice
  writeCookie(COOKIE, choice, DAYS)
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
