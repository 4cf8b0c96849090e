// The optimistic overlay of success plans and their updates.
import {
  countActions,
  clampToNow,
  closingFields,
  progressFromActions,
  progressAtCompletion,
  transitionsFrom,
} from '../../../contract/rules.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import type {
  SuccessPlan,
  SuccessPlanUpdate,
  SuccessPlanUpdateDraft,
} from '../../../contract/schemas/success-plans.ts'
import type { Operation } from '../../sync/core/operation.ts'
import {
  bodyFor,
  createdRecordId,
  isFor,
  recordIdOf,
  subjectOf,
} from '../operations/operation-call.ts'
import { answerOf, definedFields, overlayOf } from '../optimistic.ts'

/** An update in the feed, with its operation if it is still in the outbox. */
export interface FeedEntry {
  update: SuccessPlanUpdate
  operation: Operation | null
}

/** The id of the plan that an operation edits or posts to; undefined for other operations. */
export const planIdOf = (operation: Pick<Operation, 'endpoint' | 'input'>): string | undefined =>
  subjectOf(operation) === 'success_plans' ? recordIdOf(operation) : undefined

/** Applies creates, edits and updates to plans. */
export const overlayPlans = overlayOf('success_plans', {
  defaults: ({ user_id }) => ({ status: 'planned', owner_id: user_id }),
  fieldsOf: (body) => {
    const consumed = { note: undefined, skip_weekends: undefined }
    return definedFields({ ...body, ...consumed })
  },
  applyAppend: applyUpdate,
})

/** One plan with operations applied; null if neither the device nor the outbox has it. */
export const overlayPlan = (
  stored: SuccessPlan | null,
  id: string,
  operations: readonly Operation[],
): SuccessPlan | null =>
  overlayPlans(stored ? [stored] : [], operations).find((plan) => plan.id === id) ?? null

/**
 * Recalculates progress and action counts of the plans that have operations on their actions, as
 * the server does. `actions` are all actions of the organisation, with the operations applied.
 */
export function recalculateFromActions(
  plans: readonly SuccessPlan[],
  actions: readonly Action[] | undefined,
  operations: readonly Operation[],
): readonly SuccessPlan[] {
  if (!actions) return plans
  const changed = new Set(
    operations.filter((operation) => isFor(operation, 'actions')).map(createdRecordId),
  )
  const hasDeleted = operations.some(
    (one) => isFor(one, 'actions', 'delete') || isFor(one, 'initiatives', 'delete'),
  )
  const ofPlan = Map.groupBy(actions, ({ success_plan_id }) => success_plan_id)
  return plans.map((plan) => {
    const own = ofPlan.get(plan.id) ?? []
    // A deleted action is none of its plan's own any more.
    const isFewer = hasDeleted && own.length !== plan.actions_count
    if (!isFewer && !own.some(({ id }) => changed.has(id))) return plan
    // A completed plan keeps the progress of its completion.
    const follows = plan.progress_mode === 'auto' && plan.status !== 'completed'
    const progress = follows ? progressFromActions(own, plan.progress) : plan.progress
    return { ...plan, ...countActions(own), progress }
  })
}

/** As the server does: an update written earlier does not override a later one. */
function applyUpdate(plan: SuccessPlan, operation: Operation): SuccessPlan {
  const body = bodyFor(operation, 'success_plan_updates', 'append')
  if (!body) return plan
  const written = clampToNow(body.written_at ?? operation.created_at, operation.created_at)
  const latest = !plan.last_update_at || Date.parse(written) >= Date.parse(plan.last_update_at)
  const after = { ...plan }
  if (latest) after.last_update_at = written
  if (body.health !== undefined && latest) after.health = body.health
  if (body.progress !== undefined && latest && plan.progress_mode === 'manual')
    after.progress = body.progress
  const { status, outcome } = body
  const isMoved = status !== undefined && transitionsFrom(plan.status).includes(status)
  const isEnded = isMoved
    ? status === 'completed'
    : plan.status === 'completed' && !status && outcome !== undefined && outcome !== plan.outcome
  if (isEnded && latest) after.progress = progressAtCompletion(after.progress, outcome ?? '')
  if (isMoved) return { ...after, status, ...closingFields(status, body) }
  if (!isEnded) return after
  return { ...after, outcome: outcome ?? null, close_note: body.body || plan.close_note }
}

/** The progress that an update sets, as the server records it. */
const progressTo = ({ progress, status, outcome }: SuccessPlanUpdateDraft) =>
  (status ?? 'completed') === 'completed' && outcome === 'achieved'
    ? progressAtCompletion(0, outcome)
    : (progress ?? null)

/**
 * The feed of one plan, newest `written_at` first. A queued update is included with its operation
 * until the server's record with the same id is on the device.
 */
export function overlayUpdates(
  plan_id: string,
  stored: readonly SuccessPlanUpdate[],
  operations: readonly Operation[],
): FeedEntry[] {
  const feed = new Map<string, FeedEntry>(
    stored.map((update) => [update.id, { update, operation: null }]),
  )
  for (const operation of operations) {
    const body = bodyFor(operation, 'success_plan_updates', 'append')
    if (!body || recordIdOf(operation) !== plan_id) continue
    const update: SuccessPlanUpdate = {
      id: body.id ?? operation.id,
      success_plan_id: plan_id,
      user_id: operation.user_id,
      body: body.body ?? '',
      health: body.health ?? null,
      progress_from: null,
      progress_to: progressTo(body),
      status_from: null,
      status_to: body.status ?? null,
      written_at: body.written_at ?? operation.created_at,
      created_at: null,
      version: 0,
      ...answerOf<SuccessPlanUpdate>(operation),
    }
    const known = feed.get(update.id)
    // The server's record exists, so the operation arrived, even if its answer was lost.
    if (known && operation.state !== 'attention') continue
    feed.set(update.id, { update: known?.update ?? update, operation })
  }
  return [...feed.values()].toSorted(
    (a, b) =>
      Date.parse(b.update.written_at) - Date.parse(a.update.written_at) ||
      (a.update.id < b.update.id ? 1 : -1),
  )
}
