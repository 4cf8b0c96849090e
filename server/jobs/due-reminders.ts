// Of actions that are due, people are told on their devices in the morning: of each once before its day,
// and once when that has passed.
import { dayInTimeZone } from '../../contract/rules.ts'
import type { Database, Tx } from '../database/database.ts'
import { errorFields, log } from '../log.ts'
import { chunked } from '../domain/records.ts'
import { loadConsents } from '../routes/settings.ts'
import { morningIn } from './digest.ts'
import { formatDay, addDays, ownActions, pathOf } from './digest-sections.ts'
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

/** Tells those for whom it is morning. Any number of processes may do it at the same time. */
export async function sendDueReminders(work: ReminderContext): Promise<void> {
  const { database, push } = work
  const now = work.now()
  const users = await database.system((tx) =>
    tx
      .selectFrom('users')
      .innerJoin('push_subscriptions', 'push_subscriptions.user_id', 'users.id')
      .select(['users.id', 'users.timezone'])
      .distinct()
      .execute(),
  )
  for (const user of users) {
    if (!morningIn(user.timezone, now)) continue
    await database
      .system((tx) => remindUser(tx, push, user.id, now))
      .catch((error: unknown) =>
        log('error', 'actions not told', { user_id: user.id, ...errorFields(error) }),
      )
  }
  await push.deliver()
}

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
      .select('actions.id')
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
        at: now.toISOString(),
      }))
      const newIds = new Set<string>()
      for (const chunk of chunked(rows)) {
        const inserted = await tx
          .insertInto('pushes_told')
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
        body: isOne ? `${message.one(formatDay(first.due_date ?? '', today))} · ${name}` : name,
        path: isOne ? pathOf(first) : '/',
        tag: kind,
      })
    }
  }
}
