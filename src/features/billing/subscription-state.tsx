import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Subscription } from '../../../contract/schemas/subscriptions.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { Notice } from '../../ui/display/notice.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { subscriptionQuery } from '../../data/billing.ts'
import { billingMessages as messages } from './messages.ts'

interface SubscriptionStateProps {
  children: (subscription: Subscription) => ReactNode
}

/** Renders `children` with the subscription, or a placeholder until it is loaded. */
export function SubscriptionState({ children }: SubscriptionStateProps) {
  const query = useQuery(subscriptionQuery())
  const offline = useConnection() === 'offline'
  if (query.data)
    return (
      <>
        {offline && (
          <div className="mb-5">
            <Notice tone="offline">{messages.stale(query.dataUpdatedAt)}</Notice>
          </div>
        )}
        {children(query.data)}
      </>
    )
  return (
    <NoData
      query={query}
      messages={messages}
      loading={<SkeletonRows label={messages.loading} rows={4} />}
    />
  )
}
