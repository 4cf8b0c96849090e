import { useState, type ReactNode } from 'react'
import { sync } from '../../sync/client.ts'
import type { Operation } from '../../sync/operation.ts'
import { isEditable } from '../../sync/outbox.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DiscardDialog } from './discard-dialog.tsx'
import { operationWords as words } from './words.ts'

interface WaitingOperationProps {
  operation: Operation
  /** What can be copied; empty for nothing. */
  text: string
  /** What else can be done, for those who know what the operation is about. */
  children?: ReactNode
}

/** What can be done with anything that waits: send a refused one again, copy, discard. */
export function WaitingOperation({ operation, text, children }: WaitingOperationProps) {
  const [asking, setAsking] = useState(false)
  const error = operation.last_error
  const refused = operation.state === 'attention'
  return (
    <>
      {refused && error && (
        <p className="mt-2 text-sm text-glow-ink">{words.serverSaid(serverWords(error))}</p>
      )}
      <div className="-ms-3.5 mt-2 flex flex-wrap">
        {refused && (
          <Button variant="quiet" onClick={() => void sync().outbox.resend(operation.id)}>
            {words.retry}
          </Button>
        )}
        {children}
        {text !== '' && (
          <CopyButton
            text={text}
            label={words.copy}
            done={words.copied}
            refused={words.copyFailed}
          />
        )}
        {isEditable(operation) && (
          <Button variant="quiet" onClick={() => setAsking(true)}>
            {words.discard}
          </Button>
        )}
      </div>
      {!refused && !isEditable(operation) && (
        <p className="text-sm text-ink-muted">{words.inDoubt}</p>
      )}
      <DiscardDialog operation={operation} open={asking} onClose={() => setAsking(false)} />
    </>
  )
}

/** Why the server refused, in its own words: by field where it said so. */
export const serverWords = (error: NonNullable<Operation['last_error']>): string =>
  Object.values(error.errors ?? {})
    .flat()
    .join(' ') ||
  error.message ||
  String(error.status)
