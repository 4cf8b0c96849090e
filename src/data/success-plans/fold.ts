// What a screen shows of success plans: what the server said, with what was said here since.
import type { Action } from '../../../contract/schemas/actions.ts'
import type { endpoints } from '../../../contract/endpoints.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import {
  countActions,
  clampToNow,
  progressFromActions,
  progressAtCompletion,
  transitionsFrom,
} from '../../../contract/rules.ts'
import type {
  SuccessPlan,
  SuccessPlanDraft,
  SuccessPlanUpdate,
} from '../../../contract/schemas/success-plans.ts'
import type { Operation } from '../../sync/core/operation.ts'

type CreateInput = InputOf<typeof endpoints.createSuccessPlan>
type EditInput = InputOf<typeof endpoints.updateSuccessPlan>
type PostInput = InputOf<typeof endpoints.postPlanUpdate>

/** An update in the feed, with the operation that it still is, if it is one. */
export interface FeedEntry {
  update: SuccessPlanUpdate
  operation: Operation | null
}

/** The id of the plan that an operation is about; undefined for those about something else. */
export function planIdOf(operation: Pick<Operation, 'endpoint' | 'input'>): string | undefined {
  if (operation.endpoint === 'createSuccessPlan') return (operation.input as CreateInput).body.id
  if (operation.endpoint === 'updateSuccessPlan' || operation.endpoint === 'postPlanUpdate')
    return operation.input.path?.id
  return undefined
}

/** The id of the record that an operation makes; it outlives an edit, which changes the operation's. */
export const createdRecordId = ({ input }: Pick<Operation, 'input'>): string | undefined =>
  (input.body as { id?: string } | undefined)?.id

/**
 * The plans of the organisation with everything said here folded in, in the order of saying. A plan
 * that nothing was said about stays the same object. What the server refused changes nothing,
 * except that a refused new plan stays on the screen: else its text would be out of reach.
 */
export function foldPlans(
  cached: readonly SuccessPlan[],
  operations: readonly Operation[],
): readonly SuccessPlan[] {
  const about = operations.filter((operation) => planIdOf(operation) !== undefined)
  if (about.length === 0) return cached
  const plans = new Map(cached.map((plan) => [plan.id, plan]))
  for (const operation of about) {
    const id = planIdOf(operation)
    if (id === undefined) continue
    const plan = applyOperation(plans.get(id), operation)
    if (plan) plans.set(id, plan)
  }
  return [...plans.values()]
}

/** One plan, or null where neither the device nor anything said here knows it. */
export function foldPlan(
  cached: SuccessPlan | null,
  id: string,
  operations: readonly Operation[],
): SuccessPlan | null {
  return foldPlans(cached ? [cached] : [], operations).find((plan) => plan.id === id) ?? null
}

/**
 * The plans as their actions put them, by the rule that the server uses; only those of which an
 * action was made or changed here. `actions` are all of the organisation, with what was said folded in.
 */
export function recalculateFromActions(
  plans: readonly SuccessPlan[],
  actions: readonly Action[] | undefined,
  operations: readonly Operation[],
): readonly SuccessPlan[] {
  if (!actions) return plans
  const changed = new Set(
    operations
      .filter(({ endpoint }) => endpoint === 'createAction' || endpoint === 'updateAction')
      .map(createdRecordId),
  )
  const ofPlan = Map.groupBy(actions, ({ success_plan_id }) => success_plan_id)
  return plans.map((plan) => {
    const own = ofPlan.get(plan.id) ?? []
    if (!own.some(({ id }) => changed.has(id))) return plan
    // How far a completed plan got was said when it was completed.
    const follows = plan.progress_mode === 'auto' && plan.status !== 'completed'
    const progress = follows ? progressFromActions(own, plan.progress) : plan.progress
    return { ...plan, ...countActions(own), progress }
  })
}

function applyOperation(
  plan: SuccessPlan | undefined,
  operation: Operation,
): SuccessPlan | undefined {
  if (operation.endpoint === 'createSuccessPlan')
    return plan ?? answerOf<SuccessPlan>(operation) ?? fromCreate(operation)
  if (!plan || operation.state === 'attention') return plan
  const answer = answerOf<SuccessPlan | SuccessPlanUpdate>(operation)
  // The copy on the device is already that of the answer, or a later one.
  if (answer && answer.version > 0 && plan.version >= answer.version) return plan
  if (operation.endpoint === 'updateSuccessPlan')
    return answerOf<SuccessPlan>(operation) ?? applyEdit(plan, operation)
  return applyUpdate(plan, operation)
}

