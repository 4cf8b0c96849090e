// The sections of a digest for one organisation, as far as the reader has consented to them.
import { sql } from 'kysely'
import { LOCALE } from '../../contract/text/locale.ts'
import { sentence } from '../../contract/text/sentence.ts'
import { DEFAULT_CADENCE_DAYS, dayInTimeZone } from '../../contract/rules.ts'
import type { NotificationConsents } from '../../contract/schemas/settings.ts'
import type { Tx } from '../database/connection.ts'

/** Further items of a section are only counted. */
const MAX_ITEMS = 15

/** One section. `path` is the link of an item, within the app. */
export interface Section {
  kind: keyof NotificationConsents['email']
  heading: string
  items: { text: string; path: string }[]
  /** Of all items, the further ones as well. */
  total: number
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
/** An ISO date as text: `Mar 1`, with the year when it is not that of `today`. In UTC: a date has no time zone. */
export const formatDay = (day: string, today: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(LOCALE, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' as const }),
  })

interface ActionPlace {
  id: string
  initiative_id: string | null
  success_plan_id: string | null
  account_id: string | null
}
/** Path of the row of an action, as `actionPath` of the app has it; an action of nothing is on the home screen. */
export function pathOfAction({ id, initiative_id, success_plan_id, account_id }: ActionPlace) {
  if (initiative_id) return `/initiatives?open=${initiative_id}#${id}`
  if (success_plan_id) return `/success-plans/${success_plan_id}?show=initiatives#${id}`
  return account_id ? `/accounts/${account_id}` : '/'
}

/** Open actions of a user, without those of completed and cancelled plans. */
export const ownActions = (tx: Tx, organisation_id: string, user_id: string) =>
  tx
    .selectFrom('actions')
    .leftJoin('success_plans', (join) =>
      join
        .onRef('success_plans.organisation_id', '=', 'actions.organisation_id')
        .onRef('success_plans.id', '=', 'actions.success_plan_id'),
    )
    .select([
      'actions.id',
      'actions.title',
      'actions.due_date',
      'actions.initiative_id',
      'actions.success_plan_id',
      'actions.account_id',
    ])
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
    .select(['success_plans.id', 'success_plans.title'])
    .where('success_plans.organisation_id', '=', organisation_id)
    .where('success_plans.owner_id', '=', user_id)

/** What others have assigned to the reader since the last digest. */
const assignments = (tx: Tx, organisation_id: string, { id, since, until }: Recipient) =>
  tx
    .selectFrom('assignments')
    .innerJoin('users', 'users.id', 'assignments.assigned_by')
    .select(['assignments.record_id', 'users.name as author'])
    .where('assignments.organisation_id', '=', organisation_id)
    .where('assignments.user_id', '=', id)
    .where('assignments.assigned_by', '!=', id)
    .where('assignments.assigned_at', '>', since)
    .where('assignments.assigned_at', '<=', until)

interface Row {
  title: string
  total: number
}

/** The first rows of a section, each with the number of all. `textOf`: of an item. */
async function read<T extends Row>(
  matching: { limit: (rows: number) => { execute: () => Promise<T[]> } },
  pathOfRow: (row: T) => string,
  textOf: (row: T) => string,
): Promise<Pick<Section, 'items' | 'total'>> {
  const rows = await matching.limit(MAX_ITEMS).execute()
  const items = rows.map((row) => ({ text: textOf(row), path: pathOfRow(row) }))
  return { items, total: rows[0]?.total ?? 0 }
}

const total = sql<number>`count(*) over ()`.as('total')
const pathOfPlan = ({ id }: { id: string }) => `/success-plans/${id}`
const byAuthor = ({ title, author }: { title: string; author: string }) =>
  sentence`${title}, by ${author}`

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
  const actions = () => ownActions(tx, organisation_id, recipient.id).select(total)
  const plans = () => ownPlans(tx, organisation_id, recipient.id).select(total)

  const due = (from: string | undefined, to: string) => {
    const matching = actions()
      .where('actions.due_date', '<=', to)
      .$if(from !== undefined, (rows) => rows.where('actions.due_date', '>=', from ?? ''))
      .orderBy('actions.due_date')
      .orderBy('actions.title')
    return read(
      matching,
      pathOfAction,
      ({ title, due_date }) => sentence`${title}, due ${formatDay(due_date ?? '', today)}`,
    )
  }
  const assigned = assignments(tx, organisation_id, recipient).as('assigned')
  const assignedActions = () =>
    read(
      actions()
        .innerJoin(assigned, 'assigned.record_id', 'actions.id')
        .select('assigned.author')
        .orderBy('actions.id'),
      pathOfAction,
      byAuthor,
    )
  const assignedPlans = () =>
    read(
      plans()
        .innerJoin(assigned, 'assigned.record_id', 'success_plans.id')
        .select('assigned.author')
        .orderBy('success_plans.id'),
      pathOfPlan,
      byAuthor,
    )
  // As `isStale`.
  const stalePlans = () =>
    read(
      plans()
        .where('status', '=', 'in-progress')
        .where(
          sql<boolean>`coalesce(last_update_at, created_at)
            + coalesce(update_cadence_days, ${DEFAULT_CADENCE_DAYS}) * interval '24 hours'
            < ${now.toISOString()}`,
        )
        .orderBy('last_update_at'),
      pathOfPlan,
      ({ title }) => title,
    )
  const othersUpdates = () =>
    read(
      plans()
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
        .orderBy('updates.created_at'),
      pathOfPlan,
      byAuthor,
    )

  const readers: [Section['kind'], heading: string, () => ReturnType<typeof read>][] = [
    ['action_overdue', 'Overdue', () => due(undefined, addDays(today, -1))],
    ['action_due', 'Due soon', () => due(today, addDays(today, due_lead_days))],
    ['action_assigned', 'Actions assigned to you', assignedActions],
    ['plan_assigned', 'Plans assigned to you', assignedPlans],
    ['plan_stale', 'Plans that need an update', stalePlans],
    ['plan_update', 'Updates by others on your plans', othersUpdates],
  ]
  const sections: Section[] = []
  for (const [kind, heading, readItems] of readers) {
    if (!email[kind]) continue
    const found = await readItems()
    if (found.total > 0) sections.push({ kind, heading, ...found })
  }
  return sections
}
