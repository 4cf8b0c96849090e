// The sections of a digest for one organisation, as far as the reader has consented to them.
import { LOCALE } from '../../contract/text/locale.ts'
import { sentence } from '../../contract/text/sentence.ts'
import { dayInTimeZone, isStale } from '../../contract/rules.ts'
import type { NotificationConsents } from '../../contract/schemas/settings.ts'
import type { Tx } from '../database/connection.ts'
import { chunked } from '../domain/records.ts'

/** One section. `path` is the link of an item, within the app. */
export interface Section {
  kind: keyof NotificationConsents['email']
  heading: string
  items: { text: string; path: string }[]
}

/** The reader of a digest. */
export interface Recipient {
  id: string
  consents: NotificationConsents
  /** News is what happened after `since`, up to and including `until` (ISO 8601). */
  since: string
  until: string
}

const CLOSED_PLAN_STATUSES = ['completed', 'cancelled']
export const OPEN_ACTION_STATUSES = ['todo', 'in-progress']

/** The ISO date so many days later. */
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
/** An ISO date as text: `Mar 1`, with the year when it is not that of `today`. Formatted in UTC: a date has no time zone. */
export const formatDay = (day: string, today: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(LOCALE, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' as const }),
  })

interface LinkTarget {
  success_plan_id?: string | null
  account_id?: string | null
}
/** Path of the screen on which an action is shown. */
export const pathOf = ({ success_plan_id, account_id }: LinkTarget) =>
  success_plan_id
    ? `/success-plans/${success_plan_id}`
    : account_id
      ? `/accounts/${account_id}`
      : '/'

/** Open actions of a user, without those of completed and cancelled plans. */
export const ownActions = (tx: Tx, organisation_id: string, user_id: string) =>
  tx
    .selectFrom('actions')
    .leftJoin('success_plans', (join) =>
      join
        .onRef('success_plans.organisation_id', '=', 'actions.organisation_id')
        .onRef('success_plans.id', '=', 'actions.success_plan_id'),
    )
    .select(['actions.title', 'actions.due_date', 'actions.success_plan_id', 'actions.account_id'])
    .where('actions.organisation_id', '=', organisation_id)
    .where('actions.assignee_id', '=', user_id)
    .where('actions.status', 'in', OPEN_ACTION_STATUSES)
    .where((row) =>
      row.or([
        row('success_plans.status', 'is', null),
        row('success_plans.status', 'not in', CLOSED_PLAN_STATUSES),
      ]),
    )

const ownPlans = (tx: Tx, organisation_id: string, user_id: string) =>
  tx
    .selectFrom('success_plans')
    .selectAll('success_plans')
    .where('success_plans.organisation_id', '=', organisation_id)
    .where('success_plans.owner_id', '=', user_id)

/** The sections of one organisation, most urgent first, without empty and unwanted ones. */
export async function buildSections(
  tx: Tx,
  organisation: { id: string; timezone: string },
  recipient: Recipient,
  now: Date,
): Promise<Section[]> {
  const { id: organisation_id, timezone } = organisation
  const today = dayInTimeZone(timezone, now)
  const { email, due_lead_days } = recipient.consents
  const due = await ownActions(tx, organisation_id, recipient.id)
    .where('actions.due_date', '<=', addDays(today, due_lead_days))
    .orderBy('actions.due_date')
    .orderBy('actions.title')
    .execute()
  const dueItems = (actions: typeof due) =>
    actions.map((action) => ({
      text: sentence`${action.title}, due ${formatDay(action.due_date ?? '', today)}`,
      path: pathOf(action),
    }))
  const sections: Section[] = [
    {
      kind: 'action_overdue',
      heading: 'Overdue',
      items: dueItems(due.filter(({ due_date }) => (due_date ?? '') < today)),
    },
    {
      kind: 'action_due',
      heading: 'Due soon',
      items: dueItems(due.filter(({ due_date }) => (due_date ?? '') >= today)),
    },
    {
      kind: 'action_assigned',
      heading: 'Actions assigned to you',
      items: await assigned(tx, 'actions'),
    },
    { kind: 'plan_assigned', heading: 'Plans assigned to you', items: await assigned(tx, 'plans') },
    { kind: 'plan_stale', heading: 'Plans that need an update', items: await stalePlans() },
    {
      kind: 'plan_update',
      heading: 'Updates by others on your plans',
      items: await othersUpdates(),
    },
  ]
  return sections.filter(({ kind, items }) => email[kind] && items.length > 0)

  async function assigned(tx: Tx, what: 'actions' | 'plans') {
    const assignmentsQuery = tx
      .selectFrom('assignments')
      .innerJoin('users', 'users.id', 'assignments.assigned_by')
      .select(['record_id', 'users.name'])
      .where('organisation_id', '=', organisation_id)
      .where('user_id', '=', recipient.id)
      .where('assigned_by', '!=', recipient.id)
      .where('assigned_at', '>', recipient.since)
      .where('assigned_at', '<=', recipient.until)
    const assignedBy = new Map(
      (await assignmentsQuery.execute()).map((row) => [row.record_id, row.name]),
    )
    const items: Section['items'] = []
    for (const ids of chunked([...assignedBy.keys()])) {
      const records =
        what === 'plans'
          ? await ownPlans(tx, organisation_id, recipient.id).where('id', 'in', ids).execute()
          : await ownActions(tx, organisation_id, recipient.id)
              .select('actions.id')
              .where('actions.id', 'in', ids)
              .execute()
      for (const record of records)
        items.push({
          text: sentence`${record.title}, by ${assignedBy.get(record.id) ?? ''}`,
          path:
            'success_plan_id' in record ? pathOf(record) : pathOf({ success_plan_id: record.id }),
        })
    }
    return items
  }

  async function stalePlans() {
    const plans = await ownPlans(tx, organisation_id, recipient.id)
      .where('status', '=', 'in-progress')
      .orderBy('last_update_at')
      .execute()
    return plans
      .filter((plan) => isStale(plan as Parameters<typeof isStale>[0], now.getTime()))
      .map(({ id, title }) => ({ text: title, path: pathOf({ success_plan_id: id }) }))
  }

  async function othersUpdates() {
    const written = await ownPlans(tx, organisation_id, recipient.id)
      .innerJoin('success_plan_updates as updates', (join) =>
        join
          .onRef('updates.organisation_id', '=', 'success_plans.organisation_id')
          .onRef('updates.success_plan_id', '=', 'success_plans.id'),
      )
      .innerJoin('users', 'users.id', 'updates.user_id')
      .select('users.name as author')
      .where('updates.user_id', '!=', recipient.id)
      .where('updates.created_at', '>', recipient.since)
      .where('updates.created_at', '<=', recipient.until)
      .orderBy('updates.created_at')
      .execute()
    return written.map(({ id, title, author }) => ({
      text: sentence`${title}, by ${author}`,
      path: pathOf({ success_plan_id: id }),
    }))
  }
}
