import { elapsedPercent } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useConnection } from '../../../sync/react/use-sync.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { RichText } from '../../../ui/text/rich-text.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { HealthMark, StatusTag } from '../../../widgets/status/tags.tsx'
import { PlanMarks } from '../plan-marks.tsx'
import { PlanProgressBar } from '../plan-progress-bar.tsx'
import { usePlanUpdates } from '../../../data/success-plans/queries.ts'
import type { ViewContext } from '../list/view.ts'
import { planMessages } from '../messages.ts'
import { planScreenMessages, updateMessages } from '../plan-messages.ts'
import { reviewMessages as messages } from './messages.ts'
import { personNamed } from '../../../data/organisations/person-name.ts'

interface ReviewFactsProps {
  plan: SuccessPlan
  context: ViewContext
}

/** What is needed to write an update: the plan's state and the last update. */
export function ReviewFacts({ plan, context }: ReviewFactsProps) {
  const { today, now, nameOf } = context
  const elapsed = elapsedPercent(plan, today)
  const owner = nameOf('organisation_users', plan.owner_id)
  return (
    <>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-muted">
        {nameOf('accounts', plan.account_id) && <span>{nameOf('accounts', plan.account_id)}</span>}
        <StatusTag status={plan.status} />
        {plan.health && <HealthMark health={plan.health} />}
        {plan.end_date && <span className="tabular-nums">{messages.ends(plan.end_date)}</span>}
        <PlanMarks plan={plan} today={today} now={now} pending={undefined} />
        {owner && plan.owner_id !== context.user_id && <span>{messages.ownedBy(owner)}</span>}
      </p>
      <div className="mt-4 flex items-center gap-3">
        <PlanProgressBar plan={plan} today={today} />
      </div>
      {elapsed !== undefined && (
        <p className="mt-1 text-sm text-ink-muted tabular-nums">
          {planScreenMessages.timeElapsed(elapsed)}
        </p>
      )}
      <LastUpdate plan={plan} context={context} />
    </>
  )
}

function LastUpdate({ plan, context }: ReviewFactsProps) {
  const { query, feed } = usePlanUpdates(plan.id)
  const offline = useConnection() === 'offline'
  // An update with text is more useful than a later change of fields alone.
  const last = feed?.find(({ update }) => update.body !== '')?.update ?? feed?.[0]?.update
  return (
    <section className="mt-6">
      <h3 className="text-sm font-semibold text-ink-muted">{messages.lastUpdate}</h3>
      {feed === undefined && !query.isError && (
        <SkeletonRows label={messages.lastUpdate} rows={1} />
      )}
      {feed === undefined && query.isError && (
        <div className="mt-2">
          {offline ? (
            <Notice tone="offline">{messages.updatesNotHere}</Notice>
          ) : (
            <Notice
              tone="danger"
              action={<Button onClick={() => void query.refetch()}>{planMessages.retry}</Button>}
            >
              {updateMessages.feedFailed}
            </Notice>
          )}
        </div>
      )}
      {feed && !last && <p className="mt-1 text-sm text-ink-muted">{messages.noUpdate}</p>}
      {last && (
        <div className="mt-1">
          <RichText text={last.body} className="leading-6" />
          <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-ink-faint tabular-nums">
            <span>{personNamed(context.nameOf, last.user_id)}</span>
            <time dateTime={last.written_at}>{messages.written(last.written_at)}</time>
          </p>
        </div>
      )}
    </section>
  )
}
