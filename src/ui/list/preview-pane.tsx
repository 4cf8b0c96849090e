import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
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
  const leave = () => {
    onClose()
    focusRow(id)
  }
  // A key that has closed a menu or ended a drag in the pane does not close the pane as well. React events of dialogs
  // rendered by the pane bubble here too, although the dialogs are elsewhere in the document.
  function closeOnEscape(event: KeyboardEvent<HTMLElement>) {
    const { key, target, currentTarget, nativeEvent } = event
    if (key !== 'Escape' || event.defaultPrevented || nativeEvent.isComposing) return
    if (!(target instanceof Element) || !currentTarget.contains(target)) return
    // The browser closes an open popover on Escape.
    if (target.closest('[popover]')) return
    event.preventDefault()
    leave()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      aria-label={label}
      onKeyDown={closeOnEscape}
      className="sticky top-[calc(4.5rem+var(--safe-top))] max-h-[calc(100dvh-5.5rem-var(--safe-top))] overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised px-5 pt-3 pb-6"
    >
      <div className="flex items-center gap-1">
        {controls}
        <Button icon variant="quiet" aria-label={messages.closePreview} onClick={leave}>
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
