import { X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Button } from '../button.tsx'
import { listMessages as messages } from './messages.ts'

interface PreviewPaneProps {
  /** The id of the row whose record is shown. */
  id: string
  label: string
  /** Controls of the record, beside the button that closes the pane. */
  controls: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A record beside the table that it is in. Escape closes it, and its row has the focus again. */
export function PreviewPane({ id, label, controls, onClose, children }: PreviewPaneProps) {
  const pane = useRef<HTMLElement>(null)

  useEffect(() => {
    const element = pane.current
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      onClose()
      focusRow(id)
    }
    element?.addEventListener('keydown', closeOnEscape)
    return () => element?.removeEventListener('keydown', closeOnEscape)
  }, [id, onClose])

  return (
    <aside
      ref={pane}
      aria-label={label}
      className="sticky top-[calc(4.5rem+var(--safe-top))] max-h-[calc(100dvh-5.5rem-var(--safe-top))] overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised px-5 pt-3 pb-6"
    >
      <div className="flex items-center gap-1">
        {controls}
        <Button
          icon
          variant="quiet"
          aria-label={messages.closePreview}
          onClick={() => {
            onClose()
            focusRow(id)
          }}
        >
          <X aria-hidden />
        </Button>
      </div>
      {children}
    </aside>
  )
}

/** Gives the focus back to the row's link. */
const focusRow = (id: string) =>
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] a`)?.focus()
