// Recipients and text of the notification of an update. It does not quote the update, because a locked screen
// shows it.
import { sql } from 'kysely'
import type { PushMessage } from '../../contract/schemas/push.ts'
import { DEFAULT_CONSENTS } from '../../contract/schemas/settings.ts'
import { sentence } from '../../contract/text/sentence.ts'
import type { Tx } from '../database/connection.ts'

/**
 * One message for each follower of the update's plan: members other than the author who own the plan or have
 * posted on it, and who consented to such notifications. Empty when the update was deleted.
 */
export async function messagesForUpdate(
  tx: Tx,
  organisation_id: string,
  update_id: string,
): Promise<PushMessage[]> {
  const update = await tx
    .selectFrom('success_plan_updates as updates')
    .innerJoin('success_plans', (join) =>
      join
        .onRef('success_plans.organisation_id', '=', 'updates.organisation_id')
        .onRef('success_plans.id', '=', 'updates.success_plan_id'),
    )
    .innerJoin('users', 'users.id', 'updates.user_id')
    .innerJoin('organisations', 'organisations.id', 'updates.organisation_id')
    .select([
      'updates.user_id',
      'success_plans.id as plan_id',
      'success_plans.title',
      'success_plans.owner_id',
      'users.name as author',
      'organisations.name as organisation',
    ])
    .where('updates.organisation_id', '=', organisation_id)
    .where('updates.id', '=', update_id)
    .executeTakeFirst()
  if (!update) return []
  const recipients = await tx
    .selectFrom('organisation_users as members')
    .leftJoin('notification_consents as consents', 'consents.user_id', 'members.user_id')
    .select('members.user_id')
    .where('members.organisation_id', '=', organisation_id)
    .where('members.user_id', '!=', update.user_id)
    .where(
      sql<boolean>`coalesce((consents.push ->> 'plan_update')::boolean,
        ${DEFAULT_CONSENTS.push.plan_update}::boolean)`,
    )
    .where((row) =>
      row.or([
        row('members.user_id', '=', update.owner_id),
        row.exists(
          row
            .selectFrom('success_plan_updates as own')
            .select('own.id')
            .where('own.organisation_id', '=', organisation_id)
            .where('own.success_plan_id', '=', update.plan_id)
            .whereRef('own.user_id', '=', 'members.user_id'),
        ),
      ]),
    )
    .execute()
  return recipients.map(({ user_id }) => ({
    user_id,
    organisation_id,
    title: update.title,
    body: sentence`${update.author} posted an update · ${update.organisation}`,
    path: `/success-plans/${update.plan_id}`,
    tag: update.plan_id.replaceAll('-', ''),
  }))
}
