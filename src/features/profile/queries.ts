import type { NotificationConsents } from '../../../contract/schemas/settings.ts'
import { endpointQuery } from '../../sync/react/query-options.ts'

/** Which e-mails the signed-in user wants. */
export const consentsQuery = () =>
  endpointQuery<NotificationConsents>('getNotificationConsents', {})
