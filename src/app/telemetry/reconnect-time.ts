// How long the outbox takes to empty after a time without a network.
import type { SyncClient } from '../../sync/client.ts'

/**
 * Calls `report` with the milliseconds from the first answer after a time without a network until nothing
 * of the user waits to be sent. Not where nothing waited, and not where the network was lost again before.
 */
export function watchReconnects(
  { connection, operations, session }: SyncClient,
  report: (ms: number) => void,
): void {
  let wasOffline = connection.get() === 'offline'
  let sinceMs: number | undefined

  const hasPending = () => {
    const user_id = session.current()?.user.id
    return operations.get().some((one) => one.user_id === user_id && one.state === 'pending')
  }
  connection.subscribe(() => {
    sinceMs = undefined
    if (connection.get() === 'offline') wasOffline = true
    if (connection.get() !== 'online' || !wasOffline) return
    wasOffline = false
    if (hasPending()) sinceMs = performance.now()
  })
  operations.subscribe(() => {
    if (sinceMs === undefined || hasPending()) return
    report(performance.now() - sinceMs)
    sinceMs = undefined
  })
}
