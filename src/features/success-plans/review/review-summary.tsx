import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useConnection, useOperations, useSendingIds } from '../../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { OperationStateMark, stateOf } from '../../../widgets/operations/operation-state.tsx'
import { createdRecordId } from '../../../data/operations/operation-call.ts'
import type { ReviewRun } from './use-run.ts'
import { reviewMessages as messages } from './messages.ts'

interface ReviewSummaryProps {
  run: ReviewRun
  byId: ReadonlyMap<string, SuccessPlan>
  onAgain: (ids: readonly string[]) => void
}

/** What was posted in the run, and the state of each update. */
export function ReviewSummary({ run, byId, onAgain }: ReviewSummaryProps) {
  const operations = useOperations()
  const sending = useSendingIds()
  const offline = useConnection() === 'offline'
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])

  const plans = run.ids.flatMap((id) => byId.get(id) ?? [])
  const skipped = plans.filter(({ id }) => !run.said[id])
  const posted = plans.flatMap((plan) => {
    const update = run.said[plan.id]
    if (!update) return []
    const operation = operations.find((one) => createdRecordId(one) === update.id)
    // An operation that has left the queue was sent and pulled back.
    return [{ plan, update, state: operation ? stateOf(operation, sending) : ('sent' as const) }]
  })
  const attention = posted.filter(({ state }) => state === 'attention').length
  const pending = posted.filter(({ state }) => state !== 'sent').length - attention

  return (
    <div className="mx-auto mt-6 max-w-2xl">
      <h2 ref={title} tabIndex={-1} className="text-2xl">
        {messages.summaryTitle}
      </h2>
      <p className="mt-1 text-ink-muted">{messages.summary(posted.length, plans.length)}</p>
      <output className="block text-ink-muted">
        {pending > 0 && (
          <span className="block">
            {offline ? messages.waiting(pending) : messages.sending(pending)}
          </span>
        )}
        {attention > 0 && <span className="block">{messages.attention(attention)}</span>}
        {posted.length > 0 && pending + attention === 0 && messages.allSent}
      </output>
      {posted.length > 0 && (
        <section className="mt-7">
          <h3 className="text-sm font-semibold text-ink-muted">{messages.posted}</h3>
          <ul className="mt-1 border-t border-line">
            {posted.map(({ plan, update, state }) => (
              <li key={plan.id} className="border-b border-line py-3">
                <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                  <PlanLink plan={plan} />
                  <OperationStateMark state={state} />
                </div>
                <p className="mt-0.5 line-clamp-2 text-sm text-ink-muted">
                  {update.body || messages.changed}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {skipped.length > 0 && (
        <section className="mt-7">
          <h3 className="text-sm font-semibold text-ink-muted">{messages.skipped}</h3>
          <ul className="mt-1 border-t border-line">
            {skipped.map((plan) => (
              <li key={plan.id} className="border-b border-line py-2.5">
                <PlanLink plan={plan} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="mt-7 flex flex-wrap gap-2">
        <Link to="/success-plans" className={buttonClass('primary')}>
          {messages.toList}
        </Link>
        {skipped.length > 0 && (
          <Button onClick={() => onAgain(skipped.map(({ id }) => id))}>
            {messages.reviewSkipped(skipped.length)}
          </Button>
        )}
      </div>
    </div>
  )
}

const PlanLink = ({ plan }: { plan: SuccessPlan }) => (
  <Link
    to={`/success-plans/${plan.id}`}
    className="inline-flex min-w-0 items-center font-semibold text-ink underline-offset-4 hover:text-accent hover:underline coarse:min-h-11"
  >
    {plan.title}
  </Link>
)
