import { sync } from '../sync/client.ts'
import { useAllOperations, useSendingIds } from '../sync/react.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { signOutWords as words } from './words.ts'

interface SignOutDialogProps {
  onClose: () => void
  onSignOut: (unsent: 'keep' | 'discard') => void
}

/** Asks what becomes of what was not sent yet. What is sent meanwhile changes the question. */
export function SignOutDialog({ onClose, onSignOut }: SignOutDialogProps) {
  const waiting = useAllOperations().filter(({ state }) => state !== 'acknowledged').length
  const sending = useSendingIds().size > 0
  const done = waiting === 0
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={words.title}
      description={<output>{done ? words.allSent : words.waiting(waiting)}</output>}
      actions={
        done ? (
          <Button variant="primary" onClick={() => onSignOut('keep')}>
            {words.signOut}
          </Button>
        ) : (
          <>
            <Button variant="danger" onClick={() => onSignOut('discard')}>
              {words.discard}
            </Button>
            <Button onClick={() => onSignOut('keep')}>{words.keep}</Button>
            <Button
              variant="primary"
              busy={sending}
              data-autofocus
              onClick={() => void sync().sendNow()}
            >
              {words.sendNow}
            </Button>
          </>
        )
      }
    >
      {!done && <p className="text-sm text-ink-muted">{words.explain}</p>}
    </Dialog>
  )
}
