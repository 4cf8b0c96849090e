import { sync } from '../../../sync/client.ts'
import type { Operation } from '../../../sync/core/operation.ts'
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
  const onSelect = () => void undo(operations, countOf).then(onUndone)
  toast(changed, { label: messages.undo, onSelect })
}

/** Undoes what has not been sent, and tells how much that was. */
async function undo(
  enqueued: readonly Operation[],
  countOf: ChangeManyOptions['countOf'],
): Promise<void> {
  try {
    // By their places: an edit gives them new ids.
    const places = new Set(enqueued.map(({ seq }) => seq))
    const stored = await (await sync().engine()).outbox.all()
    const now = stored.filter(({ seq }) => places.has(seq)).map(({ id }) => id)
    const removed = await discardUnsent(now)
    const undone = removed.filter(({ seq }) => places.has(seq)).length
    toast(messages.undone(undone, enqueued.length, countOf))
  } catch {
    toast(messages.failed)
  }
}
