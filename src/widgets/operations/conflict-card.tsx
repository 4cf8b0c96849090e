import { useState, type ReactNode, type SubmitEvent } from 'react'
import { sync } from '../../sync/client.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { useAllOperations } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { fieldName, fieldValue } from '../../data/operations/field-labels.ts'
import {
  conflictFields,
  hasNote,
  resolvedFields,
  waitingFor,
  type ConflictField,
} from '../../data/operations/conflict-fields.ts'
import { useWhoSet } from './use-who-set.ts'
import { subjectOf } from '../../data/operations/operation-call.ts'
import { useRecordNames } from '../../data/operations/use-record-names.ts'
import { operationMessages, questionMessages as messages } from '../../data/operations/messages.ts'

type Choice = 'mine' | 'theirs'

/**
 * Resolves a conflict: one choice per field, with both values and who set them. Only for operations of
 * the active organisation. `children` are further actions.
 */
export function ConflictCard(props: { operation: Operation; children: ReactNode }) {
  const { operation, children } = props
  const operations = useAllOperations()
  const fields = conflictFields(operation, waitingFor(operation, operations))
  // If a field can only keep their value, there is nothing to choose.
  const forced = fields
    .filter((one) => !one.possible)
    .map(({ field }) => [field, 'theirs'] as const)
  const [chosen, setChosen] = useState<Record<string, Choice>>(Object.fromEntries(forced))
  const [busy, setBusy] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const asked = JSON.stringify(fields.map(({ field, mine, theirs }) => [field, mine, theirs]))
  const [shown, setShown] = useState(asked)
  /** A choice was made between the values that were shown. */
  const startAgain = () => {
    setShown(asked)
    setChosen(Object.fromEntries(forced))
    setChanged(true)
  }
  if (shown !== asked) startAgain()
  const isDecided = fields.every(({ possible }) => !possible)
  const note = hasNote(operation)
  const missing = fields.some(({ field }) => chosen[field] === undefined)

  async function answer(event: SubmitEvent) {
    event.preventDefault()
    if (missing || busy) return
    setBusy(true)
    const mine = fields.map(({ field }) => field).filter((field) => chosen[field] === 'mine')
    try {
      const resolved = await sync().outbox.resolve(operation, resolvedFields(operation, mine))
      if (resolved === 'changed') {
        startAgain()
        setBusy(false)
      } else if (resolved === 'answered') toast(messages.answered)
      else toast(resolved ? messages.resolved : messages.keptTheirs)
    } catch {
      toast(operationMessages.failed)
      setBusy(false)
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => void answer(event)}
      aria-label={messages.title(fields.map(({ field }) => fieldName(field)))}
      className="mt-3 flex flex-col gap-4"
    >
      <p className="text-sm text-pretty text-ink">
        {isDecided ? messages.statusChanged(subjectOf(operation)) : messages.lead}{' '}
        {note && (isDecided ? messages.noteSeparate : messages.noteAlwaysPosted)}{' '}
        <output className="font-semibold">{isChanged && messages.changed}</output>
      </p>
      {fields.map((one) => (
        <Field
          key={one.field}
          operation={operation}
          conflict={one}
          choice={chosen[one.field]}
          onChoose={(choice) => setChosen({ ...chosen, [one.field]: choice })}
        />
      ))}
      <div className="flex flex-wrap gap-x-1 gap-y-2">
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          unavailable={missing ? messages.missing : undefined}
        >
          {isDecided ? (note ? messages.postNote : messages.discardMine) : messages.send}
        </Button>
        {children}
      </div>
    </form>
  )
}

interface FieldProps {
  operation: Operation
  conflict: ConflictField
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

/** One field: my value beside theirs. */
function Field({ operation, conflict, choice, onChoose }: FieldProps) {
  const nameOf = useRecordNames()
  const by = useWhoSet(operation)(conflict.field, conflict.theirs)
  const { field, before, mine, theirs, possible } = conflict
  const value = (one: unknown) => fieldValue(field, one, nameOf)
  const group = `${operation.id}-${field}`
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">{fieldName(field)}</legend>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        <Option
          group={group}
          label={messages.mine}
          value={before === undefined ? value(mine) : messages.fromTo(value(before), value(mine))}
          origin={messages.you(operation.created_at)}
          unavailable={
            possible
              ? undefined
              : messages.transitionImpossible(subjectOf(operation), value(theirs), value(mine))
          }
          checked={choice === 'mine'}
          onChoose={() => onChoose('mine')}
        />
        <Option
          group={group}
          label={messages.theirs}
          value={value(theirs)}
          origin={by}
          unavailable={undefined}
          checked={choice === 'theirs'}
          onChoose={() => onChoose('theirs')}
        />
      </div>
    </fieldset>
  )
}

interface OptionProps {
  group: string
  label: string
  value: string
  origin: string
  /** Why it cannot be chosen. */
  unavailable: string | undefined
  checked: boolean
  onChoose: () => void
}

function Option({ group, label, value, origin, unavailable, checked, onChoose }: OptionProps) {
  const off = unavailable !== undefined
  return (
    <label
      className={`grid min-h-11 grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 rounded-md border px-3 py-2.5 text-sm *:col-start-2 ${off ? 'border-line text-ink-muted' : 'cursor-pointer border-edge/60 bg-raised text-ink hover:border-edge has-checked:border-accent has-checked:inset-ring has-checked:inset-ring-accent'}`}
    >
      <input
        type="radio"
        name={group}
        className="col-start-1! row-start-1 mt-0.5 size-4"
        checked={checked}
        disabled={off}
        onChange={onChoose}
      />
      <span className="font-semibold">{label}</span>
      <span dir="auto" className="text-base break-words whitespace-pre-wrap tabular-nums">
        {value}
      </span>
      <span className="text-ink-muted">{off ? unavailable : origin}</span>
    </label>
  )
}
