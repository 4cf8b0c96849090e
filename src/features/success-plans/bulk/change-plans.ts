import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { toast } from '../../../ui/overlay/toast.tsx'
import { changeMany } from '../../../widgets/editing/many/change-many.ts'
import { manyMessages, namedRecords } from '../../../widgets/editing/many/messages.ts'
import { splitRecords } from '../../../widgets/editing/many/record-change.ts'
import { callOf, type PlanChange } from './plan-change.ts'
import { bulkMessages as messages } from './messages.ts'

/**
 * Changes the plans that the change is allowed for, each by an operation of its own, deletes the stored
 * `draft`, and offers one undo for all of them. Resolves when all are durable on this device, rejects when
 * storage fails. `onUndone` is called after an undo.
 */
export async function changePlans(
  plans: readonly SuccessPlan[],
  change: PlanChange,
  options: { draft?: string[] | undefined; onUndone?: (() => void) | undefined } = {},
): Promise<void> {
  const { changed } = splitRecords(plans, change)
  if (changed.length === 0) return toast(messages.nothingToChange)
  return await changeMany(
    changed.map((plan) => callOf(plan, change)),
    {
      changed: manyMessages.changed(change, namedRecords(changed, messages.plans)),
      countOf: messages.plans,
      ...options,
    },
  )
}
