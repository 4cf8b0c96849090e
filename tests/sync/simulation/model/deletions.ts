// Deletions at the model server: what counts as changed since their author saw the record, and what goes with it.
import {
  errorResponse,
  type ModelRecord,
  type ModelTenant,
  type ServerAnswer,
} from '../model-tenant.ts'
import { recalculate, type NestedCollection } from './nested-records.ts'

/** A deletion that took effect. */
export interface Deletion {
  collection: NestedCollection | 'success_plans'
  /** The record as it was. */
  record: ModelRecord
  /** By field: who set it last, where that is known. */
  authors: Record<string, string | undefined>
  /** The records that are gone with it, and its own id. */
  ids: readonly string[]
  /** The version of the last update that another user had posted; 0 without one. */
  lastUpdateByOthers: number
}

interface DeleteRequest {
  collection: Deletion['collection']
  id: string
  ifMatch: string | undefined
  user_id: string
  /** Called when it takes effect. */
  applied: (deletion: Deletion) => void
}

/** Answers a DELETE of a plan, an account, an initiative or an action. */
export function answerDeletion(tenant: ModelTenant, request: DeleteRequest): ServerAnswer {
  const { collection, id, ifMatch, user_id, applied } = request
  const { records } = tenant
  const record = records[collection].get(id)
  if (!record) return errorResponse(404, 'Not found.')
  const updates = [...records.success_plan_updates.values()].filter(
    (one) => collection === 'success_plans' && one.success_plan_id === id,
  )
  const byOthers = updates.filter((one) => one.user_id !== user_id)
  const stale = tenant.staleAnswer(record, ifMatch, (seen) => {
    const last = byOthers
      .filter(({ version }) => version > seen)
      .toSorted((a, b) => a.version - b.version)
      .at(-1)
    return last ? { success_plan_updates: String(last.user_id) } : {}
  })
  if (stale) return stale
  const isNamed = (kind: 'success_plans' | 'initiatives' | 'actions') =>
    [...records[kind].values()].some((one) => one.account_id === id)
  if (collection === 'accounts')
    if (isNamed('success_plans') || isNamed('initiatives') || isNamed('actions'))
      return errorResponse(422, 'Other records belong to this account.')
  const authors = Object.fromEntries(
    Object.keys(record).map((name) => [name, tenant.authorOf(id, name)]),
  )
  const lastUpdateByOthers = Math.max(0, ...byOthers.map(({ version }) => version))
  applied({
    collection,
    record,
    authors,
    ids: remove(tenant, collection, record),
    lastUpdateByOthers,
  })
  return { status: 204, headers: {}, text: '' }
}

function remove(
  tenant: ModelTenant,
  collection: Deletion['collection'],
  record: ModelRecord,
): string[] {
  const { id } = record
  if (collection === 'success_plans') return tenant.deletePlan(id)
  const actions = [...tenant.records.actions.values()].filter(
    (one) => collection === 'initiatives' && one.initiative_id === id,
  )
  for (const action of actions) tenant.delete('actions', action.id)
  tenant.delete(collection, id)
  // Of an initiative only the plan: the initiative itself is gone.
  const { initiative_id, success_plan_id } = record
  if (collection === 'actions') recalculate(tenant, id, { initiative_id, success_plan_id }, id)
  if (collection === 'initiatives') recalculate(tenant, id, { success_plan_id }, id)
  return [id, ...actions.map((one) => one.id)]
}
