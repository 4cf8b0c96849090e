import { useSyncExternalStore } from 'react'

/** Minimum width of layouts for larger screens. */
const DESKTOP_QUERY = '(min-width: 48rem)'

function subscribe(changed: () => void) {
  const query = matchMedia(DESKTOP_QUERY)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Whether the window is wide enough for layouts that a phone does not have. */
export const useDesktop = (): boolean =>
  useSyncExternalStore(subscribe, () => matchMedia(DESKTOP_QUERY).matches)
