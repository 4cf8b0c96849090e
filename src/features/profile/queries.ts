import type { NotificationConsents } from '../../../contract/schemas/settings.ts'
import { endpointQuery } from '../../sync/react/query-options.ts'

/** What the signed-in user wants to be mailed. */
export const consentsQuery = () =>
  endpointQuery<NotificationConsents>('getNotificationConsents', {})
