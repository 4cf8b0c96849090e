// Sessions that are ended, with the notifications of their devices.
import { markSessionsChanged } from '../database/change-bus.ts'
import type { Tx } from '../database/connection.ts'
import { lockUser } from './ways-in.ts'

/** How many sessions and subscriptions to notifications ended. */
export interface EndedSessions {
  sessions: number
  notifications: number
}

/** Ends the user's sessions, all or all but one, and their notifications. */
export async function endSessions(
  tx: Tx,
  user_id: string,
  now: string,
  except?: string,
): Promise<EndedSessions> {
  const { numUpdatedRows } = await tx
    .updateTable('token_families')
    .set({ revoked_at: now })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .$if(except !== undefined, (rows) => rows.where('id', '!=', except ?? ''))
    .executeTakeFirst()
  return { sessions: Number(numUpdatedRows), notifications: await afterSessionsEnded(tx, user_id) }
}

/**
 * To be called in a transaction that ended sessions of the user: closes their event streams and ends their
 * notifications, and those of which the session is not known. Returns how many subscriptions ended.
 */
export async function afterSessionsEnded(tx: Tx, user_id: string): Promise<number> {
  markSessionsChanged(tx, user_id)
  // With this lock a device that subscribes at the same time has either finished, or finds its session ended.
  await lockUser(tx, user_id)
  const { numDeletedRows } = await tx
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', user_id)
    .where((row) =>
      row.or([
        // Subscribed before subscriptions named a session: that device does so again at its next start.
        row('family_id', 'is', null),
        row(
          'family_id',
          'in',
          row
            .selectFrom('token_families')
            .select('id')
            .where('user_id', '=', user_id)
            .where('revoked_at', 'is not', null),
        ),
      ]),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
