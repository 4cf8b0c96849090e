import { sync } from '../../sync/client.ts'
import { toast } from '../../ui/toast.tsx'
import { operationWords as words } from './waiting-words.ts'

/** Takes back what was not sent, with all that depends on it, and offers to put it back. */
export async function discardWithUndo(id: string): Promise<void> {
  const { outbox } = sync()
  try {
    const discarded = await outbox.discard(id)
    if (discarded.length === 0) return
    toast(words.discarded(discarded.length), {
      label: words.undo,
      onSelect: () => void outbox.restore(discarded).catch(() => toast(words.undoFailed)),
    })
  } catch {
    toast(words.failed)
  }
}
