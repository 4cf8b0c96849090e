import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { daysBetween, isOverdue, isStale } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/success-plans.ts'
import { PageHeading } from '../../ui/page-heading.tsx'
import { accountsByIdQuery } from '../accounts/queries.ts'
import { HealthMark, NeedsYou, Quiet, StatusTag } from './plan-tags.tsx'
import { StatusChange } from './status-change.tsx'
import { planWords } from './words.ts'

interface PlanHeaderProps {
  plan: SuccessPlan
  today: string
  /** Epoch milliseconds. */
  now: number
}

/** What a plan is and how it stands, in one look. */
export function PlanHeader({ plan, today, now }: PlanHeaderProps) {
  const account = useQuery(accountsByIdQuery()).data?.get(plan.account_id ?? '')
  const last = plan.last_update_at ?? plan.created_at
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-80">
        <PageHeading title={plan.title} className="text-2xl text-pretty" />
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-muted">
          <StatusTag status={plan.status} />
          {plan.health && <HealthMark health={plan.health} />}
          {account && (
            <Link
              to={`/accounts/${account.id}`}
              className="inline-flex items-center font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11"
            >
              {account.name}
            </Link>
          )}
          {plan.end_date && (
            <time dateTime={plan.end_date} className="tabular-nums">
              {planWords.ends(plan.end_date)}
            </time>
          )}
          {plan.end_date && isOverdue(plan, today) && (
            <NeedsYou>{planWords.overdueBy(daysBetween(plan.end_date, today))}</NeedsYou>
          )}
          {last && isStale(plan, now) && <Quiet>{planWords.staleSince(last)}</Quiet>}
        </p>
      </div>
      <StatusChange plan={plan} />
    </header>
  )
}
