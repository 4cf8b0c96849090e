// What somebody has to do for an initiative, a plan or an account.
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import { clampToNow } from '../../contract/rules.ts'
import { canManage } from '../../contract/roles.ts'
import { recalculateFromActions } from '../domain/recalculate.ts'
import { recordAssignments } from '../domain/assignments.ts'
import type { Tx } from '../database/database.ts'
import { requireMatch } from '../http/if-match.ts'
import { contains, orderBy } from '../http/list-query.ts'
import { pageOf } from '../http/present.ts'
import {
  deleteWithTombstones,
  nextPosition,
  requireMember,
  requireRecord,
  wasCreated,
} from '../domain/records.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import { nextVersion, type OrganisationScope } from '../domain/organisation.ts'
import type { Tables } from '../database/tables.ts'

/** A row as the contract's record. */
export const presentAction = (row: Selectable<Tables['actions']>) => ({
  ...row,
  organisation_id: undefined,
})

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
    const { limit, offset } = pageOf(query)
    const rows = await matching
      .selectAll()
      .orderBy(orderBy(query.sort ?? 'position', ['title']))
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute()
    const { total } = await matching
      .select((actions) => actions.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return { data: rows.map(presentAction), total }
  },
)

interface ActionParents {
  success_plan_id?: string | null | undefined
  initiative_id?: string | null | undefined
}

/** Where an action belongs: in an initiative, to the initiative's plan. Throws a 422 Refusal otherwise. */
async function resolveParents(tx: Tx, organisation: OrganisationScope, parents: ActionParents) {
  const { initiative_id = null, success_plan_id } = parents
  await requireRecord(tx, organisation.id, 'initiatives', 'initiative_id', initiative_id)
  await requireRecord(tx, organisation.id, 'success_plans', 'success_plan_id', success_plan_id)
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

/** An action that is done says since when, by the device's clock where it tells; no other does. */
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

export const createAction = memberRoute(
  endpoints.createAction,
  async ({ tx, organisation, user, body, now }) => {
    const { id = uuidv7(), status = 'todo', completed_at, assignee_contact, ...fields } = body
    if (await wasCreated(tx, 'actions', { organisation, user, id }))
      return { data: await loadAction(tx, organisation, id), repeated: true }
    const parents = await resolveParents(tx, organisation, fields)
    await requireRecord(tx, organisation.id, 'accounts', 'account_id', fields.account_id)
    await requireMember(tx, organisation.id, 'assignee_id', fields.assignee_id)
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

export const updateAction = memberRoute(
  endpoints.updateAction,
  async ({ tx, organisation, user, body, now, ifMatch }) => {
    const { id, completed_at, assignee_contact, ...fields } = body
    const stored = await loadAction(tx, organisation, id)
    requireMatch(ifMatch, stored)
    const { initiative_id = stored.initiative_id, status = stored.status } = fields
    // Out of its initiative an action stays with the plan, unless it is told where to go.
    const remainingPlan = initiative_id === null ? stored.success_plan_id : undefined
    const { success_plan_id = remainingPlan } = fields
    const parents = await resolveParents(tx, organisation, { initiative_id, success_plan_id })
    await requireRecord(tx, organisation.id, 'accounts', 'account_id', fields.account_id)
    await requireMember(tx, organisation.id, 'assignee_id', fields.assignee_id)
    await tx
      .updateTable('actions')
      .set({
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

export const deleteAction = memberRoute(
  endpoints.deleteAction,
  async ({ tx, organisation, user, path, now, ifMatch }) => {
    const action = await loadAction(tx, organisation, path.id)
    requireMatch(ifMatch, action)
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
