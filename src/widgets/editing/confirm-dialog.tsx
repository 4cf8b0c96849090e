import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { errorMessage } from './error-message.ts'
import { editingMessages as messages } from './messages.ts'

interface ConfirmDialogProps {
  title: string
  /** The consequences. */
  children: ReactNode
  /** Labels of the confirming and the cancelling button. */
  action: string
  cancelLabel?: string
  /** Why it cannot be done now. */
  unavailable?: string | undefined
  /** Error message if the server did not answer. */
  unreachable?: string
  /** Performs the action on the server, or throws a CallError. */
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Asks before an action whose consequences cannot be undone, or not for long. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    children,
    action,
    cancelLabel = messages.cancel,
    unavailable,
    onConfirm,
    onClose,
  } = props
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const unclosable = busy ? messages.inProgress : undefined

  async function confirm() {
    setBusy(true)
    setFailure(undefined)
    try {
      await onConfirm()
    } catch (problem) {
      setFailure(errorMessage(problem, props.unreachable))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      unclosable={unclosable}
      role="alertdialog"
      title={title}
      actions={
        <>
          <Button unavailable={unclosable} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button
            variant="danger"
            busy={busy}
            unavailable={unavailable}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="text-sm text-pretty text-ink-muted">{children}</div>
      {failure && (
        <div className="mt-4">
          <Notice tone="danger">{failure}</Notice>
        </div>
      )}
    </Dialog>
  )
}
