// How high the rows of tables are: a setting of the device, like the theme.
import { useSyncExternalStore } from 'react'

/** Row heights of tables: 32 and 44 pixels. Under a coarse pointer both have 44. */
export const DENSITIES = ['compact', 'comfortable'] as const
export type Density = (typeof DENSITIES)[number]

const STORAGE_KEY = 'density'
const CHANGE_EVENT = 'densitychange'

function readDensity(): Density {
  try {
    return DENSITIES.find((one) => one === localStorage.getItem(STORAGE_KEY)) ?? 'compact'
  } catch {
    return 'compact'
  }
}

/** Stores the density and applies it in all tabs. */
export function chooseDensity(density: Density): void {
  try {
    localStorage.setItem(STORAGE_KEY, density)
  } catch {
    // Storage is blocked: the density stays.
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

/** The density of tables, also when it changes in another tab. */
export const useDensity = (): Density => useSyncExternalStore(subscribe, readDensity)
