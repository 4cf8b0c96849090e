// Actions: tasks of an initiative, a plan or an account.
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import { clampToNow } from '../../contract/rules.ts'
import { canManage } from '../../contract/roles.ts'
import { recalculateFromActions } from '../domain/recalculate.ts'
import { recordAssignments } from '../domain/assignments.ts'
import type { Tx } from '../database/connection.ts'
import { requireMatch } from '../http/if-match.ts'
import { contains, findPage } from '../http/list-query.ts'
import {
  accountAfterMove,
  deleteWithTombstones,
  nextPosition,
  requireReferences,
  wasCreated,
} from '../domain/records.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import { nextVersion, type OrganisationScope } from '../domain/organisation.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tables } from '../database/tables.ts'

/** A row as the contract's record. */
const presentAction = (row: Selectable<Tables['actions']>) => presentRecord('actions', row)

async function loadAction(tx: Tx, organisation: OrganisationScope, id: string) {
  const row = await tx
    .selectFrom('actions')
    .selectAll()
    .where('organisation_id', '=', organisation.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return presentAction(row)
}

/**
 * `GET /api/v1/actions`: a page of actions, filtered by title, status, plan, initiative, account and
 * assignee.
 */
export const listActions = memberRoute(
  endpoints.listActions,
  async ({ tx, organisation, query }) => {
    const { title, status, ...ids } = query.filters ?? {}
    const { success_plan_id, initiative_id, account_id, assignee_id } = ids
    const matching = tx
      .selectFrom('actions')
      .where('organisation_id', '=', organisation.id)
      .$if(Boolean(title), (rows) => rows.where(contains('title', title ?? '')))
      .$if(Boolean(status), (rows) => rows.where('status', 'in', status ?? []))
      .$if(Boolean(success_plan_id), (rows) =>
        rows.where('success_plan_id', '=', success_plan_id ?? null),
      )
      .$if(Boolean(initiative_id), (rows) =>
        rows.where('initiative_id', '=', initiative_id ?? null),
      )
      .$if(Boolean(account_id), (rows) => rows.where('account_id', '=', account_id ?? null))
      .$if(Boolean(assignee_id), (rows) => rows.where('assignee_id', '=', assignee_id ?? null))
    return findPage(matching.selectAll(), {
      query,
      organisation,
      sort: query.sort ?? 'position',
      textColumns: ['title'],
      present: presentAction,
    })
  },
)

interface ActionParents {
  success_plan_id?: string | null | undefined
  initiative_id?: string | null | undefined
}

/**
 * The parents of an action. An action of an initiative belongs to the initiative's plan: 422 HttpError
 * for another one.
 */
async function resolveParents(tx: Tx, organisation: OrganisationScope, parents: ActionParents) {
  const { initiative_id = null, success_plan_id } = parents
  if (initiative_id === null) return { initiative_id, success_plan_id: success_plan_id ?? null }
  const initiative = await tx
    .selectFrom('initiatives')
    .select('success_plan_id')
    .where('organisation_id', '=', organisation.id)
    .where('id', '=', initiative_id)
    .executeTakeFirstOrThrow()
  if (success_plan_id !== undefined && success_plan_id !== initiative.success_plan_id)
    throw invalid({ initiative_id: ['This initiative belongs to another success plan.'] })
  return { initiative_id, success_plan_id: initiative.success_plan_id }
}

const contactOf = (contact: { name: string; email?: string | null | undefined } | null) =>
  contact && JSON.stringify({ name: contact.name, email: contact.email ?? null })

interface Completion {
  status: string
  completed_at: string | null
}

/** Status and completion time: of done actions the device's time, if it sent one; null for all others. */
function completionOf(
  status: string,
  reportedAt: string | null | undefined,
  before: Completion,
  now: string,
): Completion {
  if (status !== 'done') return { status, completed_at: null }
  const at = reportedAt ?? (before.status === 'done' ? before.completed_at : null) ?? now
  return { status, completed_at: clampToNow(at, now) }
}

/**
 * `POST /api/v1/actions`: 201, or 200 when the same user already created this id. 422 for references
 * outside of the organisation.
 */
export const createAction = memberRoute(
  endpoints.createAction,
  async ({ tx, organisation, user, body, now }) => {
    const { id = uuidv7(), status = 'todo', completed_at, assignee_contact, ...fields } = body
    if (await wasCreated(tx, 'actions', { organisation, user, id }))
      return { data: await loadAction(tx, organisation, id), repeated: true }
    await requireReferences(tx, organisation.id, 'actions', fields)
    const parents = await resolveParents(tx, organisation, fields)
    const version = await nextVersion(tx, organisation.id)
    const { initiative_id, success_plan_id } = parents
    const parent =
      initiative_id === null
        ? ({ column: 'success_plan_id', id: success_plan_id } as const)
        : ({ column: 'initiative_id', id: initiative_id } as const)
    await tx
      .insertInto('actions')
      .values({
        ...fields,
        ...parents,
        ...completionOf(status, completed_at, { status: 'todo', completed_at: null }, now),
        assignee_contact: contactOf(assignee_contact ?? null),
        position: fields.position ?? (await nextPosition(tx, 'actions', organisation.id, parent)),
        organisation_id: organisation.id,
        id,
        version,
        created_by: user.id,
        created_at: now,
        updated_at: now,
      })
      .execute()
    const by = { user_id: user.id, now }
    await recordAssignments(tx, organisation.id, by, [{ id, user_id: fields.assignee_id }])
    const touched = { success_plans: [success_plan_id], initiatives: [initiative_id] }
    await recalculateFromActions(tx, organisation.id, touched, now)
    return { data: await loadAction(tx, organisation, id) }
  },
)

/**
 * `PUT /api/v1/actions`: changes the named fields of the action `id` in the body. 404, 412, 422 for
 * references outside of the organisation.
 */
export const updateAction = memberRoute(
  endpoints.updateAction,
  async ({ tx, organisation, user, body, now, ifMatch }) => {
    const { id, completed_at, assignee_contact, ...fields } = body
    const stored = await loadAction(tx, organisation, id)
    await requireMatch(tx, ifMatch, 'actions', stored)
    const { initiative_id = stored.initiative_id, status = stored.status } = fields
    // An action that leaves its initiative stays in the plan, unless the request names another one.
    const remainingPlan = initiative_id === null ? stored.success_plan_id : undefined
    const { success_plan_id = remainingPlan } = fields
    await requireReferences(tx, organisation.id, 'actions', fields, stored)
    const parents = await resolveParents(tx, organisation, { initiative_id, success_plan_id })
    await tx
      .updateTable('actions')
      .set({
        account_id: accountAfterMove(organisation.id, {
          from: stored.success_plan_id,
          to: parents.success_plan_id,
        }),
        ...fields,
        ...parents,
        ...completionOf(status, completed_at, stored, now),
        ...(assignee_contact !== undefined && { assignee_contact: contactOf(assignee_contact) }),
        version: await nextVersion(tx, organisation.id),
        updated_at: now,
      })
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', id)
      .execute()
    const by = { user_id: user.id, now }
    if (fields.assignee_id !== stored.assignee_id)
      await recordAssignments(tx, organisation.id, by, [{ id, user_id: fields.assignee_id }])
    const touched = {
      success_plans: [stored.success_plan_id, parents.success_plan_id],
      initiatives: [stored.initiative_id, parents.initiative_id],
    }
    await recalculateFromActions(tx, organisation.id, touched, now)
    return { data: await loadAction(tx, organisation, id) }
  },
)

/**
 * `DELETE /api/v1/actions/{id}`: 204. 403 unless created by the caller or the caller manages the
 * organisation, 404, 412.
 */
export const deleteAction = memberRoute(
  endpoints.deleteAction,
  async ({ tx, organisation, user, path, now, ifMatch }) => {
    const action = await loadAction(tx, organisation, path.id)
    await requireMatch(tx, ifMatch, 'actions', action)
    if (action.created_by !== user.id && !canManage(user, organisation))
      throw forbidden('Only an admin can delete what someone else created.')
    await deleteWithTombstones(tx, organisation.id, 'actions', [path.id])
    const touched = {
      success_plans: [action.success_plan_id],
      initiatives: [action.initiative_id],
    }
    await recalculateFromActions(tx, organisation.id, touched, now)
  },
)
