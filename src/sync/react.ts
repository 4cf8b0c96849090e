// What screens watch.
import { useMemo, useSyncExternalStore } from 'react'
import { sync } from './client.ts'
import type { Operation } from './operation.ts'
import type { Session } from './session.ts'

export function useSession(): Session | null {
  const { engine } = sync()
  return useSyncExternalStore(
    (changed) => engine.session.subscribe(changed),
    () => engine.session.current().session,
  )
}

function useWatched(keep: (operation: Operation, session: Session) => boolean) {
  const { engine } = sync()
  const session = useSession()
  const all = useSyncExternalStore(engine.operations.subscribe, engine.operations.get)
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
  const { sending } = sync().engine
  return useSyncExternalStore(sending.subscribe, sending.get)
}

/** By the last real answer. */
export function useConnection(): 'online' | 'offline' {
  const { connection } = sync().engine
  return useSyncExternalStore(connection.subscribe, connection.get)
}

/** When the active organisation was last read to its end, in epoch milliseconds. */
export function useLastSync(): number | null {
  const { syncedAt } = sync().engine
  return useSyncExternalStore(syncedAt.subscribe, syncedAt.get)
}

/** Whose work waits on this device after a sign-out, how much, and whether they asked to be signed out. */
export function useSealed(): { count: number; forced: boolean } {
  const { engine } = sync()
  const session = useSession()
  const all = useSyncExternalStore(engine.operations.subscribe, engine.operations.get)
  const left = sync().session.left()
  return useMemo(() => {
    if (session || !left) return { count: 0, forced: false }
    const count = all.filter(
      (one) => one.user_id === left.user_id && one.state !== 'acknowledged',
    ).length
    return { count, forced: left.forced }
  }, [all, session, left])
}
