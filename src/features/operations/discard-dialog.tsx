import { sync } from '../../sync/client.ts'
import type { Operation } from '../../sync/operation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { operationWords as words } from './words.ts'

interface DiscardDialogProps {
  operation: Operation
  open: boolean
  onClose: () => void
}

/** Asks before something is thrown away that exists nowhere else. */
export function DiscardDialog({ operation, open, onClose }: DiscardDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      title={words.discardTitle}
      actions={
        <>
          <Button onClick={onClose}>{words.keep}</Button>
          <Button variant="danger" onClick={() => void sync().outbox.discard(operation.id)}>
            {words.discard}
          </Button>
        </>
      }
    >
      <p className="text-sm text-ink-muted">{words.discardText}</p>
    </Dialog>
  )
}
