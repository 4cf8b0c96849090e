import { Link } from 'react-router'
import { isEditable } from '../../sync/outbox.ts'
import { useOperations, useSendingIds } from '../../sync/react.ts'
import { buttonClass } from '../../ui/button.tsx'
import { OperationStateMark, stateOf } from '../operations/operation-state.tsx'
import { WaitingOperation } from '../operations/waiting-operation.tsx'
import { planOf } from './fold.ts'
import { planWords as words, updateWords } from './words.ts'

/** What is on its way of the plan itself: that it was made, or changed. Its updates say so in the feed. */
export function PlanWaiting({ plan_id }: { plan_id: string }) {
  const sending = useSendingIds()
  const waiting = useOperations().filter(
    (operation) =>
      planOf(operation) === plan_id &&
      operation.endpoint !== 'postPlanUpdate' &&
      operation.state !== 'acknowledged',
  )
  return waiting.map((operation) => (
    <div
      key={operation.seq}
      className={`mt-4 rounded-lg border border-transparent px-4 py-3 text-sm ${operation.state === 'attention' ? 'bg-glow-soft/50' : 'bg-offline/50'}`}
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {operation.endpoint === 'createSuccessPlan' ? words.newWaits : words.editWaits}
        <OperationStateMark state={stateOf(operation, sending)} />
      </p>
      <WaitingOperation operation={operation} text="">
        {operation.endpoint === 'createSuccessPlan' && isEditable(operation) && (
          <Link to={`/success-plans/new?edit=${plan_id}`} className={buttonClass('quiet')}>
            {updateWords.edit}
          </Link>
        )}
      </WaitingOperation>
    </div>
  ))
}
