import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useConnection, useSendingIds } from '../../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { OperationStateMark, stateOf } from '../../../widgets/operations/operation-state.tsx'
import { useUnreadList } from '../../../widgets/screen-states/use-unread-list.ts'
import { useActions } from '../../../data/actions.ts'
import type { ViewContext } from '../list/view.ts'
import { SummaryActions } from './summary-actions.tsx'
import { needsOf, summaryText } from './summary-text.ts'
import { hasSteps, type ReviewRun } from './use-run.ts'
import { useStepOperation } from './use-steps.ts'
import { reviewMessages as messages } from './messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

interface ReviewSummaryProps {
  run: ReviewRun
  byId: ReadonlyMap<string, SuccessPlan>
  context: ViewContext
  onAgain: (ids: readonly string[]) => void
}

/** What was posted and changed in the run, with its state, and what needs whom. */
export function ReviewSummary({ run, byId, context, onAgain }: ReviewSummaryProps) {
  const operationOf = useStepOperation()
  const { query, actions } = useActions()
  const isUnread = useUnreadList([{ collection: 'actions', query }]) !== undefined
  const sending = useSendingIds()
  const connection = useConnection()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])

  const plans = run.ids.flatMap((id) => byId.get(id) ?? [])
  const skipped = plans.filter(({ id }) => !hasSteps(run, id))
  const posted = plans.flatMap((plan) =>
    (run.posted[plan.id] ?? []).map((update) => {
      const operation = operationOf(update)
      // An operation that has left the queue was sent and pulled back.
      return { plan, update, state: operation ? stateOf(operation, sending) : ('sent' as const) }
    }),
  )
  const moved = run.moved.flatMap((step) => {
    const plan = byId.get(step.plan_id)
    const operation = operationOf(step)
    return plan
      ? [{ ...step, plan, state: operation ? stateOf(operation, sending) : ('sent' as const) }]
      : []
  })
  const movedByPlan = [...Map.groupBy(moved, ({ plan }) => plan)]
  const needs = needsOf(plans, actions ?? [], context)
  const text = summaryText({
    day: context.today,
    posted: posted.map(({ plan: { id, title: planTitle }, update }) => ({
      id,
      title: planTitle,
      lines: [update.body || messages.changed],
    })),
    moved: movedByPlan.map(([{ id, title: planTitle }, steps]) => ({
      id,
      title: planTitle,
      lines: steps.map((step) => step.text),
    })),
    needs,
    skipped: skipped.map(({ title: skippedTitle }) => skippedTitle),
  })
  const states = [...posted, ...moved].map(({ state }) => state)
  const attention = states.filter((state) => state === 'attention').length
  const pending = states.filter((state) => state !== 'sent').length - attention

  return (
    <div className="mx-auto mt-6 max-w-2xl">
      <h2 ref={title} tabIndex={-1} className="text-2xl">
        {messages.summaryTitle}
      </h2>
      <p className="mt-1 text-ink-muted">{messages.summary(posted.length, plans.length)}</p>
      <output className="block text-ink-muted">
        {pending > 0 && <span className="block">{messages.pending[connection](pending)}</span>}
        {attention > 0 && <span className="block">{messages.attention(attention)}</span>}
        {states.length > 0 && pending + attention === 0 && messages.allSent}
      </output>
      <SummaryActions text={text} day={context.today} plans={[...byId.values()]} />
      {posted.length > 0 && (
        <section className="mt-7">
          <h3 className="text-sm font-semibold text-ink-muted">{messages.posted}</h3>
          <ul className="mt-1 border-t border-line">
            {posted.map(({ plan, update, state }) => (
              <li key={update.id} className="border-b border-line py-3">
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
      {moved.length > 0 && (
        <section className="mt-7">
          <h3 className="text-sm font-semibold text-ink-muted">{messages.moved}</h3>
          <ul className="mt-1 border-t border-line">
            {movedByPlan.map(([plan, steps]) => (
              <li key={plan.id} className="border-b border-line py-3">
                <PlanLink plan={plan} />
                {steps.map(({ text: what, state, at }) => (
                  <div
                    key={`${what} ${at}`}
                    className="mt-0.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1"
                  >
                    <p className="min-w-0 text-sm break-words text-ink-muted">{what}</p>
                    <OperationStateMark state={state} />
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="mt-7">
        <h3 className="text-sm font-semibold text-ink-muted">{messages.needs}</h3>
        {(isUnread || needs.length === 0) && (
          <p className="mt-1 text-sm text-ink-muted">
            {isUnread ? messages.needsUnread : messages.noNeeds}
          </p>
        )}
        {needs.map(({ person, plans: late }) => (
          <div key={person} className="mt-3 border-t border-line pt-2 text-sm">
            <h4 className="font-semibold">{person}</h4>
            <ul className="mt-1 flex flex-col gap-1.5">
              {late.map(({ id, title: planTitle, lines }) => (
                <li key={id} className="break-words">
                  {planTitle}
                  <ul className="list-disc ps-5 text-ink-muted">
                    {lines.map((line) => (
                      <li key={line}>{line}</li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </section>
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
    to={planPath(plan.id)}
    className="inline-flex min-w-0 items-center font-semibold text-ink underline-offset-4 hover:text-accent hover:underline coarse:min-h-11"
  >
    {plan.title}
  </Link>
)
