import { endpoints } from '../../../contract/endpoints.ts'
import type { SuccessPlanDraft, SuccessPlanUpdateDraft } from '../../../contract/success-plans.ts'
import { sync } from '../../sync/client.ts'

/** Queues a new plan and returns its final id. Resolves when it is durable on this device. */
export async function createPlan(draft: SuccessPlanDraft): Promise<string> {
  const id = sync().newId()
  await sync().send(endpoints.createSuccessPlan, { body: { ...draft, id } })
  return id
}

/**
 * Queues an update of a plan, stamped with the device's clock, and returns its final id. Resolves
 * when it is durable: only then may a screen say "Saved on this device". Throws StorageFullError
 * when there is no room.
 */
export async function postUpdate(plan_id: string, draft: SuccessPlanUpdateDraft): Promise<string> {
  const id = sync().newId()
  const body = { ...draft, id, written_at: new Date().toISOString() }
  await sync().send(endpoints.postPlanUpdate, { path: { id: plan_id }, body })
  return id
}
