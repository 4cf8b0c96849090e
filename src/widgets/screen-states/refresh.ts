import { sync } from '../../sync/client.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { isNotRead, type ShownData } from './not-read.ts'
import { refreshMessages as messages } from './no-data-messages.ts'

/** Sends and pulls now, and says whether what the screen shows is up to date after it. */
export async function refresh(shows: ShownData | undefined): Promise<void> {
  const { connection, lastSyncedAt, readReport } = sync()
  const before = lastSyncedAt.get()
  await sync()
    .syncNow()
    .catch(() => undefined)
  const state = connection.get()
  const isPulled = state === 'online' && lastSyncedAt.get() !== before
  if (state === 'offline') toast(messages.stillOffline)
  else toast(isPulled && !isNotRead(readReport.get(), shows) ? messages.done : messages.failed)
}
