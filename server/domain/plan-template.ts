// Creates initiatives and actions from a template, and a template from a plan.
import { sql, type Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { daysBetween } from '../../contract/rules.ts'
import { isCalendarDay } from '../../contract/schemas/fields.ts'
import {
  MAX_TEMPLATE_ACTIONS,
  MAX_TEMPLATE_INITIATIVES,
  templateSchedule,
  type TemplateInitiative,
} from '../../contract/schemas/templates.ts'
import { validationMessages as messages } from '../../contract/text/messages.ts'
import { recordAssignments } from './assignments.ts'
import type { Tx } from '../database/connection.ts'
import { recalculatePlan } from './recalculate.ts'
import { chunked } from './records.ts'
import { invalid } from '../errors/http-error.ts'
import { nextVersion } from './organisation.ts'
import type { Tables } from '../database/tables.ts'

type Plan = Selectable<Tables['success_plans']>
type Template = Selectable<Tables['templates']>

interface Assignee {
  assignee_id: string | null
  assignee_contact: string | null
}

/** The assignee for each role of a template, for this plan. */
async function assigneesOf(tx: Tx, plan: Plan): Promise<Record<string, Assignee>> {
  const account =
    plan.account_id === null
      ? undefined
      : await tx
          .selectFrom('accounts')
          .select(['owner_id', 'contacts'])
          .where('organisation_id', '=', plan.organisation_id)
          .where('id', '=', plan.account_id)
          .executeTakeFirst()
  const contacts = account?.contacts ?? []
  const contact = contacts.find(({ is_primary }) => is_primary) ?? contacts[0]
  const customerContact = contact && JSON.stringify({ name: contact.name, email: contact.email })
  return {
    'plan-owner': { assignee_id: plan.owner_id, assignee_contact: null },
    'account-owner': { assignee_id: account?.owner_id ?? null, assignee_contact: null },
    customer: { assignee_id: null, assignee_contact: customerContact ?? null },
  }
}

/**
 * Inserts the template's initiatives and actions for a new plan and derives its counts and progress from
 * them. `start`: ISO date.
 */
export async function createFromTemplate(
  tx: Tx,
  plan: Plan,
  template: Template,
  about: { start: string; skipWeekends: boolean; user_id: string; now: string },
): Promise<void> {
  const { organisation_id, id: success_plan_id, account_id } = plan
  const { initiatives } = templateSchedule(template, about.start, about.skipWeekends)
  if (initiatives.length === 0) return
  const assignees = await assigneesOf(tx, plan)
  const records = initiatives.length + initiatives.flatMap(({ actions }) => actions).length
  let version = (await nextVersion(tx, organisation_id, records)) - records + 1
  const commonColumns = (index: number) => ({
    organisation_id,
    id: uuidv7(),
    success_plan_id,
    account_id,
    position: index + 1,
    version: version++,
    created_by: about.user_id,
    created_at: about.now,
    updated_at: about.now,
  })
  const rows = initiatives.map(({ actions, ...initiative }, index) => {
    const row = {
      ...initiative,
      ...commonColumns(index),
      status: 'planned',
      owner_id: plan.owner_id,
    }
    return {
      row,
      actions: actions.map(({ assignee_role, ...action }, actionIndex) => ({
        ...action,
        ...commonColumns(actionIndex),
        ...assignees[assignee_role ?? ''],
        initiative_id: row.id,
        status: 'todo',
      })),
    }
  })
  const actions = rows.flatMap((row) => row.actions)
  for (const chunk of chunked(rows.map(({ row }) => row)))
    await tx.insertInto('initiatives').values(chunk).execute()
  for (const chunk of chunked(actions)) await tx.insertInto('actions').values(chunk).execute()
  const assigned = actions.map(({ id, assignee_id }) => ({ id, user_id: assignee_id }))
  await recordAssignments(tx, organisation_id, about, assigned)
  await recalculatePlan(tx, organisation_id, success_plan_id, about.now)
}

/**
 * Throws a 422 HttpError, at the field that the other days are counted from, where a plan, initiative or action would
 * begin or end outside of the years 1 to 9999.
 */
export function requireExistingDays(
  template: Template,
  draft: { start_date?: string | null | undefined },
  plan: { start_date: string; end_date: string; skipWeekends: boolean },
): void {
  const { initiatives } = templateSchedule(template, plan.start_date, plan.skipWeekends)
  const days = [
    plan.start_date,
    plan.end_date,
    ...initiatives.flatMap(({ start_date, end_date, actions }) => [
      start_date,
      end_date,
      ...actions.map(({ due_date }) => due_date),
    ]),
  ]
  if (!days.every(isCalendarDay))
    throw invalid({ [draft.start_date ? 'start_date' : 'end_date']: [messages.existingDay] })
}

/** Of its content as JSON: what a request that sends a template may have. */
const MAX_TEMPLATE_BYTES = 1024 * 1024

const noTemplate = (message: string) => invalid({ from_success_plan_id: [message] })
const tooMuchText = () =>
  noTemplate('This plan has more text than a template can have. Shorten its descriptions first.')

/**
 * Throws a 422 HttpError where the plan has more than a template may have. Plans have no such limits, so its work is
 * counted before it is read.
 */
async function requireTemplateSize(tx: Tx, { organisation_id, id }: Plan): Promise<void> {
  const initiatives = await tx
    .selectFrom('initiatives')
    .leftJoin('actions', (join) =>
      join
        .onRef('actions.organisation_id', '=', 'initiatives.organisation_id')
        .onRef('actions.initiative_id', '=', 'initiatives.id')
        .on('actions.status', '!=', 'cancelled'),
    )
    .select((row) => [
      'initiatives.title',
      row.fn.count<number>('actions.id').as('actions'),
      sql<number>`coalesce(octet_length(initiatives.description), 0)
        + coalesce(sum(octet_length(actions.description)), 0)`.as('bytes'),
    ])
    .where('initiatives.organisation_id', '=', organisation_id)
    .where('initiatives.success_plan_id', '=', id)
    .groupBy(['initiatives.organisation_id', 'initiatives.id'])
    .orderBy('initiatives.position')
    .orderBy('initiatives.id')
    .limit(MAX_TEMPLATE_INITIATIVES + 1)
    .execute()
  if (initiatives.length > MAX_TEMPLATE_INITIATIVES)
    throw noTemplate(
      `A template can have ${MAX_TEMPLATE_INITIATIVES} initiatives, and this plan has more. Delete some, or move them to another plan first.`,
    )
  const long = initiatives.find(({ actions }) => actions > MAX_TEMPLATE_ACTIONS)
  if (long)
    throw noTemplate(
      `An initiative of a template can have ${MAX_TEMPLATE_ACTIONS} actions, and “${long.title}” has ${long.actions}. Cancel some, or move them to another initiative first.`,
    )
  if (initiatives.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_TEMPLATE_BYTES)
    throw tooMuchText()
}

/**
 * The initiatives and actions of a plan as a template's content, with offsets in days from the plan's
 * start. Throws a 422 HttpError where they are more than a template may have.
 */
export async function templateFromPlan(tx: Tx, plan: Plan) {
  const { organisation_id, id: success_plan_id } = plan
  await requireTemplateSize(tx, plan)
  const initiatives = await tx
    .selectFrom('initiatives')
    .select(['id', 'title', 'description', 'start_date', 'end_date'])
    .where('organisation_id', '=', organisation_id)
    .where('success_plan_id', '=', success_plan_id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const actionsOfPlan = tx
    .selectFrom('actions')
    .where('organisation_id', '=', organisation_id)
    .where('success_plan_id', '=', success_plan_id)
  const actions = await actionsOfPlan
    .select([
      'initiative_id',
      'title',
      'description',
      'due_date',
      'assignee_id',
      'assignee_contact',
    ])
    .where('initiative_id', 'is not', null)
    .where('status', '!=', 'cancelled')
    .orderBy('position')
    .orderBy('id')
    .execute()
  const due = await actionsOfPlan
    .select(({ fn }) => [fn.min('due_date').as('first'), fn.max('due_date').as('last')])
    .executeTakeFirstOrThrow()
  const account = await tx
    .selectFrom('accounts')
    .select('owner_id')
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', plan.account_id)
    .executeTakeFirst()
  const dates = [plan, ...initiatives].flatMap(({ start_date, end_date }) => [start_date, end_date])
  const days = [...dates, due.first, due.last].filter((day) => day !== null).toSorted()
  const start = plan.start_date ?? days[0] ?? plan.created_at.slice(0, 10)
  const offsetDays = (day: string | null | undefined) => clamp(daysBetween(start, day ?? start))
  const duration_days = Math.max(1, offsetDays(plan.end_date ?? days.at(-1)))
  const roleOf = (action: (typeof actions)[number]) => {
    if (action.assignee_contact) return 'customer'
    if (action.assignee_id === null) return null
    if (action.assignee_id === plan.owner_id) return 'plan-owner'
    return action.assignee_id === account?.owner_id ? 'account-owner' : null
  }
  const content = initiatives.map((initiative): TemplateInitiative => {
    const start_offset_days = offsetDays(initiative.start_date)
    const end_offset_days = initiative.end_date ? offsetDays(initiative.end_date) : duration_days
    return {
      title: initiative.title,
      description: initiative.description,
      start_offset_days,
      end_offset_days: Math.max(start_offset_days, end_offset_days),
      actions: actions
        .filter(({ initiative_id }) => initiative_id === initiative.id)
        .map((action) => ({
          title: action.title,
          description: action.description,
          due_offset_days: action.due_date ? offsetDays(action.due_date) : duration_days,
          assignee_role: roleOf(action),
        })),
    }
  })
  if (Buffer.byteLength(JSON.stringify(content)) > MAX_TEMPLATE_BYTES) throw tooMuchText()
  return { duration_days, initiatives: content }
}

const clamp = (days: number) => Math.min(3_650, Math.max(0, days))
