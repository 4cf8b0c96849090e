import type { ReactNode } from 'react'
import type { QueuedResource } from '../../../contract/resources.ts'
import { useOperations, useSendingIds } from '../../sync/react/use-sync.ts'
import { OperationStateMark, stateOf } from '../operations/operation-state.tsx'
import { PendingOperation } from '../operations/pending-operation.tsx'
import { isFor, recordIdOf } from '../../data/operation-call.ts'
import { editingMessages as messages } from './messages.ts'

interface PendingRecordProps {
  id: string
  resource: QueuedResource
  /** What was made or changed here; both in a sentence. */
  madeHere?: string
  changedHere?: string
  /** Only what needs somebody: for rows, where a mark says the rest. */
  attentionOnly?: boolean
  /** What opens the record's form. */
  children?: ReactNode
}

/** What is on its way of a record itself: that it was made, or changed; with what can be done about it. */
export function PendingRecord(props: PendingRecordProps) {
  const { id, resource, attentionOnly = false, children } = props
  const { madeHere = messages.madeHere, changedHere = messages.changedHere } = props
  const sending = useSendingIds()
  const waiting = useOperations().filter(
    (one) =>
      isFor(one, resource) &&
      recordIdOf(one) === id &&
      (attentionOnly ? one.state === 'attention' : one.state !== 'acknowledged'),
  )
  return waiting.map((operation) => (
    <div
      key={operation.seq}
      className={`mt-4 rounded-lg border border-transparent px-4 py-3 text-sm ${operation.state === 'attention' ? 'bg-glow-soft/50' : 'bg-offline/50'}`}
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {isFor(operation, resource, 'create') ? madeHere : changedHere}
        <OperationStateMark state={stateOf(operation, sending)} />
      </p>
      <PendingOperation operation={operation}>{children}</PendingOperation>
    </div>
  ))
}
