import { lazy, Suspense, type ReactNode, type SubmitEvent } from 'react'

const DialogSheet = lazy(async () => ({
  default: (await import('./dialog-sheet.tsx')).DialogSheet,
}))

export interface DialogProps {
  open: boolean
  /** Called on Escape, the close button, or a press outside. Keep `open` true to prevent closing. */
  onClose: () => void
  /** Why it cannot be closed now, as while it does what it has asked for. */
  unclosable?: string | undefined
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Buttons, the main one last: on the right on larger screens, stacked with it on top on phones. */
  actions?: ReactNode
  /**
   * Wraps title, body and actions in a form, so that Enter and a submit button submit it: once until its promise
   * settles.
   */
  onSubmit?: (event: SubmitEvent<HTMLFormElement>) => unknown
  width?: 'narrow' | 'wide'
  /** `alertdialog` for a question that interrupts. */
  role?: 'dialog' | 'alertdialog'
}

/**
 * A modal dialog: a card on larger screens, a bottom sheet on phones. The focus moves to the first
 * field, or to the dialog if it has none, stays inside, and returns afterwards. The implementation is
 * loaded when the first dialog opens.
 */
export function Dialog(props: DialogProps) {
  if (!props.open) return null
  return (
    <Suspense fallback={null}>
      <DialogSheet {...props} />
    </Suspense>
  )
}
