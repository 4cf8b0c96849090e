import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { sync } from '../../sync/client.ts'
import type { Operation } from '../../sync/operation.ts'
import { isEditable } from '../../sync/outbox.ts'
import { useAllOperations } from '../../sync/react.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { toast } from '../../ui/toast.tsx'
import { textOf, titleOf } from './describe-operation.ts'
import { discardWithUndo } from './discard.ts'
import { QuestionCard } from './question-card.tsx'
import { reasonOf, type Reason } from './reasons.ts'
import { useRecordNames } from './use-record-names.ts'
import { useSituation } from './use-situation.ts'
import { operationWords as words, questionWords } from './waiting-words.ts'

interface WaitingOperationProps {
  operation: Operation
  /** What edits it, for those who know what it is about; shown where editing leads on. */
  children?: ReactNode
}

/**
 * What stands in the way of anything that waits, and the ways on: answer the question, edit, send
 * again, copy, discard.
 */
export function WaitingOperation({ operation, children }: WaitingOperationProps) {
  const nameOf = useRecordNames()
  const situation = useSituation(operation)
  const { state, conflict } = operation
  const refused = state === 'attention' && !conflict
  const reason = refused ? reasonOf(operation, situation) : undefined
  const ways = reason?.ways ?? []
  const text = textOf(operation, nameOf)
  const copyAndDiscard = (
    <>
      {text !== '' && (
        <CopyButton text={text} label={words.copy} done={words.copied} refused={words.copyFailed} />
      )}
      {isEditable(operation) && (
        <Button variant="quiet" onClick={() => void discardWithUndo(operation.id)}>
          {words.discard}
        </Button>
      )}
    </>
  )

  if (conflict && situation.is_here)
    return (
      <QuestionCard key={operation.id} operation={operation}>
        {copyAndDiscard}
      </QuestionCard>
    )
  return (
    <>
      {conflict && (
        <p className="mt-2 text-sm text-glow-ink">
          {questionWords.elsewhere(situation.organisation)}
        </p>
      )}
      {reason && <Why reason={reason} />}
      {state === 'pending' && <Hindrance operation={operation} nameOf={nameOf} />}
      <div className="-ms-3.5 mt-2 flex flex-wrap">
        {(reason ? ways.includes('edit') : !conflict && isEditable(operation)) && children}
        {ways.includes('resend') && (
          <Button variant="quiet" onClick={() => trying(sync().outbox.resend(operation.id))}>
            {words.retry}
          </Button>
        )}
        {ways.includes('anew') && (
          <Button
            variant="quiet"
            onClick={() => trying(sync().outbox.edit(operation.id, operation.input.body))}
          >
            {words.anew}
          </Button>
        )}
        {ways.includes('plans') && (
          <Link to="/settings/organisation/plans" className={buttonClass('quiet')}>
            {words.seePlans}
          </Link>
        )}
        {copyAndDiscard}
      </div>
    </>
  )
}

const trying = (change: Promise<unknown>) => {
  change.catch(() => toast(words.failed))
}

/** Why the server refused: in a sentence, and by field where it said so. */
function Why({ reason: { text, fields } }: { reason: Reason }) {
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

/** Why something that is to be sent cannot be: what it depends on needs somebody, or it is in doubt. */
function Hindrance(props: { operation: Operation; nameOf: (id: string) => string | undefined }) {
  const { operation, nameOf } = props
  const first = useAllOperations().find(
    ({ id, state }) => state === 'attention' && operation.depends_on.includes(id),
  )
  const text = first
    ? words.waitsFor(titleOf(first, nameOf))
    : isEditable(operation)
      ? undefined
      : words.inDoubt
  return text === undefined ? null : <p className="mt-2 text-sm text-ink-muted">{text}</p>
}
