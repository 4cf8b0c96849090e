import type { ReactNode } from 'react'
import type { QueuedResource } from '../../../contract/resources.ts'
import { useOperations, useSendingIds } from '../../sync/react/use-sync.ts'
import { OperationStateMark, stateOf } from '../operations/operation-state.tsx'
import { PendingOperation } from '../operations/pending-operation.tsx'
import { isFor, kindOf, recordIdOf } from '../../data/operations/operation-call.ts'
import { editingMessages as messages } from './messages.ts'

interface PendingRecordProps {
  id: string
  resource: QueuedResource
  /** Sentences shown if the record was created or changed here. */
  madeHere?: string
  changedHere?: string
  /** Only operations that need attention: for rows, where a tag shows the rest. */
  attentionOnly?: boolean
  /** A link or button that opens the record's form. */
  children?: ReactNode
}

/** Pending operations on a record itself, with what can be done about them. */
export function PendingRecord(props: PendingRecordProps) {
  const { id, resource, attentionOnly = false, children } = props
  const { madeHere = messages.createdHere, changedHere = messages.changedHere } = props
  const sending = useSendingIds()
  const pending = useOperations().filter(
    (one) =>
      isFor(one, resource) &&
      recordIdOf(one) === id &&
      (attentionOnly ? one.state === 'attention' : one.state !== 'acknowledged'),
  )
  return pending.map((operation) => {
    const isDeletion = kindOf(operation) === 'delete'
    return (
      <div
        key={operation.seq}
        className={`mt-4 rounded-lg border border-transparent px-4 py-3 text-sm ${operation.state === 'attention' ? 'bg-glow-soft/50' : 'bg-offline/50'}`}
      >
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {isFor(operation, resource, 'create')
            ? madeHere
            : isDeletion
              ? messages.deletedHere
              : changedHere}
          <OperationStateMark state={stateOf(operation, sending)} />
        </p>
        <PendingOperation operation={operation}>{!isDeletion && children}</PendingOperation>
      </div>
    )
  })
}
