import { sync } from '../../sync/client.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { operationMessages as messages } from '../../data/operations/messages.ts'

/** Discards an unsent operation and those that depend on it, and offers to undo that. */
export async function discardWithUndo(id: string): Promise<void> {
  const { outbox } = sync()
  try {
    const discarded = await outbox.discard(id)
    if (discarded.length === 0) return
    toast(messages.discarded(discarded.length), {
      label: messages.undo,
      onSelect: () => void outbox.restore(discarded).catch(() => toast(messages.undoFailed)),
    })
  } catch {
    toast(messages.failed)
  }
}
