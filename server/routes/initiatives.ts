// Initiatives: the larger steps of a plan or of an account.
import { sql, type Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import { transitionsFrom } from '../../contract/rules.ts'
import { canManage } from '../../contract/roles.ts'
import { END_BEFORE_START, endsAfterStart } from '../../contract/schemas/success-plans.ts'
import { recalculateFromActions } from '../domain/recalculate.ts'
import type { Tx } from '../database/connection.ts'
import { requireMatch } from '../http/if-match.ts'
import { contains, findPage } from '../http/list-query.ts'
import {
  accountAfterMove,
  deleteWithTombstones,
  nextPosition,
  requireReferences,
  updateAll,
  wasCreated,
} from '../domain/records.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import { nextVersion, type OrganisationScope } from '../domain/organisation.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tables } from '../database/tables.ts'

/** A row as the contract's record. */
const presentInitiative = (row: Selectable<Tables['initiatives']>) =>
  presentRecord('initiatives', row)

const findInitiative = (tx: Tx, organisation: Pick<OrganisationScope, 'id'>, id: string) =>
  tx
    .selectFrom('initiatives')
    .selectAll()
    .where('organisation_id', '=', organisation.id)
    .where('id', '=', id)
    .executeTakeFirst()

const loadInitiative = async (tx: Tx, organisation: OrganisationScope, id: string) => {
  const row = await findInitiative(tx, organisation, id)
  if (!row) throw notFound()
  return presentInitiative(row)
}

/**
 * `GET /api/v1/initiatives`: a page of initiatives, filtered by title, status, plan, account and owner.
 */
export const listInitiatives = memberRoute(
  endpoints.listInitiatives,
  async ({ tx, organisation, query }) => {
    const { title, status, success_plan_id, account_id, owner_id } = query.filters ?? {}
    const matching = tx
      .selectFrom('initiatives')
      .where('organisation_id', '=', organisation.id)
      .$if(Boolean(title), (rows) => rows.where(contains('title', title ?? '')))
      .$if(Boolean(status), (rows) => rows.where('status', 'in', status ?? []))
      .$if(Boolean(success_plan_id), (rows) =>
        rows.where('success_plan_id', '=', success_plan_id ?? null),
      )
      .$if(Boolean(account_id), (rows) => rows.where('account_id', '=', account_id ?? null))
      .$if(Boolean(owner_id), (rows) => rows.where('owner_id', '=', owner_id ?? null))
    return findPage(matching.selectAll(), {
      query,
      organisation,
      sort: query.sort ?? 'position',
      textColumns: ['title'],
      present: presentInitiative,
    })
  },
)

/** `GET /api/v1/initiatives/{id}`: one initiative. 404. */
export const getInitiative = memberRoute(
  endpoints.getInitiative,
  async ({ tx, organisation, path }) => ({ data: await loadInitiative(tx, organisation, path.id) }),
)

/**
 * `POST /api/v1/initiatives`: 201, or 200 when the same user already created this id. 422 for references
 * outside of the organisation.
 */
export const createInitiative = memberRoute(
  endpoints.createInitiative,
  async ({ tx, organisation, user, body, now }) => {
    const { id = uuidv7(), ...fields } = body
    if (await wasCreated(tx, 'initiatives', { organisation, user, id }))
      return { data: await loadInitiative(tx, organisation, id), repeated: true }
    await requireReferences(tx, organisation.id, 'initiatives', fields)
    const version = await nextVersion(tx, organisation.id)
    const plan = { column: 'success_plan_id', id: fields.success_plan_id ?? null } as const
    await tx
      .insertInto('initiatives')
      .values({
        ...fields,
        status: fields.status ?? 'planned',
        position: fields.position ?? (await nextPosition(tx, 'initiatives', organisation.id, plan)),
        organisation_id: organisation.id,
        id,
        version,
        created_by: user.id,
        created_at: now,
        updated_at: now,
      })
      .execute()
    return { data: await loadInitiative(tx, organisation, id) }
  },
)

/**
 * `PUT /api/v1/initiatives/{id}`: changes the named fields. Actions follow it into another plan. 404, 412,
 * 422 for a transition that is not allowed, an end before the start, and references outside of the
 * organisation.
 */
export const updateInitiative = memberRoute(
  endpoints.updateInitiative,
  async ({ tx, organisation, path, body, now, ifMatch }) => {
    const stored = await loadInitiative(tx, organisation, path.id)
    await requireMatch(tx, ifMatch, 'initiatives', stored)
    const { status = stored.status, success_plan_id = stored.success_plan_id, ...fields } = body
    if (status !== stored.status && !transitionsFrom(stored.status).some((to) => to === status))
      throw invalid({ status: [`An initiative that is ${stored.status} cannot become ${status}.`] })
    if (!endsAfterStart({ ...stored, ...fields })) throw invalid({ end_date: [END_BEFORE_START] })
    await requireReferences(tx, organisation.id, 'initiatives', body, stored)
    const move = { from: stored.success_plan_id, to: success_plan_id }
    const isDone = status === 'completed' && stored.status !== 'completed'
    await tx
      .updateTable('initiatives')
      .set({
        account_id: accountAfterMove(organisation.id, move),
        ...fields,
        status,
        success_plan_id,
        // Only for initiatives without actions: `recalculateFromActions` sets the progress of others.
        ...(isDone && { progress: 100 }),
        version: await nextVersion(tx, organisation.id),
        updated_at: now,
      })
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', path.id)
      .execute()
    const isMoved = success_plan_id !== stored.success_plan_id
    if (isMoved)
      await updateAll(tx, organisation.id, {
        table: 'actions',
        where: { column: 'initiative_id', value: path.id },
        set: sql`success_plan_id = ${success_plan_id},
          account_id = ${accountAfterMove(organisation.id, move)}`,
        now,
      })
    const success_plans = isMoved ? [stored.success_plan_id, success_plan_id] : []
    await recalculateFromActions(
      tx,
      organisation.id,
      { success_plans, initiatives: [path.id] },
      now,
    )
    return { data: await loadInitiative(tx, organisation, path.id) }
  },
)

const actionsOf = async (tx: Tx, organisation_id: string, initiative_id: string) => {
  const rows = await tx
    .selectFrom('actions')
    .select('id')
    .where('organisation_id', '=', organisation_id)
    .where('initiative_id', '=', initiative_id)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * `DELETE /api/v1/initiatives/{id}`: 204, deletes its actions too. 403 unless created by the caller or the
 * caller manages the organisation, 404, 412.
 */
export const deleteInitiative = memberRoute(
  endpoints.deleteInitiative,
  async ({ tx, organisation, user, path, now, ifMatch }) => {
    const initiative = await loadInitiative(tx, organisation, path.id)
    await requireMatch(tx, ifMatch, 'initiatives', initiative)
    if (initiative.created_by !== user.id && !canManage(user, organisation))
      throw forbidden('Only an admin can delete what someone else created.')
    await deleteWithTombstones(
      tx,
      organisation.id,
      'actions',
      await actionsOf(tx, organisation.id, path.id),
    )
    await deleteWithTombstones(tx, organisation.id, 'initiatives', [path.id])
    const success_plans = [initiative.success_plan_id]
    await recalculateFromActions(tx, organisation.id, { success_plans }, now)
  },
)
