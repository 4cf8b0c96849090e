// The theme that was chosen. `first-paint.js` applies it, before the first paint and afterwards.
import { useSyncExternalStore } from 'react'

export const THEMES = ['light', 'dark', 'auto'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'theme'
const CHANGED = 'themechange'

function stored(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto'
  } catch {
    return 'auto'
  }
}

/** Remembers the theme and applies it, here and in the other tabs. */
export function chooseTheme(theme: Theme) {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Storage is forbidden here: the system's theme stays.
  }
  window.dispatchEvent(new Event(CHANGED))
}

function subscribe(listener: () => void) {
  window.addEventListener(CHANGED, listener)
  window.addEventListener('storage', listener)
  return () => {
    window.removeEventListener(CHANGED, listener)
    window.removeEventListener('storage', listener)
  }
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, stored)

/** From light to dark and back, whatever is on the screen now, the system's choice included. */
export const switchTheme = (): void =>
  chooseTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')
