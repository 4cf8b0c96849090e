import { toast } from '../../ui/overlay/toast.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { editingMessages as messages } from './messages.ts'

interface DeleteDialogProps {
  /** What the record is called. */
  title: string
  /** What goes with it. */
  consequence: string
  unavailable: string | undefined
  /** Deletes it on the server and here, or throws a CallError. */
  onDelete: () => Promise<void>
  /** It is gone. */
  onDeleted: () => void
  onClose: () => void
}

/** Asks before a record is deleted for everybody, and deletes it at once: this needs a network. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, consequence, unavailable, onDelete, onDeleted, onClose } = props

  async function confirm() {
    await onDelete()
    toast(messages.deleted(title))
    onDeleted()
  }

  return (
    <ConfirmDialog
      title={messages.deleteTitle(title)}
      action={messages.delete}
      cancelLabel={messages.keep}
      unavailable={unavailable}
      unreachable={messages.deleteUnreachable}
      onConfirm={confirm}
      onClose={onClose}
    >
      {consequence} {messages.deleteForGood}
    </ConfirmDialog>
  )
}
