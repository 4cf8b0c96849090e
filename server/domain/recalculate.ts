// Derives a plan's action counts, and the progress of plans and initiatives, from their actions. Nothing else
// writes the counts. Of an account the number of its plans is counted when it is read.
import { countActions, progressFromActions } from '../../contract/rules.ts'
import type { Tx } from '../database/connection.ts'
import { nextVersion } from './organisation.ts'

type Ids = readonly (string | null | undefined)[]
const presentIds = (ids: Ids) => new Set(ids.filter((id) => typeof id === 'string'))

/**
 * Recalculates plans and initiatives after any change of their actions. Ids may be null or repeated. Records
 * that change get a version.
 */
export async function recalculateFromActions(
  tx: Tx,
  organisation_id: string,
  touched: { success_plans: Ids; initiatives?: Ids },
  now: string,
): Promise<void> {
  for (const id of presentIds(touched.initiatives ?? []))
    await recalculateInitiative(tx, organisation_id, id, now)
  for (const id of presentIds(touched.success_plans))
    await recalculatePlan(tx, organisation_id, id, now)
}

const actionsOf = (
  tx: Tx,
  organisation_id: string,
  column: 'success_plan_id' | 'initiative_id',
  id: string,
) =>
  tx
    .selectFrom('actions')
    .select('status')
    .where('organisation_id', '=', organisation_id)
    .where(column, '=', id)
    .execute()

async function recalculateInitiative(tx: Tx, organisation_id: string, id: string, now: string) {
  const before = await tx
    .selectFrom('initiatives')
    .select('progress')
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const actions = await actionsOf(tx, organisation_id, 'initiative_id', id)
  const progress = progressFromActions(actions, before.progress)
  if (progress === before.progress) return
  await tx
    .updateTable('initiatives')
    .set({ progress, version: await nextVersion(tx, organisation_id), updated_at: now })
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', id)
    .execute()
}

/** Recalculates one plan. Returns its new version, or undefined when nothing changed. */
export async function recalculatePlan(
  tx: Tx,
  organisation_id: string,
  id: string,
  now: string,
): Promise<number | undefined> {
  const before = await tx
    .selectFrom('success_plans')
    .select(['progress', 'progress_mode', 'status', 'actions_count', 'actions_done_count'])
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const actions = await actionsOf(tx, organisation_id, 'success_plan_id', id)
  const counts = countActions(actions)
  // The progress of a completed plan was set at its completion and stays.
  const isAutomatic = before.progress_mode === 'auto' && before.status !== 'completed'
  const progress = isAutomatic ? progressFromActions(actions, before.progress) : before.progress
  if (
    progress === before.progress &&
    counts.actions_count === before.actions_count &&
    counts.actions_done_count === before.actions_done_count
  )
    return undefined
  const version = await nextVersion(tx, organisation_id)
  await tx
    .updateTable('success_plans')
    .set({ ...counts, progress, version, updated_at: now })
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', id)
    .execute()
  return version
}

/** Gives accounts that have another number of plans a version, so that devices learn it. Ids may be null. */
export async function markPlansCounted(tx: Tx, organisation_id: string, ids: Ids): Promise<void> {
  for (const id of presentIds(ids))
    await tx
      .updateTable('accounts')
      .set({ version: await nextVersion(tx, organisation_id) })
      .where('organisation_id', '=', organisation_id)
      .where('id', '=', id)
      .execute()
}
