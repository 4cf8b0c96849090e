// Success plans.
import { sql, type Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import { dayInTimeZone } from '../../contract/rules.ts'
import { canManage } from '../../contract/roles.ts'
import { isVisible } from '../../contract/schemas/fields.ts'
import { OPEN_STATUSES } from '../../contract/values.ts'
import { END_BEFORE_START, endsAfterStart } from '../../contract/schemas/success-plans.ts'
import { templatePlanDates } from '../../contract/schemas/templates.ts'
import { markPlansCounted, recalculatePlan } from '../domain/recalculate.ts'
import { recordAssignments } from '../domain/assignments.ts'
import type { Tx } from '../database/connection.ts'
import { requireMatch } from '../http/if-match.ts'
import { contains, findPage } from '../http/list-query.ts'
import { notifyFollowers } from '../jobs/push-queue.ts'
import { requireCapacity } from '../domain/plan-limits.ts'
import { applyUpdate } from '../domain/plan-updates.ts'
import { createFromTemplate, requireExistingDays } from '../domain/plan-template.ts'
import {
  deleteWithTombstones,
  requireReferences,
  updateAll,
  wasCreated,
} from '../domain/records.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import { nextVersion, type OrganisationScope } from '../domain/organisation.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tables } from '../database/tables.ts'

/** A row of `success_plans`. */
export type PlanRow = Selectable<Tables['success_plans']>

/** A row as the contract's record. */
export const presentPlan = (row: PlanRow) => presentRecord('success_plans', row)