function fromCreate(operation: Operation): SuccessPlan | undefined {
  const draft: SuccessPlanDraft = (operation.input as CreateInput).body
  if (draft.id === undefined) return undefined
  return {
    id: draft.id,
    title: draft.title,
    type: draft.type ?? 'customer',
    status: draft.status ?? 'planned',
    health: draft.health ?? null,
    progress: draft.progress ?? 0,
    progress_mode: draft.progress_mode ?? 'manual',
    description: draft.description ?? null,
    success_criteria: draft.success_criteria ?? null,
    start_date: draft.start_date ?? null,
    end_date: draft.end_date ?? null,
    account_id: draft.account_id ?? null,
    owner_id: draft.owner_id ?? operation.user_id,
    template_id: draft.template_id ?? null,
    outcome: null,
    close_note: null,
    update_cadence_days: draft.update_cadence_days ?? null,
    last_update_at: null,
    actions_count: 0,
    actions_done_count: 0,
    version: 0,
    created_by: operation.user_id,
    created_at: operation.created_at,
    updated_at: operation.created_at,
  }
}

function applyEdit(plan: SuccessPlan, operation: Operation): SuccessPlan {
  const { note: _note, ...changes } = (operation.input as EditInput).body
  const named = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  )
  return { ...plan, ...named, updated_at: operation.created_at }
}

/** By the rules that the server uses: a later update's progress is not undone by an earlier one. */
function applyUpdate(plan: SuccessPlan, operation: Operation): SuccessPlan {
  const { body } = operation.input as PostInput
  const written = clampToNow(body.written_at ?? operation.created_at, operation.created_at)
  const latest =
    plan.last_update_at === null || Date.parse(written) >= Date.parse(plan.last_update_at)
  const after = { ...plan, updated_at: operation.created_at }
  if (latest) after.last_update_at = written
  if (body.health !== undefined && latest) after.health = body.health
  if (body.progress !== undefined && latest && plan.progress_mode === 'manual')
    after.progress = body.progress
  if (body.status === undefined || !transitionsFrom(plan.status).includes(body.status)) return after
  const ended = body.status === 'completed'
  if (ended && latest) after.progress = progressAtCompletion(after.progress, body.outcome ?? '')
  return {
    ...after,
    status: body.status,
    outcome: ended ? (body.outcome ?? null) : null,
    close_note: ended || body.status === 'cancelled' ? body.body || null : null,
  }
}

/**
 * The feed of one plan, newest first by the time of writing. An update said here shows at once,
 * with its operation, until the server's copy of the same id is on the device.
 */
export function foldUpdates(
  plan_id: string,
  cached: readonly SuccessPlanUpdate[],
  operations: readonly Operation[],
): FeedEntry[] {
  const feed = new Map<string, FeedEntry>(
    cached.map((update) => [update.id, { update, operation: null }]),
  )
  for (const operation of operations) {
    if (operation.endpoint !== 'postPlanUpdate' || planIdOf(operation) !== plan_id) continue
    const update = answerOf<SuccessPlanUpdate>(operation) ?? fromPost(plan_id, operation)
    const known = feed.get(update.id)
    // The server's copy is there, so it was sent, even if its answer never came.
    if (known && operation.state !== 'attention') continue
    feed.set(update.id, { update: known?.update ?? update, operation })
  }
  return [...feed.values()].toSorted(
    (a, b) =>
      Date.parse(b.update.written_at) - Date.parse(a.update.written_at) ||
      (a.update.id < b.update.id ? 1 : -1),
  )
}

function fromPost(plan_id: string, operation: Operation): SuccessPlanUpdate {
  const { body } = operation.input as PostInput
  return {
    id: body.id ?? operation.id,
    success_plan_id: plan_id,
    user_id: operation.user_id,
    body: body.body ?? '',
    health: body.health ?? null,
    progress_from: null,
    progress_to: body.progress ?? null,
    status_from: null,
    status_to: body.status ?? null,
    written_at: body.written_at ?? operation.created_at,
    created_at: null,
    version: 0,
  }
}

/** The server's record, which the engine has validated against the call's schema. */
function answerOf<T>(operation: Operation): T | undefined {
  return operation.state === 'acknowledged' ? (operation.answer as T | undefined) : undefined
}
