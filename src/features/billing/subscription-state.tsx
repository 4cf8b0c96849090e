import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Subscription } from '../../../contract/subscriptions.ts'
import { useConnection } from '../../sync/react.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { subscriptionQuery } from './queries.ts'
import { billingWords as words } from './words.ts'

interface SubscriptionStateProps {
  children: (subscription: Subscription) => ReactNode
}

/** What depends on the subscription, and what stands there until it is known. */
export function SubscriptionState({ children }: SubscriptionStateProps) {
  const query = useQuery(subscriptionQuery())
  const offline = useConnection() === 'offline'
  if (query.data)
    return (
      <>
        {offline && (
          <div className="mb-5">
            <Notice tone="offline">{words.stale}</Notice>
          </div>
        )}
        {children(query.data)}
      </>
    )
  if (offline)
    return (
      <Empty scene="fog" title={words.notHereTitle}>
        {words.notHere}
      </Empty>
    )
  if (query.isError)
    return (
      <Empty
        scene="fog"
        title={words.failedTitle}
        action={<Button onClick={() => void query.refetch()}>{words.retry}</Button>}
      />
    )
  return <SkeletonRows label={words.loading} rows={4} />
}
