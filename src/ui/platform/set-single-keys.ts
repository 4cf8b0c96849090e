import { OFF, STORE_PREFIX } from './single-keys.ts'

/** Turns the shortcuts of single keys on or off for the user. Apart, as no start needs it. */
export function setSingleKeys(user_id: string, on: boolean): void {
  try {
    localStorage.setItem(STORE_PREFIX + user_id, on ? 'on' : OFF)
  } catch {
    // Storage is blocked: they stay on.
  }
}
