import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { sync } from '../../sync/client.ts'
import { isEditable, type Operation } from '../../sync/core/operation.ts'
import { useAllOperations } from '../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { questionBefore } from '../../data/operations/conflict-fields.ts'
import type { NameOf } from '../../data/record-id.ts'
import { textOf, titleOf } from '../../data/operations/describe-operation.ts'
import { fieldName } from '../../data/operations/field-labels.ts'
import { isOfNewerVersion, kindOf } from '../../data/operations/operation-call.ts'
import { DeletionCard } from './deletion-card.tsx'
import { ConflictCard } from './conflict-card.tsx'
import { rejectionReason, type RejectionReason } from './rejection-reasons.ts'
import { useRecordNames } from '../../data/operations/use-record-names.ts'
import { useOperationContext } from './use-operation-context.ts'
import {
  deletionMessages,
  operationMessages as messages,
  questionMessages,
} from '../../data/operations/messages.ts'

interface PendingOperationProps {
  operation: Operation
  /** An edit button, if the caller can edit the operation; shown where editing helps. */
  children?: ReactNode
}

/**
 * Why an operation is not sent yet, and the available actions: resolve the conflict, edit, retry, copy,
 * discard.
 */
export function PendingOperation({ operation, children }: PendingOperationProps) {
  const nameOf = useRecordNames()
  const context = useOperationContext(operation)
  const { state, conflict } = operation
  const isRejected = state === 'attention' && !conflict
  const reason = isRejected ? rejectionReason(operation, context) : undefined
  const recoveries = reason?.recoveries ?? []
  const text = textOf(operation, nameOf)
  const copyAndDiscard = (
    <>
      {text !== '' && (
        <CopyButton
          text={text}
          label={messages.copy}
          done={messages.copied}
          failed={messages.copyFailed}
        />
      )}
      {isEditable(operation) && (
        <Button variant="quiet" onClick={() => void discardWithUndo(operation.id)}>
          {messages.discard}
        </Button>
      )}
    </>
  )

  if (isOfNewerVersion(operation))
    return (
      <>
        <p className="mt-2 text-sm text-ink-muted">
          {state === 'attention' ? messages.decidedInNewer : messages.sentByNewer}
        </p>
        <div className="-ms-3.5 mt-2 flex flex-wrap">{copyAndDiscard}</div>
      </>
    )
  const isDeletion = kindOf(operation) === 'delete'
  if (conflict && context.is_active && isDeletion)
    return <DeletionCard key={operation.id} operation={operation} />
  if (conflict && context.is_active)
    return (
      <ConflictCard key={operation.id} operation={operation}>
        {copyAndDiscard}
      </ConflictCard>
    )
  return (
    <>
      {conflict && (
        <p className="mt-2 text-sm text-glow-ink">
          {(isDeletion ? deletionMessages : questionMessages).otherOrganisation(
            context.organisation,
          )}
        </p>
      )}
      {reason && <RejectionDetails reason={reason} />}
      {state === 'pending' && <BlockedReason operation={operation} nameOf={nameOf} />}
      <div className="-ms-3.5 mt-2 flex flex-wrap">
        {(reason ? recoveries.includes('edit') : !conflict && isEditable(operation)) && children}
        {recoveries.includes('resend') && (
          <Button variant="quiet" onClick={() => reportFailure(sync().outbox.resend(operation.id))}>
            {messages.retry}
          </Button>
        )}
        {recoveries.includes('resend-as-new') && (
          <Button
            variant="quiet"
            onClick={() => reportFailure(sync().outbox.edit(operation.id, operation.input.body))}
          >
            {messages.sendAsNew}
          </Button>
        )}
        {recoveries.includes('plans') && (
          <Link to="/settings/organisation/plans" className={buttonClass('quiet')}>
            {messages.seePlans}
          </Link>
        )}
        {copyAndDiscard}
      </div>
    </>
  )
}

const reportFailure = (change: Promise<unknown>) => {
  change.catch(() => toast(messages.failed))
}

/** Why the server rejected it: a sentence, and the errors by field if there are any. */
function RejectionDetails({ reason: { text, fields } }: { reason: RejectionReason }) {
  return (
    <div className="mt-2 text-sm text-pretty text-glow-ink">
      <p>{text}</p>
      {fields.length > 0 && (
        <ul className="mt-1">
          {fields.map(({ name, message }) => (
            <li key={name}>
              <span className="font-semibold">{name}:</span> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/**
 * Why a pending operation cannot be sent: one it depends on needs attention, a question about the same
 * field is open, or an earlier attempt had no answer.
 */
function BlockedReason(props: { operation: Operation; nameOf: NameOf }) {
  const { operation, nameOf } = props
  const operations = useAllOperations()
  const first = operations.find(
    ({ id, state }) => state === 'attention' && operation.depends_on.includes(id),
  )
  const question = questionBefore(operation, operations)
  const text = first
    ? messages.waitsFor(titleOf(first, nameOf))
    : question
      ? messages.waitsForAnswer((question.conflict?.fields ?? []).map(fieldName))
      : isEditable(operation)
        ? undefined
        : messages.inDoubt
  return text === undefined ? null : <p className="mt-2 text-sm text-ink-muted">{text}</p>
}

/** Discards an unsent operation and those that depend on it, and offers to undo that. */
async function discardWithUndo(id: string): Promise<void> {
  const { outbox } = sync()
  try {
    const discarded = await outbox.discard(id)
    if (discarded.length === 0) return toast(messages.notDiscarded)
    toast(messages.discarded(discarded.length), {
      label: messages.undo,
      onSelect: () => void outbox.restore(discarded).catch(() => toast(messages.undoFailed)),
    })
  } catch {
    toast(messages.failed)
  }
}
