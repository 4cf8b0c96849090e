import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { isOverdue, isPlanOpen } from '../../../../contract/rules.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { NoData } from '../../../widgets/screen-states/no-data.tsx'
import type { useUnreadList } from '../../../widgets/screen-states/use-unread-list.ts'
import { HealthMark, NeedsYou, StatusTag } from '../../../widgets/status/tags.tsx'
import { planMessages } from '../../success-plans/messages.ts'
import { accountMessages as messages, accountPageMessages } from '../messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

interface AccountPlansProps {
  account_id: string
  /** Undefined until they are loaded. */
  plans: readonly SuccessPlan[] | undefined
  /** The list of all plans, where some of it may be missing. */
  unread: ReturnType<typeof useUnreadList>
  today: string
}

/** The plans of an account, one line each on a desktop. */
export function AccountPlans({ account_id, plans, unread, today }: AccountPlansProps) {
  return (
    <section aria-labelledby="plans" className="@container">
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="plans" className="text-base font-semibold">
          {messages.plansTitle}
        </h2>
        <Link
          to={`/success-plans/new?account=${encodeURIComponent(account_id)}`}
          className={buttonClass()}
        >
          <Plus aria-hidden />
          {messages.newPlan}
        </Link>
      </div>
      <ul className="border-t border-line">
        {plans?.map((plan) => (
          <li key={plan.id} className="border-b border-line">
            <PlanLine plan={plan} today={today} />
          </li>
        ))}
      </ul>
      {unread &&
        (plans ? (
          <p className="py-4 text-sm text-ink-muted">{messages.plansMissing}</p>
        ) : (
          <NoData
            query={unread.query}
            collection="success_plans"
            messages={planMessages}
            loading={<SkeletonRows label={planMessages.loading} rows={2} />}
          />
        ))}
      {plans?.length === 0 && <p className="py-4 text-sm text-ink-muted">{messages.noPlans}</p>}
    </section>
  )
}

function PlanLine({ plan, today }: { plan: SuccessPlan; today: string }) {
  const { id, title, status, health, end_date, progress } = plan
  return (
    <Link
      to={planPath(id)}
      data-plan={id}
      className="group grid min-h-12 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-2.5 text-sm -outline-offset-2 hover:bg-raised @xl:grid-cols-[minmax(0,1fr)_7rem_6rem_8rem_3rem]"
    >
      <span
        dir="auto"
        className="line-clamp-2 text-base font-semibold group-hover:text-accent col-span-2 @xl:col-span-1"
      >
        {title}
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 @xl:contents">
        <StatusTag status={status} />
        {/* What a plan was rated last says nothing once it is closed, as in the chart of health. */}
        {health && isPlanOpen(plan) ? (
          <HealthMark health={health} />
        ) : (
          <span className="@max-xl:hidden" />
        )}
        <span className="whitespace-nowrap text-ink-muted tabular-nums">
          {end_date &&
            (isOverdue(plan, today) ? (
              <NeedsYou>{accountPageMessages.ended(end_date)}</NeedsYou>
            ) : (
              <time dateTime={end_date}>{messages.day(end_date)}</time>
            ))}
        </span>
      </span>
      <span className="justify-self-end tabular-nums">{accountPageMessages.percent(progress)}</span>
    </Link>
  )
}
