import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldName, fieldValue } from '../../data/operations/field-labels.ts'
import {
  deletionMessages as messages,
  operationMessages,
  questionMessages,
} from '../../data/operations/messages.ts'
import { bodyFields, recordIdOf } from '../../data/operations/operation-call.ts'
import { useRecordNames } from '../../data/operations/use-record-names.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { planUpdatesQuery } from '../../data/success-plans/queries.ts'
import { sync } from '../../sync/client.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { useWhoSet } from './use-who-set.ts'

/** What stands in for the updates of a plan among the names of its fields. */
const UPDATES = 'success_plan_updates'

/**
 * Asks whether to delete a record that others have changed after the author of the deletion saw it: what they
 * have changed, and who. Only for operations of the active organisation.
 */
export function DeletionCard({ operation }: { operation: Operation }) {
  const nameOf = useRecordNames()
  const whoSet = useWhoSet(operation)
  const [busy, setBusy] = useState(false)
  const { base, conflict, input } = operation
  const { fields = [], theirs = {} } = conflict ?? {}
  const { title } = bodyFields(input)
  const value = (field: string, one: unknown) => fieldValue(field, one, nameOf)

  async function answer(kept: readonly string[], done: string) {
    setBusy(true)
    try {
      const resolved = await sync().outbox.resolve(operation, kept)
      toast(typeof resolved === 'string' ? questionMessages[resolved] : done)
      setBusy(resolved !== 'changed')
    } catch {
      toast(operationMessages.failed)
      setBusy(false)
    }
  }

  return (
    <section
      aria-label={messages.label(typeof title === 'string' ? title : undefined)}
      className="mt-3 flex flex-col gap-4"
    >
      <p className="text-sm text-pretty text-ink">{messages.lead}</p>
      <dl className="flex flex-col gap-2 text-sm">
        {fields
          .filter((field) => field !== UPDATES)
          .map((field) => (
            <Change
              key={field}
              name={fieldName(field)}
              value={questionMessages.fromTo(
                value(field, base?.fields[field]),
                value(field, theirs[field]),
              )}
              origin={whoSet(field, theirs[field])}
            />
          ))}
        {fields.includes(UPDATES) && <NewUpdate operation={operation} />}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="danger"
          busy={busy}
          onClick={() => void answer(fields, messages.willBeDeleted)}
        >
          {messages.deleteAnyway}
        </Button>
        <Button busy={busy} onClick={() => void answer([], messages.isKept)}>
          {messages.keep}
        </Button>
      </div>
    </section>
  )
}

/** The last update that someone else has posted since; its text once it is on this device. */
function NewUpdate({ operation }: { operation: Operation }) {
  const { base, conflict, user_id } = operation
  const updates = useQuery(planUpdatesQuery(recordIdOf(operation) ?? '')).data ?? []
  const people = usePeople()
  const [last] = updates
    .filter((one) => one.user_id !== user_id && one.version > (base?.version ?? 0))
    .toSorted((a, b) => b.version - a.version)
  const author = last?.user_id ?? conflict?.changed_by?.[UPDATES]
  const name = people?.get(String(author))?.name
  return (
    <Change
      name={messages.newUpdate}
      value={last?.body ?? ''}
      origin={name !== undefined && last ? questionMessages.by(name, last.written_at) : name}
    />
  )
}

interface ChangeProps {
  name: string
  value: string
  /** Who made it. */
  origin: string | undefined
}

function Change({ name, value, origin }: ChangeProps) {
  return (
    <div className="rounded-md border border-line bg-raised px-3 py-2.5">
      <dt className="font-semibold">{name}</dt>
      {value !== '' && (
        <dd
          dir="auto"
          className="line-clamp-6 text-base break-words whitespace-pre-wrap tabular-nums"
        >
          {value}
        </dd>
      )}
      {origin !== undefined && <dd className="text-ink-muted">{origin}</dd>}
    </div>
  )
}
