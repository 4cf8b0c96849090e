import { useNavigate } from 'react-router'
import { useAllOperations, useConnection, useSendingIds } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { signOutMessages as messages } from './panel-messages.ts'
import { sendNow } from './send-now.ts'
import { signOut } from './sign-out.ts'

/** Asks what to do with unsent operations before signing out. Updates as they are sent. */
export function SignOutDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const pending = useAllOperations().filter(({ state }) => state !== 'acknowledged')
  const rejectedCount = pending.filter(({ state }) => state === 'attention').length
  const sending = useSendingIds().size > 0
  const offline = useConnection() === 'offline'
  const done = pending.length === 0
  // Retrying does not help operations that need attention.
  const sendable = rejectedCount < pending.length
  const leave = (unsent: 'keep' | 'discard') => {
    onClose()
    void signOut(navigate, unsent)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={messages.title}
      description={<output>{done ? messages.allSent : messages.waiting(pending.length)}</output>}
      actions={
        done ? (
          <Button variant="primary" onClick={() => leave('keep')}>
            {messages.signOut}
          </Button>
        ) : (
          <>
            {/* It cannot be undone. Filled like a main action, it would be pressed by mistake. */}
            <Button onClick={() => leave('discard')}>
              <span className="text-danger-ink">{messages.discard}</span>
            </Button>
            <Button
              variant={sendable && !offline ? 'secondary' : 'primary'}
              onClick={() => leave('keep')}
            >
              {messages.keep}
            </Button>
            {sendable && (
              <Button
                variant="primary"
                busy={sending}
                unavailable={offline ? messages.offline : undefined}
                onClick={() => void sendNow()}
              >
                {messages.sendNow}
              </Button>
            )}
          </>
        )
      }
    >
      {!done && (
        <div className="flex flex-col gap-2 text-sm text-pretty text-ink-muted">
          {rejectedCount > 0 && <p className="text-glow-ink">{messages.rejected(rejectedCount)}</p>}
          <p>{messages.explain}</p>
        </div>
      )}
    </Dialog>
  )
}