/** The plan with this id. Throws a 404 HttpError when the organisation has none. */
export async function loadPlan(tx: Tx, organisation: Pick<OrganisationScope, 'id'>, id: string) {
  const row = await tx
    .selectFrom('success_plans')
    .selectAll()
    .where('organisation_id', '=', organisation.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

const loadPresentedPlan = async (tx: Tx, organisation: OrganisationScope, id: string) =>
  presentPlan(await loadPlan(tx, organisation, id))

/** As many with the longest texts have at most 16 MiB, so that a shorter page needs no statement more. */
const MOST_UNMEASURED = 200

/**
 * `GET /api/v1/success-plans`: a page of plans, filtered by title, status, type, account and owner.
 */
export const listSuccessPlans = memberRoute(
  endpoints.listSuccessPlans,
  async ({ tx, organisation, query }) => {
    const { title, status, type, account_id, owner_id } = query.filters ?? {}
    const matching = tx
      .selectFrom('success_plans')
      .where('organisation_id', '=', organisation.id)
      .$if(Boolean(title), (rows) => rows.where(contains('title', title ?? '')))
      .$if(Boolean(status), (rows) => rows.where('status', 'in', status ?? []))
      .$if(Boolean(type), (rows) => rows.where('type', '=', type ?? ''))
      .$if(Boolean(account_id), (rows) => rows.where('account_id', '=', account_id ?? null))
      .$if(Boolean(owner_id), (rows) => rows.where('owner_id', '=', owner_id ?? ''))
    return findPage(matching.selectAll(), {
      query,
      organisation,
      sort: query.sort ?? '-created_at',
      textColumns: ['title'],
      mayBeLarge: (query.per_page ?? 0) > MOST_UNMEASURED,
      present: presentPlan,
    })
  },
)

/** `GET /api/v1/success-plans/{id}`: one plan. 404. */
export const getSuccessPlan = memberRoute(
  endpoints.getSuccessPlan,
  async ({ tx, organisation, path }) => ({
    data: await loadPresentedPlan(tx, organisation, path.id),
  }),
)

/**
 * `POST /api/v1/success-plans`: 201, or 200 when the same user already created this id. A template adds
 * its initiatives and actions. 403 at the plan's limit, 422 for references outside of the organisation and
 * an end before the start.
 */
export const createSuccessPlan = memberRoute(
  endpoints.createSuccessPlan,
  async ({ tx, organisation, user, body, now }) => {
    const { id = uuidv7(), skip_weekends: skipWeekends = false, ...fields } = body
    const stored = await wasCreated(tx, 'success_plans', { organisation, user, id })
    if (stored) return { data: await loadPresentedPlan(tx, organisation, id), repeated: true }
    await requireReferences(tx, organisation.id, 'success_plans', fields)
    const template = await findTemplate(tx, organisation, fields.template_id)
    const dates =
      template &&
      templatePlanDates(template, fields, dayInTimeZone(organisation.timezone, new Date(now)))
    if (template && dates) requireExistingDays(template, fields, { ...dates, skipWeekends })
    if (dates && !endsAfterStart(dates)) throw invalid({ end_date: [END_BEFORE_START] })
    const version = await nextVersion(tx, organisation.id)
    await requireCapacity(tx, organisation, 'active_success_plans')
    const plan = await tx
      .insertInto('success_plans')
      .values({
        ...(template && { ...dates, update_cadence_days: template.update_cadence_days }),
        // A date that is null stays without; one that is left out is the template's.
        ...fields,
        type: fields.type ?? 'customer',
        status: fields.status ?? 'planned',
        owner_id: fields.owner_id ?? user.id,
        organisation_id: organisation.id,
        id,
        version,
        created_by: user.id,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await markPlansCounted(tx, organisation.id, [plan.account_id])
    const by = { user_id: user.id, now }
    await recordAssignments(tx, organisation.id, by, [{ id, user_id: plan.owner_id }])
    if (!dates) return { data: presentPlan(plan) }
    const about = { start: dates.start_date, skipWeekends, user_id: user.id, now }
    await createFromTemplate(tx, plan, template, about)
    return { data: await loadPresentedPlan(tx, organisation, id) }
  },
)

async function findTemplate(
  tx: Tx,
  organisation: OrganisationScope,
  id: string | null | undefined,
) {
  if (!id) return undefined
  return tx
    .selectFrom('templates')
    .selectAll()
    .where('organisation_id', '=', organisation.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/**
 * `PATCH /api/v1/success-plans/{id}`: changes the named fields. A change of status, progress or health,
 * and a note, also post an update. 404, 412, 422 for a transition that is not allowed, an end before the start, and
 * references outside of the organisation.
 */
export const updateSuccessPlan = memberRoute(
  endpoints.updateSuccessPlan,
  async ({ services, tx, organisation, user, path, body, now, ifMatch, afterCommit }) => {
    const plan = await loadPlan(tx, organisation, path.id)
    await requireMatch(tx, ifMatch, 'success_plans', presentPlan(plan))
    const { status, progress, health, note = '', outcome, ...fields } = body
    const merged = { ...plan, ...fields }
    if (!endsAfterStart(merged)) throw invalid({ end_date: [END_BEFORE_START] })
    if (merged.type === 'customer' && !merged.account_id)
      throw invalid({ account_id: ['Choose the account that this plan is for.'] })
    await requireReferences(tx, organisation.id, 'success_plans', fields, plan)
    const isTransition = status !== undefined && status !== plan.status
    const isClosed = isTransition && !OPEN_STATUSES.includes(status)
    const close_note = (isClosed && fields.close_note) || undefined
    const text = isVisible(note) ? note : (close_note ?? '')
    await tx
      .updateTable('success_plans')
      .set({
        ...fields,
        // Without a transition these are plain fields; `applyUpdate` sets them in a transition.
        ...(!isTransition && outcome !== undefined && { outcome }),
        ...(health === null && { health }),
        version: await nextVersion(tx, organisation.id),
        updated_at: now,
      })
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', path.id)
      .execute()
    if (merged.account_id !== plan.account_id) {
      await markPlansCounted(tx, organisation.id, [plan.account_id, merged.account_id])
      // Work from a template has the account of its plan.
      if (plan.account_id !== null)
        for (const table of ['initiatives', 'actions'] as const)
          await updateAll(tx, organisation.id, {
            table,
            where: { column: 'success_plan_id', value: path.id, account_id: plan.account_id },
            set: sql`account_id = ${merged.account_id}`,
            now,
          })
    }
    const by = { user_id: user.id, now }
    if (fields.owner_id !== plan.owner_id)
      await recordAssignments(tx, organisation.id, by, [{ id: plan.id, user_id: fields.owner_id }])
    const hasProgress = isTransition || (progress ?? plan.progress) !== plan.progress
    if (hasProgress || (health ?? plan.health) !== plan.health || text !== '') {
      const id = uuidv7()
      await applyUpdate(tx, organisation, await loadPlan(tx, organisation, path.id), {
        id,
        user_id: user.id,
        body: text,
        body_field: 'note',
        status: isTransition ? status : undefined,
        progress: (progress ?? plan.progress) === plan.progress ? undefined : progress,
        health: health ?? undefined,
        outcome: outcome ?? undefined,
        // The stored one may come with a whole record.
        close_note: close_note === plan.close_note ? undefined : close_note,
        written_at: now,
        now,
      })
      await notifyFollowers({ services, tx, organisation, user, afterCommit }, id)
    }
    if (fields.progress_mode === 'auto' && plan.progress_mode !== 'auto')
      await recalculatePlan(tx, organisation.id, path.id, now)
    return { data: await loadPresentedPlan(tx, organisation, path.id) }
  },
)

/** The author of the last update that someone else has posted after that version of the plan. */
async function updatesByOthers(
  tx: Tx,
  plan: Pick<PlanRow, 'id' | 'organisation_id'>,
  user_id: string,
  seen: number,
): Promise<{ success_plan_updates?: string | null }> {
  const last = await tx
    .selectFrom('success_plan_updates')
    .select('user_id')
    .where('organisation_id', '=', plan.organisation_id)
    .where('success_plan_id', '=', plan.id)
    .where('version', '>', seen)
    .where(sql<boolean>`user_id is distinct from ${user_id}`)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ? { success_plan_updates: last.user_id } : {}
}

/**
 * `DELETE /api/v1/success-plans/{id}`: 204, deletes its initiatives, actions and updates too. 403 unless
 * created by the caller or the caller manages the organisation, 404, 412: also for an update that someone else
 * has posted after the version in `If-Match`.
 */
export const deleteSuccessPlan = memberRoute(
  endpoints.deleteSuccessPlan,
  async ({ tx, organisation, user, path, ifMatch }) => {
    const plan = await loadPlan(tx, organisation, path.id)
    await requireMatch(tx, ifMatch, 'success_plans', presentPlan(plan), (seen) =>
      updatesByOthers(tx, plan, user.id, seen),
    )
    if (plan.created_by !== user.id && !canManage(user, organisation))
      throw forbidden('Only an admin can delete what someone else created.')
    for (const kind of ['actions', 'initiatives', 'success_plan_updates'] as const) {
      const children = await tx
        .selectFrom(kind)
        .select('id')
        .where('organisation_id', '=', organisation.id)
        .where('success_plan_id', '=', path.id)
        .execute()
      const ids = children.map(({ id }) => id)
      await deleteWithTombstones(tx, organisation.id, kind, ids)
    }
    await deleteWithTombstones(tx, organisation.id, 'success_plans', [path.id])
    await markPlansCounted(tx, organisation.id, [plan.account_id])
  },
)
