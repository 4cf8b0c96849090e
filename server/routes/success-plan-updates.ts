// The updates of a plan. They are append-only.
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import type { Tx } from '../database/connection.ts'
import { requireMatch } from '../http/if-match.ts'
import { findPage } from '../http/list-query.ts'
import { notifyFollowers } from '../jobs/push-queue.ts'
import { applyUpdate } from '../domain/plan-updates.ts'
import { isOwn, storedUnder } from '../domain/records.ts'
import { invalid, notFound } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import type { OrganisationScope } from '../domain/organisation.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tables } from '../database/tables.ts'
import { loadPlan, presentPlan } from './success-plans.ts'

/** A row as the contract's record. */
const presentUpdate = (row: Selectable<Tables['success_plan_updates']>) =>
  presentRecord('success_plan_updates', row)

const loadUpdate = async (tx: Tx, organisation: OrganisationScope, id: string) =>
  presentUpdate(
    await tx
      .selectFrom('success_plan_updates')
      .selectAll()
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )

/** `GET /api/v1/success-plans/{id}/updates`: a page of updates, newest first by default. 404. */
export const listPlanUpdates = memberRoute(
  endpoints.listPlanUpdates,
  async ({ tx, organisation, path, query }) => {
    const plan = await loadPlan(tx, organisation, path.id)
    const updates = tx
      .selectFrom('success_plan_updates')
      .selectAll()
      .where('organisation_id', '=', organisation.id)
      .where('success_plan_id', '=', plan.id)
    const sort = query.sort ?? '-written_at'
    const tieBreak = sort.startsWith('-') ? '-id' : 'id'
    return findPage(updates, { query, organisation, sort, tieBreak, present: presentUpdate })
  },
)

/**
 * `POST /api/v1/success-plans/{id}/updates`: 201 with the update and the plan's new version, or 200 when
 * the same user already posted this id. 404, 412, 422 for a transition that is not allowed.
 */
export const postPlanUpdate = memberRoute(
  endpoints.postPlanUpdate,
  async ({ services, tx, organisation, user, path, body, now, ifMatch, afterCommit }) => {
    const { id = uuidv7(), status, progress, health, outcome } = body
    const found = await tx
      .selectFrom('success_plans')
      .selectAll()
      .select(storedUnder('success_plan_updates', { organisation, id }).as('stored'))
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', path.id)
      .executeTakeFirst()
    if (!found) throw notFound()
    const { stored: known, ...plan } = found
    if (isOwn(known, user)) {
      const stored = await loadUpdate(tx, organisation, id)
      if (stored.success_plan_id !== plan.id) throw invalid({ id: ['This id is taken.'] })
      return { data: stored, repeated: true }
    }
    // If-Match is the version of the plan: a new update has no version yet.
    await requireMatch(tx, ifMatch, 'success_plans', presentPlan(plan))
    const { row, plan_version } = await applyUpdate(tx, organisation, plan, {
      id,
      user_id: user.id,
      body: body.body,
      body_field: 'body',
      status,
      progress,
      health,
      outcome,
      written_at: body.written_at ?? now,
      now,
    })
    await notifyFollowers({ services, tx, organisation, user, afterCommit }, id)
    return { data: { ...presentUpdate(row), success_plan_version: plan_version } }
  },
)
