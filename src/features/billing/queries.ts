import { sync } from '../../sync/client.ts'
import { answerQuery } from '../../data/record-queries.ts'

/** What the active organisation has, and how much of it is used; for its owner. */
export const subscriptionQuery = () =>
  answerQuery('getSubscription', {}, sync().session.current()?.active_organisation?.id)
