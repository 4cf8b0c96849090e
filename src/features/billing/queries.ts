import type { Subscription } from '../../../contract/schemas/subscriptions.ts'
import { sync } from '../../sync/client.ts'
import { endpointQuery } from '../../sync/react/query-options.ts'

/** What the active organisation has, and how much of it is used; for its owner. */
export const subscriptionQuery = () =>
  endpointQuery<Subscription>(
    'getSubscription',
    {},
    sync().session.current()?.active_organisation?.id,
  )
