import { endpoints } from '../../../contract/endpoints.ts'
import type {
  SuccessPlan,
  SuccessPlanUpdateDraft,
} from '../../../contract/schemas/success-plans.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { sync } from '../../sync/client.ts'

/**
 * Queues an update of a plan, deletes the stored `draft` and returns the update's final id. `seen` is the
 * plan as shown to the author.
 * `written_at` defaults to the device's clock. Resolves when it is durable: only then may a screen
 * show "Saved on this device". Throws StorageFullError if the device is full.
 */
export async function postUpdate(
  seen: SuccessPlan,
  update: SuccessPlanUpdateDraft,
  draft?: string[],
): Promise<string> {
  const id = newId()
  const body = { written_at: new Date().toISOString(), ...update, id }
  await sync().enqueue(endpoints.postPlanUpdate, { path: { id: seen.id }, body }, seen, draft)
  return id
}
