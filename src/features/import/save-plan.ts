import { createRecord } from '../../data/change-records.ts'
import { pendingCreation } from '../../data/operations/pending-edits.ts'
import { postPastUpdate } from '../../data/success-plans/post-update.ts'
import { sync } from '../../sync/client.ts'
import { importedId } from './imported-id.ts'
import type { NewPlan } from './plan-rows.ts'

/**
 * Queues a plan with the updates that bring it to its status. Where the updates cannot be stored, the plan is
 * taken back: a paused plan must not stay as one in progress. Resolves with its id when all is durable.
 */
export async function savePlan({ updates, saved_id, ...plan }: NewPlan): Promise<string> {
  const id = saved_id ?? (await createRecord('success_plans', plan))
  try {
    for (const [at, update] of updates.entries())
      await postPastUpdate(id, {
        written_at: new Date().toISOString(),
        ...update,
        id: importedId('update of', id, String(at)),
      })
  } catch (problem) {
    const created = pendingCreation(sync().operations.get(), 'success_plans', id)
    if (created) await sync().outbox.discard(created.id)
    throw problem
  }
  return id
}
