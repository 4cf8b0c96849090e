// Reminders of due and overdue actions, as notifications in the morning.
import { dayInTimeZone } from '../../contract/rules.ts'
import { sentence } from '../../contract/text/sentence.ts'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { chunked } from '../domain/records.ts'
import { loadConsents } from '../domain/notification-consents.ts'
import { MORNING_BATCH_SIZE, runMorningJob, type Morning } from './morning.ts'
import { formatDay, addDays, ownActions, pathOfAction } from './digest-sections.ts'
import type { PushQueue } from './push-queue.ts'

interface ReminderContext {
  database: Database
  push: PushQueue
  now: () => Date
}

type ReminderKind = 'action_overdue' | 'action_due'

const MESSAGES: Record<
  ReminderKind,
  { one: (day: string) => string; many: (count: number) => string }
> = {
  action_overdue: {
    one: (day) => `Overdue since ${day}`,
    many: (count) => `${count} of your actions are overdue`,
  },
  action_due: {
    one: (day) => `Due ${day}`,
    many: (count) => `${count} of your actions are due soon`,
  },
}

/** Enqueues the reminders of all users for whom it is morning, and sends them. */
export async function sendDueReminders({
  database,
  push,
  now: clock,
}: ReminderContext): Promise<void> {
  const now = clock()
  await runMorningJob(database, now, {
    users: findUsersWithPush,
    run: (tx, { id }) => remindUser(tx, push, id, now),
    failureEvent: 'due reminders not enqueued',
  })
  await push.deliver()
}

const findUsersWithPush = (tx: Tx, { timezone }: Morning, afterId: string) =>
  tx
    .selectFrom('users')
    .select('users.id')
    .where('users.timezone', '=', timezone)
    .where('users.id', '>', afterId)
    .where((row) =>
      row.exists(
        row
          .selectFrom('push_subscriptions')
          .select('push_subscriptions.id')
          .whereRef('push_subscriptions.user_id', '=', 'users.id'),
      ),
    )
    .orderBy('users.id')
    .limit(MORNING_BATCH_SIZE)
    .execute()

/**
 * Enqueues one notification for each organisation and kind. Each action is announced once before its due
 * date and once after it: a unique row of `sent_reminders` claims that.
 */
async function remindUser(tx: Tx, push: PushQueue, user_id: string, now: Date): Promise<void> {
  const { push: wanted, due_lead_days } = await loadConsents(tx, user_id)
  const organisations = await tx
    .selectFrom('organisation_users')
    .innerJoin('organisations', 'organisations.id', 'organisation_users.organisation_id')
    .select(['organisations.id', 'organisations.name', 'organisations.timezone'])
    .where('organisation_users.user_id', '=', user_id)
    .execute()
  for (const { id: organisation_id, name, timezone } of organisations) {
    const today = dayInTimeZone(timezone, now)
    const due = await ownActions(tx, organisation_id, user_id)
      .where('actions.due_date', '<=', addDays(today, due_lead_days))
      .orderBy('actions.due_date')
      .execute()
    for (const kind of ['action_overdue', 'action_due'] as const) {
      const isOverdue = kind === 'action_overdue'
      const matching = due.filter(({ due_date }) => (due_date ?? '') < today === isOverdue)
      if (!wanted[kind] || matching.length === 0) continue
      const rows = matching.map(({ id: action_id, due_date }) => ({
        organisation_id,
        user_id,
        action_id,
        kind,
        due_date: due_date ?? '',
        sent_at: now.toISOString(),
      }))
      const newIds = new Set<string>()
      for (const chunk of chunked(rows)) {
        const inserted = await tx
          .insertInto('sent_reminders')
          .values(chunk)
          .onConflict((conflict) => conflict.doNothing())
          .returning('action_id')
          .execute()
        for (const { action_id } of inserted) newIds.add(action_id)
      }
      const [first, ...others] = matching.filter(({ id }) => newIds.has(id))
      if (!first) continue
      const message = MESSAGES[kind]
      const isOne = others.length === 0
      await push.enqueue(tx, {
        user_id,
        organisation_id,
        title: isOne ? first.title : message.many(others.length + 1),
        body: isOne
          ? sentence`${message.one(formatDay(first.due_date ?? '', today))} · ${name}`
          : name,
        path: isOne ? pathOfAction(first) : '/',
        // Those of another organisation do not replace it.
        tag: `${kind}-${organisation_id}`,
      })
    }
  }
}
