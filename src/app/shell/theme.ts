// The theme that was chosen. `first-paint.js` applies it, before the first paint and afterwards.
import { useSyncExternalStore } from 'react'

export const THEMES = ['light', 'dark', 'auto'] as const
export type Theme = (typeof THEMES)[number]

const STORAGE_KEY = 'theme'
const CHANGE_EVENT = 'themechange'

function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(STORAGE_KEY)) ?? 'auto'
  } catch {
    return 'auto'
  }
}

/** Remembers the theme and applies it, here and in the other tabs. */
export function chooseTheme(theme: Theme) {
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage is forbidden here: the system's theme stays.
  }
  window.dispatchEvent(new Event(CHANGE_EVENT))
}

function subscribe(listener: () => void) {
  window.addEventListener(CHANGE_EVENT, listener)
  window.addEventListener('storage', listener)
  return () => {
    window.removeEventListener(CHANGE_EVENT, listener)
    window.removeEventListener('storage', listener)
  }
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme)

/** From light to dark and back, whatever is on the screen now, the system's choice included. */
export const switchTheme = (): void =>
  chooseTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')
