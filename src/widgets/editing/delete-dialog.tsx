import { toast } from '../../ui/overlay/toast.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { editingMessages as messages } from './messages.ts'

interface DeleteDialogProps {
  /** The record's title. */
  title: string
  /** What is deleted with it. */
  consequence: string
  unavailable: string | undefined
  /** Deletes the record on the server and on this device, or throws a CallError. */
  onDelete: () => Promise<void>
  /** Called after it was deleted. */
  onDeleted: () => void
  onClose: () => void
}

/** Asks before a record is deleted for all members. Needs a network. */
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
      {consequence} {messages.irreversible}
    </ConfirmDialog>
  )
}
