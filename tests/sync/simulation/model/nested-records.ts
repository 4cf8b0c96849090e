// Accounts, initiatives and actions of the model server, and what a change of an action does to its
// initiative and plan.
import { countActions, progressFromActions, transitionsFrom } from '../../../../contract/rules.ts'
import { errorResponse, json, type ModelTenant, type ServerAnswer } from '../model-tenant.ts'
import type { NetworkRequest } from '../../../../src/sync/core/ports.ts'
import { repeatedCreate } from './request-rules.ts'

type Fields = Record<string, unknown>
export type NestedCollection = 'accounts' | 'initiatives' | 'actions'

/** By collection: the fields of a new record that its draft may leave out. */
export const NEW_RECORDS: Record<NestedCollection, Fields> = {
  accounts: { renewal_date: null, renewals: [] },
  initiatives: {
    status: 'planned',
    progress: 0,
    description: null,
    success_plan_id: null,
    account_id: null,
  },
  actions: {
    status: 'todo',
    description: null,
    completed_at: null,
    success_plan_id: null,
    initiative_id: null,
    account_id: null,
  },
}

/** A write to one record. */
export interface NestedWrite {
  request: NetworkRequest
  collection: NestedCollection
  /** The id in the path. */
  id: string
  body: Record<string, string | undefined>
  user_id: string
  /** Epoch milliseconds. */
  now: number
  /** Called before the record is written: what is set in it, and the record before. */
  applied: (id: string, set: Fields, before: Fields) => void
}

const PARENTS = {
  account_id: 'accounts',
  success_plan_id: 'success_plans',
  initiative_id: 'initiatives',
} as const

/** Answers a POST or PUT of an account, an initiative or an action. */
export function writeNested(tenant: ModelTenant, write: NestedWrite): ServerAnswer {
  const { collection, request, body, user_id, applied } = write
  const id = String(write.id || body.id)
  const isCreate = request.method === 'POST'
  const stored = tenant.records[collection].get(id)
  const repeated = isCreate ? repeatedCreate(tenant, collection, body, user_id) : undefined
  if (repeated) return repeated
  if (!isCreate && !stored) return errorResponse(404, 'Not found.')
  const stale = stored && tenant.staleAnswer(stored, request.headers['If-Match'])
  if (stale) return stale
  const { id: _id, renewal_outcome, ...fields } = body as Fields
  const status = fields.status as string | undefined
  if (collection === 'initiatives' && stored && status !== undefined && status !== stored.status)
    if (!transitionsFrom(String(stored.status)).some((to) => to === status))
      return errorResponse(422, 'This transition is not allowed.')
  for (const [name, parent] of Object.entries(PARENTS))
    if (typeof fields[name] === 'string' && !tenant.records[parent].has(fields[name]))
      return errorResponse(422, 'There is no such parent.')
  const before: Fields = stored ?? { ...NEW_RECORDS[collection], id, created_by: user_id }
  const placed = collection === 'actions' ? placedIn(tenant, before, fields, write.now) : {}
  if (!placed) return errorResponse(422, 'This initiative belongs to another plan.')
  const isDone = collection === 'initiatives' && status === 'completed'
  applied(id, isCreate ? {} : fields, before)
  const completed = isDone && before.status !== 'completed' ? { progress: 100 } : {}
  const recorded = renewal_outcome
    ? { renewals: withOutcome(before, renewal_outcome as Fields, write) }
    : {}
  const after = { ...before, ...fields, ...placed, ...completed, ...recorded, id }
  tenant.put(collection, after, user_id)
  if (collection !== 'accounts') recalculate(tenant, collection === 'actions' ? id : '', before, id)
  const data = tenant.records[collection].get(id) ?? {}
  return json(isCreate ? 201 : 200, { data })
}

/** The outcomes of an account's renewals with one more, unless it is there already. */
function withOutcome(
  before: Fields,
  outcome: Fields,
  { user_id, now }: Pick<NestedWrite, 'user_id' | 'now'>,
): Fields[] {
  const renewals = before.renewals as Fields[]
  if (renewals.some(({ id }) => id === outcome.id)) return renewals
  const at = new Date(now).toISOString()
  const recorded_at = String(outcome.recorded_at) > at ? at : outcome.recorded_at
  return [
    ...renewals,
    { amount: null, next_date: null, note: null, ...outcome, user_id, recorded_at },
  ]
}

/**
 * The plan of an action, its initiative's where it has one, and when it was done. Undefined when the plan is
 * another than the initiative's.
 */
function placedIn(
  tenant: ModelTenant,
  before: Fields,
  named: Fields,
  now: number,
): Fields | undefined {
  const { initiative_id, status } = { ...before, ...named }
  const at = new Date(now).toISOString()
  const wasDone = before.status === 'done' ? before.completed_at : null
  const reported = (named.completed_at ?? wasDone ?? at) as string
  const completion = { completed_at: status === 'done' ? (reported > at ? at : reported) : null }
  if (typeof initiative_id !== 'string') return completion
  const initiative: Fields = tenant.records.initiatives.get(initiative_id) ?? {}
  const { success_plan_id = null } = initiative
  if (named.success_plan_id !== undefined && named.success_plan_id !== success_plan_id)
    return undefined
  return { success_plan_id, ...completion }
}

/** Moves progress and counts of the parents, as the server does after each change of an action. */
export function recalculate(
  tenant: ModelTenant,
  action_id: string,
  before: Fields,
  id: string,
): void {
  const { actions, initiatives, success_plans } = tenant.records
  const all = [...actions.values()].map((one) => ({ ...one, status: String(one.status) }))
  const action = actions.get(action_id)
  const touched = action_id === '' ? [id] : [before.initiative_id, action?.initiative_id]
  for (const initiative_id of new Set(touched)) {
    const initiative = initiatives.get(String(initiative_id))
    if (!initiative) continue
    const own = all.filter((one: Fields) => one.initiative_id === initiative_id)
    const progress = progressFromActions(own, Number(initiative.progress))
    if (progress !== initiative.progress) tenant.derive('initiatives', { ...initiative, progress })
  }
  if (action_id === '') return
  for (const plan_id of new Set([before.success_plan_id, action?.success_plan_id])) {
    const plan = success_plans.get(String(plan_id))
    if (!plan) continue
    const counts = countActions(all.filter((one: Fields) => one.success_plan_id === plan_id))
    const isSame =
      counts.actions_count === (plan.actions_count ?? 0) &&
      counts.actions_done_count === (plan.actions_done_count ?? 0)
    if (!isSame) tenant.derive('success_plans', { ...plan, ...counts })
  }
}
