import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Subscription } from '../../../contract/schemas/subscriptions.ts'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { AnswerAge } from '../../widgets/screen-states/answer-age.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { subscriptionQuery } from '../../data/billing.ts'
import { billingMessages as messages } from './messages.ts'

interface SubscriptionStateProps {
  children: (subscription: Subscription) => ReactNode
}

/** Renders `children` with the subscription, or a placeholder until it is loaded. */
export function SubscriptionState({ children }: SubscriptionStateProps) {
  const query = useQuery(subscriptionQuery())
  if (query.data)
    return (
      <>
        <AnswerAge query={query} />
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
