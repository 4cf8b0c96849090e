// What screens watch.
import { startTransition, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { sync } from '../client.ts'
import type { DownloadState, Observable } from '../core/observable.ts'
import type { Operation } from '../core/operation.ts'
import type { Session } from '../core/session-store.ts'

export function useSession(): Session | null {
  const { storedSession } = sync()
  return useSyncExternalStore(storedSession.subscribe, () => storedSession.get().session)
}

/**
 * What is watched, drawn after what somebody waits for: useSyncExternalStore would draw all who watch at
 * once, before the word that an update is saved say (https://react.dev/reference/react/useSyncExternalStore).
 */
function useTransitionValue<T>(observable: Observable<T>): T {
  const [value, setValue] = useState(observable.get)
  useEffect(() => {
    const update = () => startTransition(() => setValue(() => observable.get()))
    // It may have changed since this was drawn.
    update()
    return observable.subscribe(update)
  }, [observable])
  return value
}

function useFilteredOperations(isIncluded: (operation: Operation, session: Session) => boolean) {
  const session = useSession()
  const all = useTransitionValue(sync().operations)
  return useMemo(
    () => (session ? all.filter((operation) => isIncluded(operation, session)) : []),
    [all, session, isIncluded],
  )
}

const isOwn = (operation: Operation, session: Session) => operation.user_id === session.user.id

const isOwnInOrganisation = (operation: Operation, session: Session) =>
  isOwn(operation, session) &&
  (operation.organisation_id === null ||
    operation.organisation_id === session.active_organisation?.id)

/** The user's operations in the active organisation, in the order of saying; with those acknowledged but not yet read back. */
export const useOperations = (): readonly Operation[] => useFilteredOperations(isOwnInOrganisation)

/** The user's operations in all organisations. */
export const useAllOperations = (): readonly Operation[] => useFilteredOperations(isOwn)

/** Ids of the operations that are on their way right now. */
export function useSendingIds(): ReadonlySet<string> {
  return useTransitionValue(sync().sending)
}

/** By the last real answer. */
export function useConnection(): 'online' | 'offline' {
  return useTransitionValue(sync().connection)
}

/** When the active organisation was last read to its end, in epoch milliseconds. */
export function useLastSync(): number | null {
  return useTransitionValue(sync().lastSyncedAt)
}

/** How much of the active organisation is on the device while not all of it is. */
export function useDownload(): DownloadState {
  return useTransitionValue(sync().downloadState)
}

/**
 * What waits on this device while nobody is signed in: how much of whoever was signed out last,
 * whether by force, and of how many others something waits. Never what it says.
 */
export function useSignedOutWork(): { count: number; forced: boolean; others: number } {
  const session = useSession()
  const all = useTransitionValue(sync().operations)
  const lastSignOut = sync().session.lastSignOut()
  return useMemo(() => {
    if (session) return { count: 0, forced: false, others: 0 }
    const owners = all.filter(({ state }) => state !== 'acknowledged').map((one) => one.user_id)
    const others = new Set(owners.filter((user_id) => user_id !== lastSignOut?.user_id)).size
    const count = owners.filter((user_id) => user_id === lastSignOut?.user_id).length
    return { count, forced: lastSignOut?.forced ?? false, others }
  }, [all, session, lastSignOut])
}
