import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../../sync/react/use-sync.ts'
import { OPEN_EVENT } from './open-palette.ts'

const fetchPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await fetchPalette()).Palette }))
const fetchShortcuts = () => import('./shortcuts-sheet.tsx')
const ShortcutsSheet = lazy(async () => ({ default: (await fetchShortcuts()).ShortcutsSheet }))

/**
 * Opens and closes the command palette by its key or its button, on every screen, and the list of all
 * keys by `?`. It listens from the beginning, and fetches the palette when that is asked for, or seems
 * about to be.
 */
export function PaletteHost() {
  const [open, setOpen] = useState(false)
  const [help, setHelp] = useState(false)
  useRecordRecent()

  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      // Half of the shortcut is pressed: the file is there before the other half is.
      if (event.key === 'Control' || event.key === 'Meta')
        void fetchPalette().catch(() => undefined)
      if (event.key === '?' && !isWriting(event.target))
        void fetchShortcuts().then(
          ({ isHelpKeyOn }) => setHelp(isHelpKeyOn),
          () => undefined,
        )
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.shiftKey || event.altKey) return
      event.preventDefault()
      if (!event.repeat) setOpen((is) => !is)
    }
    const show = () => setOpen(true)
    window.addEventListener('keydown', handleKey)
    window.addEventListener(OPEN_EVENT, show)
    return () => {
      window.removeEventListener('keydown', handleKey)
      window.removeEventListener(OPEN_EVENT, show)
    }
  }, [])

  return (
    <Suspense>
      {open && <Palette onClose={() => setOpen(false)} />}
      {help && <ShortcutsSheet onClose={() => setHelp(false)} />}
    </Suspense>
  )
}

const isWriting = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [role$=dialog]') !== null

/** Notes which record is looked at. Its code is of no use before. */
function useRecordRecent() {
  const { pathname } = useLocation()
  const session = useSession()
  const isHere = session?.active_organisation != null
  useEffect(() => {
    if (!isHere || !/^\/(success-plans|accounts)\/./.test(pathname)) return
    void import('./recent-records.ts')
      .then(async ({ addRecent, recordAt }) => {
        const record = recordAt(pathname)
        if (record) await addRecent(record)
      })
      .catch(() => undefined)
  }, [pathname, isHere])
}
