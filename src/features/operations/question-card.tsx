import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import { sync } from '../../sync/client.ts'
import type { Operation } from '../../sync/operation.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { membersByUserQuery } from '../organisations/queries.ts'
import { planUpdatesQuery } from '../success-plans/queries.ts'
import { nounOf, subjectOf } from './describe-operation.ts'
import { fieldName, fieldValue } from './field-words.ts'
import { askedFields, hasNote, keptFields, setBy, type AskedField } from './question.ts'
import { useRecordNames } from './use-record-names.ts'
import { operationWords, questionWords as words } from './waiting-words.ts'

type Choice = 'mine' | 'theirs'

/**
 * Asks what holds where the same was changed by others: one choice for each field, with both values
 * and who set them. For operations of the active organisation. `children` are what else can be done.
 */
export function QuestionCard(props: { operation: Operation; children: ReactNode }) {
  const { operation, children } = props
  const asked = askedFields(operation)
  const [chosen, setChosen] = useState<Record<string, Choice>>(() =>
    // Where only theirs is possible there is nothing to choose, only to know.
    Object.fromEntries(asked.filter((one) => !one.possible).map(({ field }) => [field, 'theirs'])),
  )
  const [busy, setBusy] = useState(false)
  const decided = asked.every(({ possible }) => !possible)
  const note = hasNote(operation)
  const missing = asked.some(({ field }) => chosen[field] === undefined)

  async function answer(event: SubmitEvent) {
    event.preventDefault()
    if (missing || busy) return
    setBusy(true)
    const mine = asked.map(({ field }) => field).filter((field) => chosen[field] === 'mine')
    try {
      const said = await sync().outbox.resolve(operation.id, keptFields(operation, mine))
      toast(said ? words.answered : words.givenUp)
    } catch {
      toast(operationWords.failed)
      setBusy(false)
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => void answer(event)}
      aria-label={words.title(asked.map(({ field }) => fieldName(field)))}
      className="mt-3 flex flex-col gap-4"
    >
      <p className="text-sm text-pretty text-ink">
        {decided ? words.movedOn : words.lead}{' '}
        {note && (decided ? words.noteAlone : words.noteGoes)}
      </p>
      {asked.map((one) => (
        <Field
          key={one.field}
          operation={operation}
          asked={one}
          choice={chosen[one.field]}
          onChoose={(choice) => setChosen({ ...chosen, [one.field]: choice })}
        />
      ))}
      <div className="flex flex-wrap gap-x-1 gap-y-2">
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          unavailable={missing ? words.missing : undefined}
        >
          {decided ? (note ? words.postNote : words.giveUp) : words.send}
        </Button>
        {children}
      </div>
    </form>
  )
}

interface FieldProps {
  operation: Operation
  asked: AskedField
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

/** One field: mine beside theirs. */
function Field({ operation, asked, choice, onChoose }: FieldProps) {
  const nameOf = useRecordNames()
  const by = useWhoSet(operation, asked)
  const { field, before, mine, theirs, possible } = asked
  const value = (one: unknown) => fieldValue(field, one, nameOf)
  const group = `${operation.id}-${field}`
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">{fieldName(field)}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        <Option
          group={group}
          label={words.mine}
          value={before === undefined ? value(mine) : words.fromTo(value(before), value(mine))}
          origin={words.you(operation.created_at)}
          unavailable={possible ? undefined : words.cannot(value(theirs), value(mine))}
          checked={choice === 'mine'}
          onChoose={() => onChoose('mine')}
        />
        <Option
          group={group}
          label={words.theirs}
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

/** Who set their value and when, where an update on this device says so. */
function useWhoSet(operation: Operation, { field, theirs }: AskedField): string {
  const id = subjectOf(operation) ?? ''
  const ofPlan = nounOf(operation) === 'plan'
  const updates = useQuery({ ...planUpdatesQuery(id), enabled: ofPlan }).data
  const members = useQuery(membersByUserQuery()).data
  const update = ofPlan && updates ? setBy(updates, field, theirs) : undefined
  const name = members?.get(update?.user_id ?? '')?.name
  return update && name !== undefined ? words.by(name, update.written_at) : words.now
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
      <span className="text-base break-words whitespace-pre-wrap tabular-nums">{value}</span>
      <span className="text-ink-muted">{off ? unavailable : origin}</span>
    </label>
  )
}
