import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { isFor } from '../../data/operations/operation-call.ts'
import type { NameOf } from '../../data/record-id.ts'
import { bodyOf, describeFields, titleOf } from '../../data/operations/describe-operation.ts'
import { OperationStateMark, stateOf } from '../../widgets/operations/operation-state.tsx'
import { useRecordNames } from '../../data/operations/use-record-names.ts'
import { useOperationContext } from '../../widgets/operations/use-operation-context.ts'
import { PendingOperation } from '../../widgets/operations/pending-operation.tsx'
import { organisationsQuery } from '../../data/organisations/queries.ts'
import { PendingUpdate } from '../../features/success-plans/updates/pending-update.tsx'
import { sync } from '../../sync/client.ts'
import { isEditable, type Operation } from '../../sync/core/operation.ts'
import { useSendingIds } from '../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { operationLink, useParentsOf } from './operation-link.ts'
import { panelMessages as messages } from './panel-messages.ts'

interface SyncItemProps {
  operation: Operation
  /** It was sent while its text was being edited: only the edited text is still shown. */
  isSent: boolean
  /** Called with whether its text is being edited. */
  onEditing: (isEdited: boolean) => void
  /** Called when a link leaves the sync centre. */
  onLeave: () => void
}

/** One pending operation: what it is, where and when it was written, and what can be done with it. */
export function SyncItem({ operation, isSent, onEditing, onLeave }: SyncItemProps) {
  const nameOf = useRecordNames()
  const { organisation, is_active } = useOperationContext(operation)
  const sending = useSendingIds()
  const [edited, setEdited] = useState<Operation>()
  const isChangeable = !isSent && isEditable(operation)
  const parentsOf = useParentsOf()
  const link = is_active ? operationLink(operation, parentsOf) : undefined

  return (
    <li className="border-b border-line py-4 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-semibold">{titleOf(operation, nameOf)}</p>
          <p className="text-sm text-ink-faint tabular-nums">
            {messages.queuedAt(organisation, operation.created_at)}
          </p>
        </div>
        {!isSent && <OperationStateMark state={stateOf(operation, sending)} />}
      </div>
      {!(isChangeable && edited?.id === operation.id) && !operation.conflict && (
        <OperationContent operation={operation} nameOf={nameOf} />
      )}
      {isFor(operation, 'success_plan_updates', 'append') && (isChangeable || edited) ? (
        <PendingUpdate
          operation={operation}
          editing={edited !== undefined}
          isSent={!isChangeable}
          onEditing={(now) => {
            setEdited(now)
            onEditing(now !== undefined)
          }}
        />
      ) : (
        <PendingOperation operation={operation}>
          {link !== undefined && (
            <Link to={link} onClick={onLeave} className={buttonClass('quiet')}>
              {messages.edit}
            </Link>
          )}
        </PendingOperation>
      )}
      {!is_active && <OpenOrganisation operation={operation} onOpened={onLeave} />}
    </li>
  )
}

function OperationContent(props: { operation: Operation; nameOf: NameOf }) {
  const { operation, nameOf } = props
  const body = bodyOf(operation)
  const fields = describeFields(operation, nameOf)
  return (
    <>
      {body !== '' && (
        <p dir="auto" className="mt-1.5 line-clamp-3 text-sm whitespace-pre-wrap text-ink-muted">
          {body}
        </p>
      )}
      {fields.length > 0 && (
        <dl className="mt-1.5 text-sm text-ink-muted">
          {fields.map(({ name, value, from }) => (
            <div key={name} className="line-clamp-2">
              <dt className="inline">{name}: </dt>
              <dd className="inline text-ink tabular-nums">
                {from === undefined ? value : messages.fromTo(from, value)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

/** An operation of another organisation is edited and resolved there. */
function OpenOrganisation(props: { operation: Operation; onOpened: () => void }) {
  const { operation, onOpened } = props
  const organisations = useQuery(organisationsQuery()).data?.data
  const navigate = useNavigate()
  const organisation = organisations?.find(({ id }) => id === operation.organisation_id)
  if (!organisation) return null
  return (
    <Button
      variant="quiet"
      className="-ms-3.5"
      onClick={() => {
        onOpened()
        void sync()
          .chooseOrganisation(organisation)
          .then(() => navigate(operationLink(operation, () => undefined) ?? '/success-plans'))
      }}
    >
      {messages.open(organisation.name)}
    </Button>
  )
}
