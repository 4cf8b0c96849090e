import { endpoints } from '../../../contract/endpoints.ts'
import { createRecord } from '../../data/change-records.ts'
import { pendingCreation } from '../../data/operations/pending-edits.ts'
import { sync } from '../../sync/client.ts'
import { enqueueAll } from '../../sync/enqueue-all.ts'
import { draftKey } from '../../sync/react/drafts.ts'
import { planUpdateId } from './imported-id.ts'
import type { NewPlan } from './plan-rows.ts'

/**
 * Queues a plan with the updates that bring it to its status. Where the updates cannot be stored, or another tab has
 * opened another organisation, the plan is taken back: a paused plan must not stay as one in progress. Resolves with
 * its id when all is durable.
 */
export async function savePlan({ updates, clears, saved_id, ...plan }: NewPlan): Promise<string> {
  const begun = draftKey('')
  const id = saved_id ?? (await createRecord('success_plans', plan))
  const path = { id }
  const posts = updates.map((update, at) => ({
    row: endpoints.postPlanUpdate,
    input: {
      path,
      body: {
        written_at: new Date().toISOString(),
        ...update,
        id: planUpdateId(id, at),
      },
    },
  }))
  const edits = clears ? [{ row: endpoints.updateSuccessPlan, input: { path, body: clears } }] : []
  try {
    // Deletes no draft: there is none.
    if (posts.length > 0) await enqueueAll([...posts, ...edits], undefined, begun)
  } catch (problem) {
    const created = pendingCreation(sync().operations.get(), 'success_plans', id)
    if (created) await sync().outbox.discard(created.id)
    throw problem
  }
  return id
}
