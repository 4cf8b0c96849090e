import { endpoints } from '../../../contract/endpoints.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { enqueueAll, type NewCall } from '../../sync/enqueue-all.ts'
import { draftKey } from '../../sync/react/drafts.ts'
import { planUpdateId } from './imported-id.ts'
import type { NewPlan } from './plan-rows.ts'

/**
 * Queues a plan with the updates that bring it to its status, all or nothing: a paused plan must not stay as one in
 * progress. Rejects where another tab has opened another organisation. Resolves with its id when all is durable.
 */
export async function savePlan({ updates, clears, saved_id, ...plan }: NewPlan): Promise<string> {
  const id = saved_id ?? newId()
  const path = { id }
  const calls: NewCall[] = updates.map((update, at) => ({
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
  if (saved_id === undefined)
    calls.unshift({ row: endpoints.createSuccessPlan, input: { body: { ...plan, id } } })
  if (clears) calls.push({ row: endpoints.updateSuccessPlan, input: { path, body: clears } })
  // Deletes no draft: there is none.
  await enqueueAll(calls, undefined, draftKey(''))
  return id
}
