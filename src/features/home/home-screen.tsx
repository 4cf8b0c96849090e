import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { PageHeader } from '../../widgets/screen-states/page-header.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { useUnreadList } from '../../widgets/screen-states/use-unread-list.ts'
import { useAccounts } from '../../data/accounts.ts'
import { useActions } from '../../data/actions.ts'
import { WhileAway } from '../away/while-away.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { Overview } from './overview.tsx'
import { PendingNotice } from './pending-notice.tsx'
import { homeMessages as messages } from './messages.ts'

/** What needs the user. */
export function Home() {
  const { query, plans } = usePlans()
  const { query: accountsQuery, accounts } = useAccounts()
  const { query: actionsQuery, actions } = useActions()
  const unread = useUnreadList([
    { collection: 'success_plans', query },
    { collection: 'actions', query: actionsQuery },
    { collection: 'accounts', query: accountsQuery },
  ])
  const isUnread = !plans || (plans.length === 0 && unread?.collection === 'success_plans')
  const current = useCurrentSession()
  const name = current?.user.name.split(' ')[0] ?? ''
  return (
    <>
      <PageHeader
        title={messages.title}
        age={{ neverSynced: isUnread ? undefined : messages.arriving }}
      >
        {messages.heading(name)}
      </PageHeader>
      <WhileAway />
      <div className="mt-4 empty:hidden">
        <PendingNotice />
      </div>
      {!isUnread && (
        <Overview
          plans={plans}
          actions={actions ?? NONE}
          accounts={accounts ?? NONE}
          unread={
            unread && {
              ...unread,
              messages: {
                ...messages,
                notHereTitle: messages.notAllHereTitle,
                notHere: messages.notAllHere,
                failedTitle: messages.notAllTitle,
                failed: messages.failedLead,
              },
              loading: LOADING,
            }
          }
        />
      )}
      {isUnread && (
        <NoData
          query={unread?.query ?? query}
          collection="success_plans"
          messages={{ ...messages, failed: messages.failedLead }}
          loading={LOADING}
          offlineAction={
            <Link to="/success-plans/new" className={buttonClass('primary')}>
              {messages.newPlan}
            </Link>
          }
        />
      )}
    </>
  )
}

const NONE: readonly never[] = []
const LOADING = (
  <div className="mt-6">
    <SkeletonRows label={messages.loading} rows={8} />
  </div>
)
