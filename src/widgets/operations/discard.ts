import { sync } from '../../sync/client.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { operationMessages as messages } from '../../data/operations/messages.ts'

/** Takes back what was not sent, with all that depends on it, and offers to put it back. */
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
