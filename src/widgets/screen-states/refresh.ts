import { sync } from '../../sync/client.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { isNotRead, type ShownData } from './not-read.ts'
import { refreshMessages as messages } from './no-data-messages.ts'

/** Sends and pulls now, and says whether what the screen shows is up to date after it. */
export async function refresh(
  shows: ShownData | undefined,
  read?: () => Promise<boolean>,
): Promise<void> {
  const { connection, lastSyncedAt, readReport } = sync()
  const before = lastSyncedAt.get()
  await sync()
    .syncNow()
    // Nothing was pulled then, which is shown below.
    .catch(() => undefined)
  if (connection.get() === 'offline') return toast(messages.stillOffline)
  const isPulled = lastSyncedAt.get() !== before && !isNotRead(readReport.get(), shows)
  const isRead = await (read?.() ?? isPulled)
  return toast(isRead && connection.get() === 'online' ? messages.done : messages.failed)
}
