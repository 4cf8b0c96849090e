import { lazy, Suspense, type ReactNode, type SubmitEventHandler } from 'react'

const DialogSheet = lazy(async () => ({
  default: (await import('./dialog-sheet.tsx')).DialogSheet,
}))

export interface DialogProps {
  open: boolean
  /** Escape, the close button, or a press outside. Leave `open` as it is to refuse. */
  onClose: () => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Buttons, the main one last: at the right on a desk, stacked with it on top on a phone. */
  actions?: ReactNode
  /** Makes title, body and actions one form, so that Enter and a submit button send it. */
  onSubmit?: SubmitEventHandler<HTMLFormElement>
  width?: 'narrow' | 'wide'
  /** `alertdialog` for a question that interrupts. */
  role?: 'dialog' | 'alertdialog'
}

/**
 * A modal question: a card on a desk, a sheet from the bottom on a phone. The focus moves to the
 * first field, or to the dialog where it has none, stays in, and returns to where it was. The
 * machinery is fetched when the first dialog opens, so no screen pays for it before.
 */
export function Dialog(props: DialogProps) {
  if (!props.open) return null
  return (
    <Suspense fallback={null}>
      <DialogSheet {...props} />
    </Suspense>
  )
}
