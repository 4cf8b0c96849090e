import type { ReactNode } from 'react'
import type { Operation } from '../../sync/core/operation.ts'
import { useSendingIds } from '../../sync/react/use-sync.ts'
import { OperationStateMark, stateOf } from '../operations/operation-state.tsx'
import { PendingOperation } from '../operations/pending-operation.tsx'

interface PendingOwnChangeProps {
  operations: readonly Operation[]
  /** What was changed, in a sentence. */
  children: ReactNode
}

/** What is on its way of what is the user's own, with what can be done about it. */
export function PendingOwnChange({ operations: said, children }: PendingOwnChangeProps) {
  const sending = useSendingIds()
  return said
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

/** The state alone of what was said last, where a card would push away what is being pressed. */
export function OwnChangeState({ said }: { said: readonly Operation[] }) {
  const sending = useSendingIds()
  const last = said.at(-1)
  return <output>{last && <OperationStateMark state={stateOf(last, sending)} />}</output>
}
