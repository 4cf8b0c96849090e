import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Subscription } from '../../../contract/schemas/subscriptions.ts'
import { CallError } from '../../sync/client.ts'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { AnswerAge } from '../../widgets/screen-states/answer-age.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { subscriptionQuery } from '../../data/billing.ts'
import { billingMessages as messages } from './messages.ts'

const NO_COUNTS = { members: null, active_success_plans: null, accounts: null, templates: null }

/** What stands for the answer of a server without a subscription. */
const NONE: Subscription = {
  plan: null,
  status: 'none',
  current_period_end: null,
  ends_at: null,
  seats: 1,
  limits: NO_COUNTS,
  usage: NO_COUNTS,
}

interface SubscriptionStateProps {
  children: (subscription: Subscription) => ReactNode
}

/** Renders `children` with the subscription, or a placeholder until it is loaded. */
export function SubscriptionState({ children }: SubscriptionStateProps) {
  const query = useQuery(subscriptionQuery())
  const { error } = query
  const isNone = error instanceof CallError && error.status === 404
  const subscription = query.data ?? (isNone ? NONE : undefined)
  if (subscription)
    return (
      <>
        <div className="mb-4">
          <AnswerAge query={query} />
        </div>
        {children(subscription)}
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
