// The chosen theme. `boot-script.js` applies it, before the first paint and on changes.
import { useSyncExternalStore } from 'react'

/** The theme settings; `auto` follows the system. */
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

/** Stores the theme and applies it in all tabs. */
export function chooseTheme(theme: Theme) {
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage is blocked: the system's theme stays.
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

/** The theme setting, also when it changes in another tab. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme)

/** Switches between light and dark, starting from what is shown now, including the system's choice. */
export const switchTheme = (): void =>
  chooseTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')
