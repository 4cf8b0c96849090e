import { Link } from 'react-router'
import { useConnection, useLastSync } from '../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { useAccounts } from '../../data/accounts.ts'
import { WhileAway } from '../away/while-away.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { FirstSteps } from './first-steps.tsx'
import { Overview } from './overview.tsx'
import { PendingNotice } from './pending-notice.tsx'
import { homeMessages as messages } from './messages.ts'

/** `/` */
export function Component() {
  const { query, plans } = usePlans()
  const { accounts } = useAccounts()
  const current = useCurrentSession()
  const synced = useLastSync()
  const offline = useConnection() === 'offline'
  const name = current?.user.name.split(' ')[0] ?? ''
  return (
    <>
      <PageHeading title={messages.title}>{messages.heading(name)}</PageHeading>
      <p className="mt-0.5 min-h-5 text-sm text-ink-faint">
        {synced !== null && (offline ? messages.asOf(synced) : messages.upToDate(synced))}
      </p>
      <WhileAway />
      <div className="mt-4 empty:hidden">
        <PendingNotice />
      </div>
      {plans && plans.length > 0 && <Overview plans={plans} accounts={accounts ?? NONE} />}
      {plans?.length === 0 && <FirstSteps hasAccounts={(accounts ?? NONE).length > 0} />}
      {!plans && offline && (
        <Empty
          scene="fog"
          title={messages.notHereTitle}
          action={
            <Link to="/success-plans/new" className={buttonClass('primary')}>
              {messages.newPlan}
            </Link>
          }
        >
          {messages.notHere}
        </Empty>
      )}
      {!plans && !offline && query.isError && (
        <Empty
          scene="fog"
          title={messages.failedTitle}
          action={<Button onClick={() => void query.refetch()}>{messages.retry}</Button>}
        >
          {messages.failedLead}
        </Empty>
      )}
      {!plans && !offline && !query.isError && (
        <div className="mt-6">
          <SkeletonRows label={messages.loading} rows={8} />
        </div>
      )}
    </>
  )
}

const NONE: readonly never[] = []
