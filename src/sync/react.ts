// What screens watch.
import { startTransition, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { sync } from './client.ts'
import type { Observable } from './observable.ts'
import type { Operation } from './operation.ts'
import type { DownloadState } from './reading.ts'
import type { Session } from './session.ts'

export function useSession(): Session | null {
  const { kept } = sync()
  return useSyncExternalStore(kept.subscribe, () => kept.get().session)
}

/**
 * What is watched, drawn after what somebody waits for: useSyncExternalStore would draw all who watch at
 * once, before the word that an update is saved say (https://react.dev/reference/react/useSyncExternalStore).
 */
function useCalmly<T>(watched: Observable<T>): T {
  const [value, setValue] = useState(watched.get)
  useEffect(() => {
    const tell = () => startTransition(() => setValue(() => watched.get()))
    // It may have changed since this was drawn.
    tell()
    return watched.subscribe(tell)
  }, [watched])
  return value
}

function useWatched(keep: (operation: Operation, session: Session) => boolean) {
  const session = useSession()
  const all = useCalmly(sync().operations)
  return useMemo(
    () => (session ? all.filter((operation) => keep(operation, session)) : []),
    [all, session, keep],
  )
}

const isMine = (operation: Operation, session: Session) => operation.user_id === session.user.id

const isHere = (operation: Operation, session: Session) =>
  isMine(operation, session) &&
  (operation.organisation_id === null ||
    operation.organisation_id === session.active_organisation?.id)

/** The user's operations in the active organisation, in the order of saying; with those acknowledged but not yet read back. */
export const useOperations = (): readonly Operation[] => useWatched(isHere)

/** The user's operations in all organisations. */
export const useAllOperations = (): readonly Operation[] => useWatched(isMine)

/** Ids of the operations that are on their way right now. */
export function useSendingIds(): ReadonlySet<string> {
  return useCalmly(sync().sending)
}

/** By the last real answer. */
export function useConnection(): 'online' | 'offline' {
  return useCalmly(sync().connection)
}

/** When the active organisation was last read to its end, in epoch milliseconds. */
export function useLastSync(): number | null {
  return useCalmly(sync().syncedAt)
}

/** How much of the active organisation is on the device while not all of it is. */
export function useDownload(): DownloadState {
  return useCalmly(sync().download)
}

/**
 * What waits on this device while nobody is signed in: how much of whoever was signed out last,
 * whether by force, and of how many others something waits. Never what it says.
 */
export function useSealed(): { count: number; forced: boolean; others: number } {
  const session = useSession()
  const all = useCalmly(sync().operations)
  const left = sync().session.left()
  return useMemo(() => {
    if (session) return { count: 0, forced: false, others: 0 }
    const owners = all.filter(({ state }) => state !== 'acknowledged').map((one) => one.user_id)
    const others = new Set(owners.filter((user_id) => user_id !== left?.user_id)).size
    const count = owners.filter((user_id) => user_id === left?.user_id).length
    return { count, forced: left?.forced ?? false, others }
  }, [all, session, left])
}
