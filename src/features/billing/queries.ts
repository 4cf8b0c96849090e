import type { Subscription } from '../../../contract/schemas/subscriptions.ts'
import { sync } from '../../sync/client.ts'
import { endpointQuery } from '../../sync/react/query-options.ts'

/** The subscription and usage of the active organisation; owners only. */
export const subscriptionQuery = () =>
  endpointQuery<Subscription>(
    'getSubscription',
    {},
    sync().session.current()?.active_organisation?.id,
  )
