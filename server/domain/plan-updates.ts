// Applies updates to plans: transition, progress, health. All changes of these go through an update, so that
// the timeline explains them.
import type { Selectable } from 'kysely'
import {
  requiredForTransition,
  clampToNow,
  closingFields,
  progressAtCompletion,
  transitionsFrom,
} from '../../contract/rules.ts'
import { isVisible } from '../../contract/schemas/fields.ts'
import { EMPTY_UPDATE, repeatsStatus } from '../../contract/schemas/success-plans.ts'
import type { PlanStatus } from '../../contract/values.ts'
import { recalculatePlan } from './recalculate.ts'
import type { Tx } from '../database/connection.ts'
import { invalid } from '../errors/http-error.ts'
import { nextVersion, type OrganisationScope } from './organisation.ts'
import type { Tables } from '../database/tables.ts'

type Plan = Selectable<Tables['success_plans']>

/** An update to be written; undefined leaves the plan's value as it is. */
export interface UpdateDraft {
  id: string
  user_id: string
  body: string
  /** The field of the request that has the text. */
  body_field: 'body' | 'note'
  status: PlanStatus | undefined
  progress: number | undefined
  health: string | undefined
  outcome: string | undefined
  /** Of a plan that is closed, where it is not the text. */
  close_note?: string | undefined
  /** ISO 8601, by the device's clock. */
  written_at: string
  /** ISO 8601, by the server's clock. */
  now: string
}

/** Throws a 422 HttpError when the transition is not allowed, or lacks a required note or outcome. */
function requireTransition(plan: Plan, to: PlanStatus, draft: UpdateDraft): void {
  if (!transitionsFrom(plan.status).includes(to))
    throw invalid({ status: [`A plan that is ${plan.status} cannot become ${to}.`] })
  const missing = requiredForTransition(to)
  if (missing === 'note' && !isVisible(draft.body))
    throw invalid({ [draft.body_field]: ['Add a note on why the work stops.'] })
  if (missing === 'outcome' && draft.outcome === undefined)
    throw invalid({ outcome: ['Choose how the plan ended.'] })
}

/**
 * Inserts an update and changes its plan; both get a version. An outcome without a status corrects that of a
 * completed plan, and its text the closing note.
 * Returns the row and the plan's version. Throws a 422 HttpError for a transition that is not allowed, the present
 * status alone, and progress of a plan that follows its actions.
 */
export async function applyUpdate(
  tx: Tx,
  organisation: Pick<OrganisationScope, 'id'>,
  plan: Plan,
  draft: UpdateDraft,
): Promise<{ row: Selectable<Tables['success_plan_updates']>; plan_version: number }> {
  const { now, outcome } = draft
  const status = draft.status === plan.status ? undefined : draft.status
  if (repeatsStatus(plan, draft)) throw invalid({ [draft.body_field]: [EMPTY_UPDATE] })
  if (status) requireTransition(plan, status, draft)
  if (draft.progress !== undefined && plan.progress_mode === 'auto')
    throw invalid({ progress: ['The progress of this plan follows its actions.'] })
  // Without a status: a device of an earlier build repeats the status, and never compared the outcome.
  const isCorrected =
    plan.status === 'completed' &&
    draft.status === undefined &&
    outcome !== undefined &&
    outcome !== plan.outcome
  const progress =
    status === 'completed' || isCorrected
      ? progressAtCompletion(draft.progress ?? plan.progress, outcome ?? '')
      : draft.progress
  const written_at = clampToNow(draft.written_at, now)
  // The second version is the plan's, the first one the update's.
  const version = await nextVersion(tx, organisation.id, 2)
  const update = {
    organisation_id: organisation.id,
    id: draft.id,
    success_plan_id: plan.id,
    user_id: draft.user_id,
    body: draft.body,
    health: draft.health ?? null,
    progress_from: progress === undefined ? null : plan.progress,
    progress_to: progress ?? null,
    status_from: status ? plan.status : null,
    status_to: status ?? null,
    written_at,
    created_at: now,
    version: version - 1,
  }
  const derived = {
    progress: await progressAfter(tx, plan, update),
    health: await healthAfter(tx, plan, update),
  }
  const row = await tx
    .with('changed', (rows) =>
      rows
        .updateTable('success_plans')
        .set({
          ...(status && { status }),
          ...(status && closingFields(status, { outcome, body: draft.close_note ?? draft.body })),
          ...(isCorrected && { outcome }),
          ...(isCorrected && isVisible(draft.body) && { close_note: draft.body }),
          ...derived,
          last_update_at: laterOf(plan.last_update_at ?? null, written_at),
          version,
          updated_at: now,
        })
        .where('organisation_id', '=', organisation.id)
        .where('id', '=', plan.id),
    )
    .insertInto('success_plan_updates')
    .values(update)
    .returningAll()
    .executeTakeFirstOrThrow()
  // A reopened plan follows its actions again.
  const isReopened = status && plan.status === 'completed'
  const recalculatedVersion =
    isReopened && (await recalculatePlan(tx, organisation.id, plan.id, now))
  return { row, plan_version: recalculatedVersion || version }
}

type StatedUpdate = Pick<
  Selectable<Tables['success_plan_updates']>,
  'written_at' | 'progress_to' | 'health'
>

/**
 * Progress after the update. In a manual plan the update with the latest `written_at` counts, and of one instant, as
 * of imported days, the last one received.
 */
async function progressAfter(tx: Tx, plan: Plan, update: StatedUpdate): Promise<number> {
  if (update.progress_to === null) return plan.progress
  const isLate = plan.progress_mode !== 'auto' && (await isLateFor(tx, plan, update, 'progress_to'))
  return isLate ? plan.progress : update.progress_to
}

async function healthAfter(tx: Tx, plan: Plan, update: StatedUpdate): Promise<string | null> {
  if (update.health === null) return plan.health
  return (await isLateFor(tx, plan, update, 'health')) ? plan.health : update.health
}

/** Whether the plan has an update that sets the column and was written later. */
async function isLateFor(
  tx: Tx,
  plan: Plan,
  { written_at }: StatedUpdate,
  column: 'progress_to' | 'health',
): Promise<boolean> {
  const later = await tx
    .selectFrom('success_plan_updates')
    .select('id')
    .where('organisation_id', '=', plan.organisation_id)
    .where('success_plan_id', '=', plan.id)
    .where('written_at', '>', written_at)
    .where(column, 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}

const laterOf = (a: string | null, b: string) => (a !== null && a > b ? a : b)
