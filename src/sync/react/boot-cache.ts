// The boot snapshot: the first rows that were last on the screen, in localStorage, so that the first
// paint of the next start waits for nothing. Losing it costs milliseconds, never data.
import { useQuery, hydrate, skipToken, type QueryKey } from '@tanstack/react-query'
import { persistQueryClientSave } from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { sync } from '../client.ts'
import { queryClient } from './query-client.ts'

const SNAPSHOT_KIND = 'first-screen'

/** Where the app keeps what its first screen looked like. */
export const SCREEN_SNAPSHOT_KEY = 'first_picture'

const persister = createSyncStoragePersister({
  storage: localStorage,
  key: 'first_screen',
  throttleTime: 0,
})

const isSnapshotKey = (key: QueryKey) => key[2] === SNAPSHOT_KIND

/** Brings the snapshot back into memory; before the first render. */
export function restoreBootCache(): void {
  try {
    // For a synchronous storage it answers at once, whatever its type allows.
    const stored = persister.restoreClient()
    if (stored && 'clientState' in stored) hydrate(queryClient, stored.clientState)
  } catch {
    clearBootCache()
  }
}

/** Nothing of it stays after a sign-out. */
export function clearBootCache(): void {
  void persister.removeClient()
  localStorage.removeItem(SCREEN_SNAPSHOT_KEY)
  // The persister writes a turn later: what it was about to write goes too.
  setTimeout(() => void persister.removeClient())
}

const snapshotKey = (name: string): QueryKey => {
  const session = sync().session.current()
  return [session?.user.id ?? '', session?.active_organisation?.id ?? '', SNAPSHOT_KIND, name]
}

/** What `name` last showed to this user in this organisation; undefined when nothing is known. */
export function useBootSnapshot<T>(name: string): T | undefined {
  return useQuery<T>({ queryKey: snapshotKey(name), queryFn: skipToken, gcTime: Infinity }).data
}

/** Remembers what `name` shows: a screenful, not more. */
export function saveBootSnapshot<T>(name: string, shown: T): void {
  if (!sync().session.current()) return
  queryClient.setQueryData<T>(snapshotKey(name), shown)
  void persistQueryClientSave({
    queryClient,
    persister,
    dehydrateOptions: { shouldDehydrateQuery: ({ queryKey }) => isSnapshotKey(queryKey) },
  })
}
