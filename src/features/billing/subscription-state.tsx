import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Subscription } from '../../../contract/schemas/subscriptions.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { subscriptionQuery } from './queries.ts'
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
            <Notice tone="offline">{messages.stale}</Notice>
          </div>
        )}
        {children(query.data)}
      </>
    )
  if (offline)
    return (
      <Empty scene="fog" title={messages.notHereTitle}>
        {messages.notHere}
      </Empty>
    )
  if (query.isError)
    return (
      <Empty
        scene="fog"
        title={messages.failedTitle}
        action={<Button onClick={() => void query.refetch()}>{messages.retry}</Button>}
      />
    )
  return <SkeletonRows label={messages.loading} rows={4} />
}
