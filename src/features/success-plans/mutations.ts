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
 * Says a new plan differently that the server does not have: before it was sent, or when it was
 * refused. Resolves to false when it was too late.
 */
export async function editNewPlan(
  operation_id: string,
  plan_id: string,
  draft: SuccessPlanDraft,
): Promise<boolean> {
  const edited = await sync().outbox.edit(operation_id, { ...draft, id: plan_id })
  return edited !== undefined
}

/**
 * Queues an update of a plan, stamped with the device's clock unless it was written before, and
 * returns its final id. Resolves
 * when it is durable: only then may a screen say "Saved on this device". Throws StorageFullError
 * when there is no room.
 */
export async function postUpdate(plan_id: string, draft: SuccessPlanUpdateDraft): Promise<string> {
  const id = sync().newId()
  const body = { written_at: new Date().toISOString(), ...draft, id }
  await sync().send(endpoints.postPlanUpdate, { path: { id: plan_id }, body })
  return id
}
