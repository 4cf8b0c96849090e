import { useSyncExternalStore } from 'react'

/** Whether a media query matches, also when that changes. */
export function mediaHook(media: string): () => boolean {
  function subscribe(changed: () => void) {
    const query = matchMedia(media)
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(subscribe, () => matchMedia(media).matches)
}

/** Whether the window is wide enough for layouts that a phone does not have. */
export const useDesktop = mediaHook('(min-width: 48rem)')

/** The window less its margins has 640 pixels, so that a list can be a table. */
const TABLE_ROOM = '(min-width: 43rem)'

/** Whether a list can be a table. */
export const hasTableRoom = (): boolean => matchMedia(TABLE_ROOM).matches

/** The same, also when it changes. */
export const useTableRoom = mediaHook(TABLE_ROOM)

/** Whether a record can be shown beside its list. */
export const usePaneRoom = mediaHook('(min-width: 80rem)')

/** Whether what belongs to a record can stand side by side, without tabs. */
export const useColumnsRoom = mediaHook('(min-width: 90rem)')
