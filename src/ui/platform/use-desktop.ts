import { useSyncExternalStore } from 'react'

let openDialogs = 0
const layouts = new Set<() => void>()

/**
 * Layouts stay as they are until the returned function is called: another one would close a dialog that is open in it,
 * with what was typed there.
 */
export function holdLayout(): () => void {
  openDialogs++
  return () => {
    openDialogs--
    for (const changed of layouts) changed()
  }
}

/** Whether a media query matches, also when that changes; while a dialog is open, whether it did before. */
export function mediaHook(media: string): () => boolean {
  let shown: boolean | undefined
  let users = 0
  function subscribe(changed: () => void) {
    const query = matchMedia(media)
    query.addEventListener('change', changed)
    layouts.add(changed)
    users++
    return () => {
      query.removeEventListener('change', changed)
      layouts.delete(changed)
      users--
    }
  }
  const read = () => {
    if (openDialogs === 0 || users === 0) shown = undefined
    return (shown ??= matchMedia(media).matches)
  }
  return () => useSyncExternalStore(subscribe, read)
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

/** Whether the window has room for all parts of a record side by side, without tabs. */
export const useColumnsRoom = mediaHook('(min-width: 90rem)')
