import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useFullscreen } from '../../../ui/platform/use-fullscreen.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { DataAge } from '../../../widgets/screen-states/data-age.tsx'
import { NoData } from '../../../widgets/screen-states/no-data.tsx'
import { useUnreadList } from '../../../widgets/screen-states/use-unread-list.ts'
import { useCurrentIds, useRecordKeys } from '../../../data/record-id.ts'
import { usePlans } from '../../../data/success-plans/queries.ts'
import { planMessages } from '../messages.ts'
import { useViewContext } from '../use-view-context.ts'
import { LastStep } from './last-step.tsx'
import { ReviewChoice } from './review-choice.tsx'
import { ReviewPlan } from './review-plan.tsx'
import { ReviewSummary } from './review-summary.tsx'
import { useReviewRun } from './use-run.ts'
import { useCorrectedWords, useForgetDiscarded } from './use-steps.ts'
import { reviewMessages as messages } from './messages.ts'

/** `/success-plans?review`: full-screen review of the plans that need an update, one by one. */
export function Review() {
  useFullscreen()
  const { plans, query } = usePlans()
  const unread = useUnreadList([{ collection: 'success_plans', query }])
  const context = useViewContext()
  const { run, saved, ...steps } = useReviewRun()
  useForgetDiscarded(run, steps.forget)
  useCorrectedWords(run, steps.reword)
  const idNow = useCurrentIds()
  const byId = useMemo(() => new Map(plans?.map((plan) => [idNow(plan.id), plan])), [plans, idNow])
  const keyOf = useRecordKeys('success_plans')
  const id = run?.ids[run.at]
  const isOver = run !== undefined && id === undefined
  // Kept here: a step can fail after its plan was left.
  const [failed, setFailed] = useState<string>()
  const failure = failed !== undefined && (
    <div className="my-3">
      <Notice tone="danger" title={failed}>
        {messages.stepFailed}
      </Notice>
    </div>
  )
  const go = (to: () => void) => () => {
    setFailed(undefined)
    to()
  }

  // Behind the choice, so that no key more is needed to start.
  const loading = <SkeletonRows label={messages.loading} rows={5} />
  const noPlans = (
    <NoData
      query={unread?.query ?? query}
      collection="success_plans"
      messages={planMessages}
      loading={loading}
    />
  )
  const age = <DataAge shows={{ collection: 'success_plans' }} />
  return (
    <div className="mx-auto max-w-5xl min-[90rem]:max-w-330">
      <header className="flex items-center gap-x-4 border-b border-line pb-3">
        <PageHeading title={messages.title} className="text-lg" />
        {run && !isOver && (
          <p className="text-sm text-ink-muted tabular-nums">
            <span aria-hidden>{messages.position(run.at + 1, run.ids.length)}</span>
            <span className="sr-only">{messages.positionSpoken(run.at + 1, run.ids.length)}</span>
          </p>
        )}
        <Link
          to="/success-plans"
          aria-label={messages.leave}
          className={`${buttonClass('quiet')} ms-auto`}
        >
          {messages.leaveShort}
        </Link>
      </header>
      {run && age}
      {run && <LastStep run={run} byId={byId} forget={steps.forget} />}
      {!plans && noPlans}
      {plans && saved === undefined && loading}
      {plans && saved !== undefined && !run && (
        <ReviewChoice
          plans={plans}
          context={context}
          saved={saved}
          unread={unread && noPlans}
          onStart={steps.start}
          onResume={steps.resume}
        />
      )}
      {!run && <div className="mx-auto mt-4 max-w-md">{age}</div>}
      {run && id !== undefined && (
        <ReviewPlan
          key={keyOf(id)}
          plan={byId.get(id)}
          context={context}
          run={run}
          unread={unread && noPlans}
          onPosted={(update) => steps.recordPosted(id, update)}
          onMoved={steps.recordMoved}
          failure={failure}
          onFailure={setFailed}
          onNext={go(steps.next)}
          onBack={go(steps.back)}
        />
      )}
      {isOver && failure}
      {run && isOver && (
        <ReviewSummary run={run} byId={byId} context={context} onAgain={steps.start} />
      )}
    </div>
  )
}
