import type { ReactNode } from 'react'
import type { Operation } from '../../sync/core/operation.ts'
import { useSendingIds } from '../../sync/react/use-sync.ts'
import { OperationStateMark, stateOf } from '../operations/operation-state.tsx'
import { PendingOperation } from '../operations/pending-operation.tsx'

interface PendingOwnChangeProps {
  operations: readonly Operation[]
  /** A sentence that names the change. */
  children: ReactNode
}

/** Pending changes to the user's own data, with what can be done about them. */
export function PendingOwnChange({ operations, children }: PendingOwnChangeProps) {
  const sending = useSendingIds()
  return operations
    .filter(({ state }) => state !== 'acknowledged')
    .map((operation) => (
      <div
        key={operation.seq}
        className={`mt-4 rounded-lg border border-transparent px-4 py-3 text-sm ${operation.state === 'attention' ? 'bg-glow-soft/50' : 'bg-offline/50'}`}
      >
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {children}
          <OperationStateMark state={stateOf(operation, sending)} />
        </p>
        <PendingOperation operation={operation} />
      </div>
    ))
}

/** Only the state of the latest change, where a card would move the control being pressed. */
export function OwnChangeState({ operations }: { operations: readonly Operation[] }) {
  const sending = useSendingIds()
  const last = operations.at(-1)
  return <output>{last && <OperationStateMark state={stateOf(last, sending)} />}</output>
}
