import { ArrowUp, Check, Clock3, HardDrive, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { Operation } from '../../sync/core/operation.ts'
import { stateMessages, type OperationState } from './messages.ts'

/** The state shown for an operation. `sending` holds the ids in flight right now. */
export function stateOf(
  operation: Pick<Operation, 'id' | 'state'>,
  sending: ReadonlySet<string>,
): OperationState {
  if (operation.state === 'acknowledged') return 'sent'
  if (operation.state === 'attention') return 'attention'
  return sending.has(operation.id) ? 'sending' : 'saved'
}

const LOOKS = {
  saving: { icon: LoaderCircle, colour: 'bg-offline text-offline-ink' },
  saved: { icon: HardDrive, colour: 'bg-offline text-offline-ink' },
  sending: { icon: ArrowUp, colour: 'bg-info text-info-ink' },
  sent: { icon: Check, colour: 'bg-success text-success-ink' },
  attention: { icon: TriangleAlert, colour: 'bg-glow-soft text-glow-ink' },
  'signed-out': { icon: Clock3, colour: 'bg-offline text-offline-ink' },
} as const satisfies Record<OperationState, unknown>

/** The state as a word with a shape and a colour. */
export function OperationStateMark({ state }: { state: OperationState }) {
  const { icon: Icon, colour } = LOOKS[state]
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border border-transparent py-px ps-2 pe-2.5 text-xs font-semibold whitespace-nowrap ${colour}`}
    >
      <Icon aria-hidden className={`size-3 ${state === 'saving' ? 'animate-spin' : ''}`} />
      {stateMessages[state]}
    </span>
  )
}
