import { Description, Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type SubmitEvent } from 'react'
import { Button } from '../button.tsx'
import { holdLayout } from '../platform/use-desktop.ts'
import type { DialogProps } from './dialog.tsx'
import { uiMessages } from '../messages.ts'

/** What takes the focus at first: `data-first` where the first field is not what the dialog is for. */
const FIRST = '[data-first], input:not([type=hidden]), select, textarea'
const WIDTHS = { narrow: 'sm:max-w-md', wide: 'sm:max-w-2xl' }

/** A menu or the palette opened while this code loaded would stay above the dialog, and be inert. */
function closeWhatCovers() {
  for (const menu of document.querySelectorAll<HTMLElement>(':popover-open')) menu.hidePopover()
  for (const palette of document.querySelectorAll('dialog[open]'))
    palette.dispatchEvent(new Event('cancel', { cancelable: true }))
}

/** The open dialog; see `dialog.tsx` for its props. */
export function DialogSheet(props: DialogProps) {
  const {
    title,
    description,
    children,
    actions,
    onSubmit,
    width = 'narrow',
    role = 'dialog',
    unclosable,
  } = props
  const close = () => unclosable === undefined && props.onClose()
  const firstField = useRef<HTMLElement>(null)
  // Headless UI makes the page inert only when the dialog opens after mounting; mounted open, it would
  // leave the page reachable.
  const [open, setOpen] = useState(false)
  useLayoutEffect(() => {
    closeWhatCovers()
    // oxlint-disable-next-line react/set-state-in-effect
    setOpen(true)
  }, [])
  // The palette may have appeared in the commit that mounted this, after its first effect.
  useLayoutEffect(() => {
    if (open) closeWhatCovers()
  }, [open])
  useEffect(holdLayout, [])
  // Headless UI remembers the focused element only since its own chunk loaded, which may be too late.
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) queueMicrotask(() => opener.focus())
    },
    [opener],
  )

  const isSubmitting = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const [submits, setSubmits] = useState(0)
  // An error at a field is read out, and scrolled to, only with the focus. A summary of errors takes it itself.
  useEffect(() => {
    if (submits > 0 && !document.activeElement?.matches('[role=alert]'))
      form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [submits])

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // React's events bubble to what renders the dialog, which may be a form of its own.
    event.stopPropagation()
    if (isSubmitting.current) return
    isSubmitting.current = true
    try {
      await onSubmit?.(event)
    } finally {
      isSubmitting.current = false
      setSubmits((many) => many + 1)
    }
  }

  const content = (
    <>
      <header className="ps-5 pe-16 pt-5 pb-2 sm:ps-6 sm:pt-6">
        <DialogTitle className="text-lg font-semibold">{title}</DialogTitle>
        {description && (
          <Description as="div" className="mt-1 text-sm text-ink-muted">
            {description}
          </Description>
        )}
      </header>
      <div className="min-h-0 overflow-y-auto overscroll-contain short:overflow-visible px-5 pt-2 pb-5 sm:px-6">
        {children}
      </div>
      {actions && (
        <footer className="flex flex-col-reverse gap-2 border-t border-line px-5 pt-4 pb-[calc(1rem+var(--safe-bottom))] sm:flex-row sm:justify-end sm:px-6">
          {actions}
        </footer>
      )}
      {/* Last in the tab order, because the content matters more. */}
      <Button
        icon
        variant="quiet"
        aria-label={uiMessages.close}
        unavailable={unclosable}
        onClick={close}
        className="absolute! end-3 top-3 sm:end-4 sm:top-5"
      >
        <X aria-hidden />
      </Button>
    </>
  )
  return (
    <Dialog
      open={open}
      onClose={close}
      role={role}
      initialFocus={firstField}
      className="fixed inset-0 z-50"
    >
      <DialogBackdrop className="absolute inset-0 animate-fade bg-scrim" />
      <div className="absolute inset-0 flex items-end justify-center pt-[calc(2rem+var(--safe-top))] sm:items-center sm:p-6">
        <DialogPanel
          ref={(panel) => {
            firstField.current = panel?.querySelector<HTMLElement>(FIRST) ?? null
          }}
          // On a low screen all of it scrolls: title and buttons leave no room for the fields.
          className={`relative flex max-h-full w-full short:block short:overflow-y-auto animate-sheet flex-col rounded-t-xl bg-raised text-ink shadow-sheet sm:animate-rise sm:rounded-xl ${WIDTHS[width]}`}
        >
          {onSubmit ? (
            <form
              ref={form}
              noValidate
              onSubmit={(event) => void submit(event)}
              className="flex min-h-0 flex-col"
            >
              {content}
            </form>
          ) : (
            content
          )}
        </DialogPanel>
      </div>
    </Dialog>
  )
}
