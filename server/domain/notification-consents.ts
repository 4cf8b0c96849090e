// Which notifications a user has agreed to.
import { DEFAULT_CONSENTS, type NotificationConsents } from '../../contract/schemas/settings.ts'
import type { Tx } from '../database/connection.ts'

/** The user's consents, with defaults for whatever was never set. */
export async function loadConsents(tx: Tx, user_id: string): Promise<NotificationConsents> {
  const stored = await tx
    .selectFrom('notification_consents')
    .select(['email', 'push', 'digest', 'due_lead_days'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return {
    ...DEFAULT_CONSENTS,
    ...stored,
    email: { ...DEFAULT_CONSENTS.email, ...stored?.email },
    push: { ...DEFAULT_CONSENTS.push, ...stored?.push },
  }
}
