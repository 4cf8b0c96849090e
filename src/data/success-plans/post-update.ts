import { endpoints } from '../../../contract/endpoints.ts'
import type {
  SuccessPlan,
  SuccessPlanUpdateDraft,
} from '../../../contract/schemas/success-plans.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { sync } from '../../sync/client.ts'

/**
 * Queues an update of the plan that its author saw as `seen`, stamped with the device's clock unless
 * it was written before, and returns its final id. Resolves when it is durable: only then may a
 * screen say "Saved on this device". Throws StorageFullError when there is no room.
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
