import { endpoints } from '../../../../contract/endpoints.ts'
import type { Initiative, InitiativeEdit } from '../../../../contract/schemas/initiatives.ts'
import { toast } from '../../../ui/overlay/toast.tsx'
import { changeMany } from '../../../widgets/editing/many/change-many.ts'
import { manyMessages, namedRecords } from '../../../widgets/editing/many/messages.ts'
import {
  endAfter,
  splitRecords,
  type RecordChange,
} from '../../../widgets/editing/many/record-change.ts'
import { bulkInitiativeMessages as messages } from './messages.ts'

/** What a change edits of one initiative. */
export function editOf(initiative: Initiative, change: RecordChange): InitiativeEdit {
  if (change.kind === 'owner') return { owner_id: change.owner_id }
  if (change.kind === 'status') return { status: change.status }
  if (change.kind === 'health') return { health: change.health }
  return { end_date: endAfter(initiative, change) }
}

/**
 * Changes the initiatives that the change is allowed for, each by an operation of its own, and offers one undo for
 * all of them. Resolves when all are durable on this device, rejects when storage fails. `onUndone` is called
 * after an undo.
 */
export async function changeInitiatives(
  initiatives: readonly Initiative[],
  change: RecordChange,
  onUndone?: () => void,
): Promise<void> {
  const { changed } = splitRecords(initiatives, change)
  if (changed.length === 0) return toast(messages.nothingToChange)
  return await changeMany(
    changed.map((initiative) => ({
      row: endpoints.updateInitiative,
      input: { path: { id: initiative.id }, body: editOf(initiative, change) },
      seen: initiative,
    })),
    {
      changed: manyMessages.changed(change, namedRecords(changed, messages.initiatives)),
      countOf: messages.initiatives,
      onUndone,
    },
  )
}
