// The boot snapshot: the rows that a screen showed last, in localStorage, so that the next start can paint them
// at once. Losing it costs milliseconds, never data.
import { useQuery, hydrate, skipToken, type QueryKey } from '@tanstack/react-query'
import { persistQueryClientSave } from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { sync } from '../client.ts'
import { queryClient } from './query-client.ts'

/** Part of stored query keys since build 0.1. */
const SNAPSHOT_KIND = 'first-screen'

/** localStorage key of the markup of the first screen. Stored since build 0.1 as `first_picture`. */
export const SCREEN_SNAPSHOT_KEY = 'first_picture'

const persister = createSyncStoragePersister({
  storage: localStorage,
  key: 'first_screen',
  throttleTime: 0,
})

const isSnapshotKey = (key: QueryKey) => key[2] === SNAPSHOT_KIND

/** Puts the snapshot into the query cache. To be called before the first render. */
export function restoreBootCache(): void {
  try {
    // Synchronous for a synchronous storage, though typed as a promise as well.
    const stored = persister.restoreClient()
    if (stored && 'clientState' in stored) hydrate(queryClient, stored.clientState)
  } catch {
    clearBootCache()
  }
}

/** Removes the snapshot, after a sign-out or on request. */
export function clearBootCache(): void {
  void persister.removeClient()
  localStorage.removeItem(SCREEN_SNAPSHOT_KEY)
  // The persister writes in a later task: remove that, too.
  setTimeout(() => void persister.removeClient())
}

const snapshotKey = (name: string): QueryKey => {
  const session = sync().session.current()
  return [session?.user.id ?? '', session?.active_organisation?.id ?? '', SNAPSHOT_KIND, name]
}

/** What `name` last showed to this user in this organisation; undefined without a snapshot. */
export function useBootSnapshot<T>(name: string): T | undefined {
  return useQuery<T>({ queryKey: snapshotKey(name), queryFn: skipToken, gcTime: Infinity }).data
}

/** Stores what `name` shows. At most a screenful, as it is read before the first paint. */
export function saveBootSnapshot<T>(name: string, shown: T): void {
  if (!sync().session.current()) return
  queryClient.setQueryData<T>(snapshotKey(name), shown)
  void persistQueryClientSave({
    queryClient,
    persister,
    dehydrateOptions: { shouldDehydrateQuery: ({ queryKey }) => isSnapshotKey(queryKey) },
  })
}
