// Hooks for the state of the engine.
import {
  useCallback,
  startTransition,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { sync, type SyncClient } from '../client.ts'
import type { ConnectionState, DownloadState, Observable } from '../core/observable.ts'
import type { Operation } from '../core/operation.ts'
import type { ServerReport } from '../core/pull/read-report.ts'
import type { Session } from '../core/session-store.ts'

/** The signed-in user with the active organisation; null when signed out. */
export function useSession(): Session | null {
  const { storedSession } = sync()
  return useSyncExternalStore(storedSession.subscribe, () => storedSession.get().session)
}

/** The functions of all components that render the newest value of an observable. */
const updates = new Set<() => void>()

/**
 * The value of an observable, rendered in a transition, so that urgent updates such as "Saved" are
 * painted first. useSyncExternalStore cannot do that
 * (https://react.dev/reference/react/useSyncExternalStore, Caveats).
 */
function useTransitionValue<T>(observable: Observable<T>): T {
  const [value, setValue] = useState(observable.get)
  useEffect(() => {
    const update = () => startTransition(() => setValue(() => observable.get()))
    // It may have changed since the render.
    update()
    updates.add(update)
    const unsubscribe = observable.subscribe(update)
    return () => {
      updates.delete(update)
      unsubscribe()
    }
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

/**
 * The user's operations in the active organisation, in the order of enqueueing; with acknowledged ones
 * not yet pulled.
 */
export const useOperations = (): readonly Operation[] => useFilteredOperations(isOwnInOrganisation)

/** The user's operations in all organisations. */
export const useAllOperations = (): readonly Operation[] => useFilteredOperations(isOwn)

/**
 * Whether the outbox has been read since the start of the page, or cannot be. Until then a record may lack
 * edits that are stored on the device, so a form that edits one must not open. Always false where it is not
 * `needed`: nothing is started for it then.
 */
export function useOutboxRead(needed = true): boolean {
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    if (!needed) return undefined
    let isMounted = true
    const show = () => {
      if (!isMounted) return
      startTransition(() => {
        // In one transition with the operations, whose own one may still wait for the code of a screen.
        for (const update of updates) update()
        setRead(true)
      })
    }
    // Not `started`, which has a timeout: after a kill, storage can take longer.
    void sync()
      .ready()
      .then(async ({ decided }) => await decided)
      .then(show, show)
    return () => {
      isMounted = false
    }
  }, [needed])
  return isRead
}

/** Which id of the server took the place of a local one, by local id. */
export function useAliases(): ReturnType<SyncClient['aliases']['get']> {
  return useTransitionValue(sync().aliases)
}

/** Ids of the operations that are being sent now. */
export function useSendingIds(): ReadonlySet<string> {
  return useTransitionValue(sync().sending)
}

/** Whether the server is reachable and understood, by the last exchanges. */
export function useConnection(): ConnectionState {
  return useTransitionValue(sync().connection)
}

/**
 * End of the last complete pull of the active organisation, in epoch milliseconds; null before it, undefined until
 * it was read from the device.
 */
export function useLastSync(): number | null | undefined {
  const isRead = useTransitionValue(sync().isStatusRead)
  return useTransitionValue(sync().lastSyncedAt) ?? (isRead ? null : undefined)
}

/** Progress of the first download of the active organisation. */
export function useDownload(): DownloadState {
  return useTransitionValue(sync().downloadState)
}

/**
 * Whether the server has that capability: without it no place leads to it. `isAssumed` counts while nothing
 * is known, as before the configuration was read.
 */
export function useCapability(name: string, isAssumed = false): boolean {
  const names = useTransitionValue(sync().capabilities)
  return names?.split(',').includes(name) ?? isAssumed
}

/** Returns a function that tells whether the server keeps a field of the collection, as far as is known. */
export function useKeeps(collection: string): (field: string) => boolean {
  const names = useReadReport().notKept[collection]
  return useCallback((field) => names?.includes(field) !== true, [names])
}

/** What of the active organisation could not be read, and what of it the server does not keep. */
export function useReadReport(): ServerReport {
  return useTransitionValue(sync().readReport)
}

/**
 * Unsent work on this device while signed out: the number of operations of the user who was signed out
 * last, whether by force, and the number of other users with unsent operations. Never its content. Zero
 * when signed in.
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
