import { endpoints } from '../../../contract/endpoints.ts'
import { resources, type ResourceWith } from '../../../contract/resources.ts'
import { sync } from '../../sync/client.ts'
import type { CallInput, EndpointRow } from '../../sync/core/ports.ts'
import { UNDO_MS, discardUnsent } from '../../sync/enqueue-all.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { deleteMessages as messages } from './delete-messages.ts'

/** A record that can be deleted. */
export interface Deletable {
  resource: ResourceWith<'delete'>
  title: string
  /** As it was shown: what others change after that is asked about before it is deleted. */
  record: { id: string }
}

/**
 * Queues the deletion of a record and offers to undo it. It disappears from the screens once this resolves, and
 * is deleted on the server no earlier than UNDO_MS later. Rejects when storage fails.
 */
export async function deleteRecord({ resource, title, record }: Deletable): Promise<void> {
  const row: EndpointRow<CallInput, unknown> = endpoints[resources[resource].calls.delete]
  // The title is not sent: when the record is gone, the sync centre has no other.
  const input = { path: { id: record.id }, body: { title } }
  const operation = await sync().enqueue(row, input, record, undefined, UNDO_MS)
  toast(messages.deleted(title), {
    label: messages.undo,
    onSelect: () => void undo(operation.id, title),
  })
}

/** As `deleteRecord`, for a record that nothing depends on: without a dialog, so a failure is shown as a toast. */
export const deleteAtOnce = (record: Deletable): Promise<void> =>
  deleteRecord(record).catch(() => toast(messages.failed))

async function undo(operation_id: string, title: string): Promise<void> {
  try {
    const removed = await discardUnsent([operation_id])
    toast(removed.length > 0 ? messages.undone(title) : messages.tooLate(title))
  } catch {
    toast(messages.failed)
  }
}
