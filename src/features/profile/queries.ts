import type { NotificationConsents } from '../../../contract/settings.ts'
import { endpointQuery } from '../../sync/queries.ts'

/** What the signed-in user wants to be mailed. */
export const consentsQuery = () =>
  endpointQuery<NotificationConsents>('getNotificationConsents', {})
