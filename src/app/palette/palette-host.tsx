import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '../../sync/react/use-sync.ts'
import { shortcutLetter } from '../../ui/platform/keyboard.ts'
import { ErrorBoundary } from '../shell/error-boundary.tsx'
import { OPEN_EVENT } from './open-palette.ts'

const fetchPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await fetchPalette()).Palette }))
const ShortcutsSheet = lazy(async () => ({
  default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet,
}))

declare global {
  interface Window {
    /** What was pressed before the app listened: see `boot-script.js`. Undefined once it does. */
    earlyKeys?: KeyboardEvent[] | undefined
  }
}

let pressKey: typeof import('../keys/press-key.ts').pressKey | undefined
/** One for all keys pressed before it is loaded: two imports of a module may end in another order. */
let loadingKeys: Promise<unknown> | undefined

const fetchKeys = () =>
  (loadingKeys ??= import('../keys/press-key.ts').then(
    (keys) => ({ pressKey } = keys),
    () => (loadingKeys = undefined),
  ))

/**
 * Opens the command palette by shortcut or button on every screen, and passes other keys on, also those
 * pressed before the app was there. Loads the palette when it is opened or a modifier key is pressed, and
 * what keys do at the first one. What is typed while the palette loads is in its field.
 */
export function PaletteHost() {
  const [open, setOpen] = useState(false)
  const [help, setHelp] = useState(false)
  // Undefined unless the palette was opened and may not be there yet.
  const typed = useRef<string>(undefined)
  const close = useCallback(() => {
    typed.current = undefined
    setOpen(false)
  }, [])
  const user_id = useSession()?.user.id
  const navigate = useNavigate()
  useRecordRecent()

  useEffect(() => {
    const show = () => {
      typed.current = ''
      setOpen(true)
    }
    /** Takes a key that is meant for the palette; false once that takes its keys itself. */
    const collect = (event: KeyboardEvent): boolean => {
      const { key } = event
      if (typed.current === undefined) return false
      if (document.querySelector('dialog[open]') || isDialogOpen()) {
        typed.current = undefined
        return false
      }
      if (key === 'Escape') close()
      else if (key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if (key.length === 1) typed.current += key
      else if (key !== 'Enter') return true
      event.preventDefault()
      return true
    }
    const pass = (event: KeyboardEvent) => {
      if (user_id === undefined) return
      const context = { user_id, navigate, showHelp: () => setHelp(true) }
      if (pressKey) pressKey(event, context)
      else void fetchKeys().then(() => pressKey?.(event, context))
    }
    const handleKey = (event: KeyboardEvent) => {
      const { key } = event
      // A modifier is pressed: start loading before the shortcut is complete.
      if (key === 'Control' || key === 'Meta') {
        void fetchPalette().catch(() => undefined)
        void fetchKeys()
      }
      if (event.altKey) return
      if (event.ctrlKey || event.metaKey) {
        if (shortcutLetter(event) !== 'k') return pass(event)
        if (event.shiftKey) return
        event.preventDefault()
        if (event.repeat) return
        if (open || isDialogOpen()) close()
        else show()
      } else if (!collect(event)) pass(event)
    }
    window.addEventListener('keydown', handleKey)
    window.earlyKeys?.forEach(handleKey)
    window.earlyKeys = undefined
    window.addEventListener(OPEN_EVENT, show)
    return () => {
      window.removeEventListener('keydown', handleKey)
      window.removeEventListener(OPEN_EVENT, show)
    }
  }, [open, close, user_id, navigate])

  return (
    <ErrorBoundary
      onFailed={() => {
        close()
        setHelp(false)
      }}
    >
      <Suspense>
        {open && <Palette typed={() => typed.current ?? ''} onClose={close} />}
        {help && <ShortcutsSheet onClose={() => setHelp(false)} />}
      </Suspense>
    </ErrorBoundary>
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
      // Without its code or storage the record is only missing among the recent ones.
      .catch(() => undefined)
  }, [pathname, hasOrganisation])
}
