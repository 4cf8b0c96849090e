import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/display/empty.tsx'
import { NoData } from '../../../widgets/screen-states/no-data.tsx'
import { useUnreadList } from '../../../widgets/screen-states/use-unread-list.ts'
import type { usePlans } from '../../../data/success-plans/queries.ts'
import { planMessages } from '../messages.ts'
import { listMenuMessages } from './messages.ts'

interface NoPlansProps {
  /** What reads the plans. */
  query: ReturnType<typeof usePlans>['query']
  loading: ReactNode
}

/** What the screen shows while it has no plans, or where there are none yet. */
export function NoPlans({ query, loading }: NoPlansProps) {
  const unread = useUnreadList([{ collection: 'success_plans', query }])
  if (unread || !query.data)
    return (
      <NoData
        query={unread?.query ?? query}
        collection="success_plans"
        messages={planMessages}
        loading={loading}
      />
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
