import { Description, Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import { Button } from './button.tsx'
import type { DialogProps } from './dialog.tsx'
import { words } from './words.ts'

const WIDTHS = { narrow: 'sm:max-w-md', wide: 'sm:max-w-2xl' }

/** What stands on the screen while a dialog is open; see `dialog.tsx` for its props. */
export function DialogSheet(props: DialogProps) {
  const {
    title,
    description,
    children,
    actions,
    onSubmit,
    width = 'narrow',
    role = 'dialog',
  } = props
  const content = (
    <>
      <header className="flex items-start gap-3 ps-5 pe-3 pt-4 pb-2 sm:ps-6 sm:pe-4 sm:pt-5">
        <div className="min-w-0 grow pt-1">
          <DialogTitle className="text-lg font-semibold">{title}</DialogTitle>
          {description && (
            <Description as="div" className="mt-1 text-sm text-ink-muted">
              {description}
            </Description>
          )}
        </div>
        <Button icon variant="quiet" aria-label={words.close} onClick={props.onClose}>
          <X aria-hidden />
        </Button>
      </header>
      <div className="min-h-0 overflow-y-auto overscroll-contain px-5 pt-2 pb-5 sm:px-6">
        {children}
      </div>
      {actions && (
        <footer className="flex flex-col-reverse gap-2 border-t border-line px-5 pt-4 pb-[calc(1rem+var(--safe-bottom))] sm:flex-row sm:justify-end sm:px-6">
          {actions}
        </footer>
      )}
    </>
  )
  return (
    <Dialog open onClose={props.onClose} role={role} className="fixed inset-0 z-50">
      <DialogBackdrop className="absolute inset-0 animate-fade bg-scrim" />
      <div className="absolute inset-0 flex items-end justify-center pt-[calc(2rem+var(--safe-top))] sm:items-center sm:p-6">
        <DialogPanel
          className={`flex max-h-full w-full animate-sheet flex-col rounded-t-xl bg-raised text-ink shadow-sheet sm:animate-rise sm:rounded-xl ${WIDTHS[width]}`}
        >
          {onSubmit ? (
            <form noValidate onSubmit={onSubmit} className="flex min-h-0 flex-col">
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
