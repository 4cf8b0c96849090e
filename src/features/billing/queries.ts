import { sync } from '../../sync/client.ts'
import { answerQuery } from '../../data/record-queries.ts'

/** The subscription and usage of the active organisation; owners only. */
export const subscriptionQuery = () =>
  answerQuery('getSubscription', {}, sync().session.current()?.active_organisation?.id)
