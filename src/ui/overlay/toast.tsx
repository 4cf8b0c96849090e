import { X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../button.tsx'
import { uiMessages } from '../messages.ts'

interface Toast {
  id: number
  text: string
  /** An undo, unless it `opens` something. */
  action?: { label: string; onSelect: () => void; opens?: true }
}

/** Of those without an action. */
const MAX_TOASTS = 3
const TIME_TO_READ_MS = 6_000
const TIME_TO_ACT_MS = 8_000
/** What presses an undo from anywhere (`press-key.ts`): the toasts are behind everything that takes the focus. */
const UNDO_KEY = { 'data-key': 'z', 'aria-keyshortcuts': 'Control+Z Meta+Z' }

let toasts: readonly Toast[] = []
let next = 1
const listeners = new Set<() => void>()

function show(all: readonly Toast[]) {
  toasts = all
  for (const listener of listeners) listener()
}

function dismiss(id: number) {
  show(toasts.filter((toast) => toast.id !== id))
}

/**
 * Shows one sentence at the bottom right for 6 s, or 8 s with an action such as Undo; elsewhere if it
 * would lie on a control there. It stays while it has the focus, and with an action while it has the
 * pointer; without an action the pointer reaches the controls beneath it, and a new toast replaces one
 * with the same sentence. For anything that must not be missed, use a Notice.
 */
export function toast(text: string, action?: Toast['action']) {
  const others = toasts.filter((one) => one.action || one.text !== text)
  const all = [...others, { id: next++, text, ...(action && { action }) }]
  // An undo is not dropped before its time.
  show(all.filter((one, at) => one.action || at >= all.length - MAX_TOASTS))
}

/** Takes away what is said no longer: all toasts with this text. */
export function dismissToasts(text: string) {
  show(toasts.filter((toast) => toast.text !== text))
}

/** Takes away what can be undone: another user is there. */
export function dismissActions() {
  show(toasts.filter(({ action }) => !action))
}

/**
 * Shows the toasts; mount it once at start-up, or the first toast is not announced. It is rendered into
 * the body, so that an open dialog does not make it inert. Until the code that finds a free place has
 * loaded the first toast is announced, but neither seen nor in the way.
 */
export function Toaster() {
  const all = useSyncExternalStore(subscribe, () => toasts)
  const section = useRef<HTMLElement>(null)
  const [isPlaced, setIsPlaced] = useState(false)
  useLayoutEffect(() => {
    const shown = section.current
    if (!shown || all.length === 0) return undefined
    const ended = new AbortController()
    // Without its code the toasts stay where they are.
    void import('./free-place.ts')
      .then(({ keepFree }) => keepFree(shown, ended.signal))
      .catch(() => undefined)
      .finally(() => setIsPlaced(true))
    return () => ended.abort()
  }, [all])
  return createPortal(
    <section
      ref={section}
      aria-label={uiMessages.notifications}
      aria-live="polite"
      className={`pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--safe-bottom))] z-60 flex flex-col items-end gap-2 sm:start-auto print:hidden ${isPlaced ? '' : 'opacity-0 **:pointer-events-none'}`}
    >
      {all.map((toast) => (
        <Card key={toast.id} toast={toast} />
      ))}
    </section>,
    document.body,
  )
}

function Card({ toast }: { toast: Toast }) {
  const { id, text, action } = toast
  const [isHeld, setIsHeld] = useState(false)
  // A press on a button of the open panel does not close the panel: what it undoes is shown there.
  const [popoverTarget] = useState(() =>
    document.querySelector('[popovertarget][aria-expanded=true]')?.getAttribute('popovertarget'),
  )
  const ofPanel = popoverTarget ? { popoverTarget } : {}
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => dismiss(id), action ? TIME_TO_ACT_MS : TIME_TO_READ_MS)
    return () => clearTimeout(timer)
  }, [isHeld, id, action])

  return (
    <div
      onPointerEnter={() => action && setIsHeld(true)}
      onPointerLeave={() => action && setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={`${action ? 'pointer-events-auto' : ''} flex max-w-full animate-rise items-center gap-1 rounded-lg border border-transparent bg-ink py-1.5 ps-4 pe-1.5 text-sm text-surface shadow-float sm:max-w-96`}
    >
      <p className="min-w-0 grow py-1 pe-2">{text}</p>
      {action && (
        <Button
          variant="quiet"
          {...(!action.opens && UNDO_KEY)}
          className="text-surface underline underline-offset-4"
          {...ofPanel}
          onClick={(event) => {
            event.preventDefault()
            dismiss(id)
            action.onSelect()
          }}
        >
          {action.label}
        </Button>
      )}
      <Button
        icon
        variant="quiet"
        className="pointer-events-auto text-surface"
        aria-label={uiMessages.dismiss}
        {...ofPanel}
        onClick={(event) => {
          event.preventDefault()
          dismiss(id)
        }}
      >
        <X aria-hidden />
      </Button>
    </div>
  )
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
