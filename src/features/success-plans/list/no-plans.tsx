import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/display/empty.tsx'
import { NoData } from '../../../widgets/screen-states/no-data.tsx'
import { planMessages } from '../messages.ts'
import { listMenuMessages } from './messages.ts'

interface NoPlansProps {
  /** What reads the plans; undefined if they were read, and there are none. */
  query: ComponentProps<typeof NoData>['query'] | undefined
  loading: ReactNode
}

/** What the screen shows while it has no plans, or where there are none yet. */
export function NoPlans({ query, loading }: NoPlansProps) {
  if (query)
    return (
      <NoData query={query} collection="success_plans" messages={planMessages} loading={loading} />
    )
  return (
    <Empty
      title={planMessages.emptyTitle}
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <Link to="/success-plans/new" className={buttonClass('primary')}>
            {planMessages.firstPlan}
          </Link>
          <Link to="?import" className={buttonClass()}>
            {listMenuMessages.import}
          </Link>
        </span>
      }
    >
      {planMessages.empty}
    </Empty>
  )
}
