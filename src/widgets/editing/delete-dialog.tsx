import { ConfirmDialog } from './confirm-dialog.tsx'
import { deleteMessages } from './delete-messages.ts'
import { deleteRecord, type Deletable } from './delete-record.ts'
import { editingMessages } from './messages.ts'

interface DeleteDialogProps {
  record: Deletable
  /** What is deleted with it. */
  consequence: string
  unavailable: string | undefined
  /** Called when the deletion is durable on this device. */
  onDeleted: () => void
  onClose: () => void
}

/** Asks before a record is deleted with what belongs to it. Works offline. */
export function DeleteDialog({ record, consequence, ...props }: DeleteDialogProps) {
  const { unavailable, onDeleted, onClose } = props
  return (
    <ConfirmDialog
      title={deleteMessages.title(record.title)}
      action={editingMessages.delete}
      cancelLabel={editingMessages.cancel}
      unavailable={unavailable}
      onConfirm={() => deleteRecord(record).then(onDeleted)}
      onClose={onClose}
    >
      {consequence} {deleteMessages.undoable}
    </ConfirmDialog>
  )
}
