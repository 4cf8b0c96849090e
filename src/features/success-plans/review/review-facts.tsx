import { elapsedPercent } from '../../../../contract/rules.ts'
import type { Action } from '../../../../contract/schemas/actions.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { Notice } from '../../../ui/display/notice.tsx'
import { ProgressBar } from '../../../ui/display/progress.tsx'
import { RichText } from '../../../ui/text/rich-text.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { useActions } from '../../../data/actions.ts'
import { HealthMark, NeedsYou, StatusTag } from '../../../widgets/status/tags.tsx'
import { PlanMarks } from '../plan-marks.tsx'
import { progressTone } from '../progress-tone.ts'
import { usePlanUpdates } from '../../../data/success-plans/queries.ts'
import type { ViewContext } from '../list/view.ts'
import { planMessages } from '../messages.ts'
import { reviewMessages as messages } from './messages.ts'

/** More actions would push the composer off the screen. */
const ACTIONS_SHOWN = 5

interface ReviewFactsProps {
  plan: SuccessPlan
  context: ViewContext
}

/** What is needed to write an update: the plan's state, the last update, and open actions. */
export function ReviewFacts({ plan, context }: ReviewFactsProps) {
  const { today, now, nameOf } = context
  const elapsed = elapsedPercent(plan, today)
  const owner = nameOf(plan.owner_id)
  return (
    <>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-muted">
        {nameOf(plan.account_id) && <span>{nameOf(plan.account_id)}</span>}
        <StatusTag status={plan.status} />
        {plan.health && <HealthMark health={plan.health} />}
        {plan.end_date && <span className="tabular-nums">{messages.ends(plan.end_date)}</span>}
        <PlanMarks plan={plan} today={today} now={now} pending={undefined} />
        {owner && plan.owner_id !== context.user_id && <span>{planMessages.ownedBy(owner)}</span>}
      </p>
      <div className="mt-4 flex items-center gap-3">
        <ProgressBar
          label={planMessages.progressOf(plan.title)}
          value={plan.progress}
          expected={elapsed}
          tone={progressTone(plan, today)}
        />
        <span className="text-sm whitespace-nowrap text-ink-muted tabular-nums">
          <span className="font-semibold text-ink">{planMessages.percent(plan.progress)}</span>
          {elapsed !== undefined && ` · ${planMessages.timeElapsed(elapsed)}`}
        </span>
      </div>
      <LastUpdate plan={plan} context={context} />
      <OpenActions plan={plan} context={context} />
    </>
  )
}

function LastUpdate({ plan, context }: ReviewFactsProps) {
  const { query, feed } = usePlanUpdates(plan.id)
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
          <Notice tone="offline">{messages.updatesNotHere}</Notice>
        </div>
      )}
      {feed && !last && <p className="mt-1 text-sm text-ink-muted">{messages.noUpdate}</p>}
      {last && (
        <div className="mt-1">
          <RichText text={last.body} className="leading-6" />
          <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-ink-faint tabular-nums">
            <span>{context.nameOf(last.user_id) ?? planMessages.someone}</span>
            <time dateTime={last.written_at}>{messages.written(last.written_at)}</time>
          </p>
        </div>
      )}
    </section>
  )
}

const byDue = (a: Action, b: Action) => {
  const [first, second] = [a.due_date ?? '9999', b.due_date ?? '9999']
  return first === second ? a.position - b.position : first < second ? -1 : 1
}

function OpenActions({ plan, context: { today, nameOf } }: ReviewFactsProps) {
  const { actions } = useActions()
  const open = (actions ?? [])
    .filter(
      ({ success_plan_id, status }) =>
        success_plan_id === plan.id && status !== 'done' && status !== 'cancelled',
    )
    .toSorted(byDue)
  return (
    <section className="mt-6">
      <h3 className="text-sm font-semibold text-ink-muted">{messages.openActions}</h3>
      {actions && open.length === 0 && (
        <p className="mt-1 text-sm text-ink-muted">{messages.noActions}</p>
      )}
      <ul className="mt-1 text-sm">
        {open.slice(0, ACTIONS_SHOWN).map((action) => (
          <li
            key={action.id}
            className="flex flex-wrap items-center gap-x-3 border-b border-line py-1.5"
          >
            <span className="min-w-0 grow">{action.title}</span>
            <span className="flex gap-x-3 text-ink-muted tabular-nums">
              {action.assignee_id && <span>{nameOf(action.assignee_id)}</span>}
              {action.due_date &&
                (action.due_date < today ? (
                  <NeedsYou>{messages.due(action.due_date)}</NeedsYou>
                ) : (
                  <span>{messages.due(action.due_date)}</span>
                ))}
            </span>
          </li>
        ))}
      </ul>
      {open.length > ACTIONS_SHOWN && (
        <p className="mt-1.5 text-sm text-ink-faint">
          {messages.moreActions(open.length - ACTIONS_SHOWN)}
        </p>
      )}
    </section>
  )
}
