import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { UNDO_MS, discardUnsent, enqueueAll } from '../../../sync/enqueue-all.ts'
import { toast } from '../../../ui/overlay/toast.tsx'
import { callOf, splitPlans, type PlanChange } from './plan-change.ts'
import { bulkMessages as messages } from './messages.ts'

/**
 * Changes the plans that the change is allowed for, each by an operation of its own, deletes the stored
 * `draft`, and offers one undo for all of them. Resolves when all are durable on this device, rejects when
 * storage fails. `onUndone` is called after an undo.
 */
export async function changePlans(
  plans: readonly SuccessPlan[],
  change: PlanChange,
  { draft, onUndone }: { draft?: string[] | undefined; onUndone?: (() => void) | undefined } = {},
): Promise<void> {
  const { changed } = splitPlans(plans, change)
  if (changed.length === 0) return toast(messages.nothingToChange)
  const calls = changed.map((plan) => callOf(plan, change))
  const operations = await enqueueAll(calls, UNDO_MS, draft)
  const ids = operations.map(({ id }) => id)
  const onSelect = () => void undo(ids).then(onUndone)
  return toast(messages.changed(change, changed), { label: messages.undo, onSelect })
}

/** Undoes what has not been sent, and tells how much that was. */
async function undo(ids: readonly string[]): Promise<void> {
  try {
    const removed = new Set((await discardUnsent(ids)).map(({ id }) => id))
    toast(messages.undone(ids.filter((id) => removed.has(id)).length, ids.length))
  } catch {
    toast(messages.failed)
  }
}
