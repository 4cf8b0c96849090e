import { endpoints } from '../../../contract/endpoints.ts'
import type {
  SuccessPlan,
  SuccessPlanUpdateDraft,
} from '../../../contract/schemas/success-plans.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { sync } from '../../sync/client.ts'

/** The call that posts an update with a new id. `written_at` defaults to the device's clock. */
export function updateCall(seen: SuccessPlan, update: SuccessPlanUpdateDraft) {
  const body = { written_at: new Date().toISOString(), ...update, id: newId() }
  return { row: endpoints.postPlanUpdate, input: { path: { id: seen.id }, body }, seen }
}

/**
 * Queues an update of a plan, deletes the stored `draft` and returns the update's final id. `seen` is the
 * plan as shown to the author. With `delayMs` it is sent no earlier, so that it can be undone. Resolves when
 * it is durable: only then may a screen show "Saved on this device". Throws StorageFullError if the device is
 * full.
 */
export async function postUpdate(
  seen: SuccessPlan,
  update: SuccessPlanUpdateDraft,
  draft?: string[],
  delayMs?: number,
): Promise<string> {
  const { row, input } = updateCall(seen, update)
  await sync().enqueue(row, input, seen, draft, delayMs)
  return input.body.id
}

/**
 * Queues an update that was written elsewhere, with its own id and time. It causes no
 * conflict when others have changed the plan, because it is about the past. Resolves when it is durable.
 */
export async function postPastUpdate(
  plan_id: string,
  body: SuccessPlanUpdateDraft & { id: string },
): Promise<string> {
  await sync().enqueue(endpoints.postPlanUpdate, { path: { id: plan_id }, body })
  return body.id
}
