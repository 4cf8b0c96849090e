import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../../sync/react/use-sync.ts'
import { OPEN_EVENT } from './open-palette.ts'

const fetchPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await fetchPalette()).Palette }))
const fetchShortcuts = () => import('./shortcuts-sheet.tsx')
const ShortcutsSheet = lazy(async () => ({ default: (await fetchShortcuts()).ShortcutsSheet }))

/**
 * Opens the command palette by shortcut or button on every screen, and the list of shortcuts by `?`.
 * Listens from the start, and loads the palette when it is opened or a modifier key is pressed.
 */
export function PaletteHost() {
  const [open, setOpen] = useState(false)
  const [help, setHelp] = useState(false)
  useRecordRecent()

  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      // A modifier is pressed: start loading before the shortcut is complete.
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
      if (!event.repeat) setOpen((is) => !is && !isDialogOpen())
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

/** An open dialog makes the page inert, and the palette would be inert with it. */
const isDialogOpen = () => document.querySelector('[role$=dialog]') !== null

const isWriting = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [role$=dialog]') !== null

/** Records the visited record. The code is loaded only when a record is opened. */
function useRecordRecent() {
  const { pathname } = useLocation()
  const session = useSession()
  const hasOrganisation = session?.active_organisation != null
  useEffect(() => {
    if (!hasOrganisation || !/^\/(success-plans|accounts)\/./.test(pathname)) return
    void import('./recent-records.ts')
      .then(async ({ addRecent, recordAt }) => {
        const record = recordAt(pathname)
        if (record) await addRecent(record)
      })
      .catch(() => undefined)
  }, [pathname, hasOrganisation])
}
