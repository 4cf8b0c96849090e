import { discardUnsent, enqueueAll, UNDO_MS, type NewCall } from '../../../sync/enqueue-all.ts'
import { toast } from '../../../ui/overlay/toast.tsx'
import { changeManyMessages as messages } from '../messages.ts'

interface ChangeManyOptions {
  /** What is said once it is saved. */
  changed: string
  /** A number of these records in words, such as `3 plans`. */
  countOf: (records: number) => string
  /** The key of a stored draft, which is deleted. */
  draft?: string[] | undefined
  /** Called after an undo. */
  onUndone?: (() => void) | undefined
}

/**
 * Enqueues `calls`, each as an operation of its own, and offers one undo for all of them. Resolves when all
 * are durable on this device, rejects when storage fails.
 */
export async function changeMany(
  calls: readonly NewCall[],
  { changed, countOf, draft, onUndone }: ChangeManyOptions,
): Promise<void> {
  const operations = await enqueueAll(calls, UNDO_MS, draft)
  const ids = operations.map(({ id }) => id)
  const onSelect = () => void undo(ids, countOf).then(onUndone)
  toast(changed, { label: messages.undo, onSelect })
}

/** Undoes what has not been sent, and tells how much that was. */
async function undo(ids: readonly string[], countOf: ChangeManyOptions['countOf']): Promise<void> {
  try {
    const removed = new Set((await discardUnsent(ids)).map(({ id }) => id))
    const undone = ids.filter((id) => removed.has(id)).length
    toast(messages.undone(undone, ids.length, countOf))
  } catch {
    toast(messages.failed)
  }
}
