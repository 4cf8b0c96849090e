import { endpoints } from '../../../contract/endpoints.ts'
import {
  SuccessPlanDraft,
  type SuccessPlan,
  type SuccessPlanEdit,
  type SuccessPlanUpdateDraft,
} from '../../../contract/schemas/success-plans.ts'
import { sync } from '../../sync/client.ts'
import { newId } from '../../sync/browser/new-id.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { deleteRecord } from '../delete-record.ts'
import { queueEdit } from '../queue-edit.ts'

/** Queues a new plan and returns its final id. Resolves when it is durable on this device. */
export async function createPlan(draft: SuccessPlanDraft): Promise<string> {
  const id = newId()
  await sync().enqueue(endpoints.createSuccessPlan, { body: { ...draft, id } })
  return id
}

/**
 * Queues a change of a plan that stood there as `seen`, in place of `refused` where that is given;
 * nothing where nothing changes.
 */
export async function editPlan(
  seen: SuccessPlan,
  body: SuccessPlanEdit,
  refused?: Operation,
): Promise<void> {
  const { id } = seen
  if (Object.keys(body).length === 0) return
  await queueEdit({
    creation: 'createSuccessPlan',
    draft: SuccessPlanDraft,
    seen,
    body,
    refused,
    send: () => sync().enqueue(endpoints.updateSuccessPlan, { path: { id }, body }, seen),
  })
}

/** Deletes a plan on the server now. Throws a CallError where that cannot be. */
export const deletePlan = (id: string): Promise<void> =>
  deleteRecord(endpoints.deleteSuccessPlan, 'success_plans', id)

/**
 * Queues an update of the plan that stood there as `seen`, stamped with the device's clock unless it
 * was written before, and returns its final id. Resolves when it is durable: only then may a screen
 * say "Saved on this device". Throws StorageFullError when there is no room.
 */
export async function postUpdate(
  seen: SuccessPlan,
  draft: SuccessPlanUpdateDraft,
): Promise<string> {
  const id = newId()
  const body = { written_at: new Date().toISOString(), ...draft, id }
  await sync().enqueue(endpoints.postPlanUpdate, { path: { id: seen.id }, body }, seen)
  return id
}
