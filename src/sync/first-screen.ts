// The boot snapshot: the first rows that were last on the screen, in localStorage, so that the first
// paint of the next start waits for nothing. Losing it costs milliseconds, never data.
import { useQuery, hydrate, skipToken, type QueryKey } from '@tanstack/react-query'
import { persistQueryClientSave } from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { sync } from './client.ts'
import { queries } from './query-client.ts'

const MARK = 'first-screen'

/** Where the app keeps what its first screen looked like. */
export const FIRST_PICTURE = 'first_picture'

const persister = createSyncStoragePersister({
  storage: localStorage,
  key: 'first_screen',
  throttleTime: 0,
})

const isFirstScreen = (key: QueryKey) => key[2] === MARK

/** Brings the snapshot back into memory; before the first render. */
export function restoreFirstScreen(): void {
  try {
    // For a synchronous storage it answers at once, whatever its type allows.
    const kept = persister.restoreClient()
    if (kept && 'clientState' in kept) hydrate(queries, kept.clientState)
  } catch {
    forgetFirstScreen()
  }
}

/** Nothing of it stays after a sign-out. */
export function forgetFirstScreen(): void {
  void persister.removeClient()
  localStorage.removeItem(FIRST_PICTURE)
  // The persister writes a turn later: what it was about to write goes too.
  setTimeout(() => void persister.removeClient())
}

const keyOf = (name: string): QueryKey => {
  const session = sync().session.current()
  return [session?.user.id ?? '', session?.active_organisation?.id ?? '', MARK, name]
}

/** What `name` last showed to this user in this organisation; undefined when nothing is known. */
export function useFirstScreen<T>(name: string): T | undefined {
  return useQuery<T>({ queryKey: keyOf(name), queryFn: skipToken, gcTime: Infinity }).data
}

/** Remembers what `name` shows: a screenful, not more. */
export function rememberFirstScreen<T>(name: string, shown: T): void {
  if (!sync().session.current()) return
  queries.setQueryData<T>(keyOf(name), shown)
  void persistQueryClientSave({
    queryClient: queries,
    persister,
    dehydrateOptions: { shouldDehydrateQuery: ({ queryKey }) => isFirstScreen(queryKey) },
  })
}
