import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '../../sync/react/use-sync.ts'
import { OPEN_EVENT } from './open-palette.ts'

const fetchPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await fetchPalette()).Palette }))
const ShortcutsSheet = lazy(async () => ({
  default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet,
}))

let pressKey: typeof import('../keys/press-key.ts').pressKey | undefined

/**
 * Opens the command palette by shortcut or button on every screen, and passes single keys on. Listens
 * from the start; loads the palette when it is opened or a modifier key is pressed, and what keys do at
 * the first one.
 */
export function PaletteHost() {
  const [open, setOpen] = useState(false)
  const [help, setHelp] = useState(false)
  const user_id = useSession()?.user.id
  const navigate = useNavigate()
  useRecordRecent()

  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const { key } = event
      // A modifier is pressed: start loading before the shortcut is complete.
      if (key === 'Control' || key === 'Meta') void fetchPalette().catch(() => undefined)
      if (event.altKey) return
      if (event.ctrlKey || event.metaKey) {
        if (key.toLowerCase() !== 'k' || event.shiftKey) return
        event.preventDefault()
        if (!event.repeat) setOpen((is) => !is && !isDialogOpen())
      } else if (user_id !== undefined) {
        const context = { user_id, navigate, showHelp: () => setHelp(true) }
        if (pressKey) pressKey(event, context)
        else
          void import('../keys/press-key.ts').then(
            ({ pressKey: loaded }) => (pressKey = loaded)(event, context),
            () => undefined,
          )
      }
    }
    const show = () => setOpen(true)
    window.addEventListener('keydown', handleKey)
    window.addEventListener(OPEN_EVENT, show)
    return () => {
      window.removeEventListener('keydown', handleKey)
      window.removeEventListener(OPEN_EVENT, show)
    }
  }, [user_id, navigate])

  return (
    <Suspense>
      {open && <Palette onClose={() => setOpen(false)} />}
      {help && <ShortcutsSheet onClose={() => setHelp(false)} />}
    </Suspense>
  )
}

/** An open dialog makes the page inert, and the palette would be inert with it. */
const isDialogOpen = () => document.querySelector('[role$=dialog]') !== null

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
