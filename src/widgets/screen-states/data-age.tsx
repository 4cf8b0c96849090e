import { useConnection, useLastSync, useReadReport } from '../../sync/react/use-sync.ts'
import { RefreshButton } from './refresh-button.tsx'
import { screenStateMessages as messages } from './messages.ts'

interface DataAgeProps {
  /** What the screen shows: a collection, or one record of it. */
  shows?: { collection: string; id?: string }
  /** Shown until the first pull is complete, while the server answers as agreed. */
  neverSynced?: string | undefined
}

/**
 * A line below a heading: how old the shown data is, and a button that brings it up to date. It keeps its
 * height while nothing is known.
 */
export function DataAge({ shows, neverSynced }: DataAgeProps) {
  const at = useLastSync()
  const connection = useConnection()
  const offline = connection === 'offline'
  const { unread, refused } = useReadReport()
  // What was read before stays where the server's latest answer could not be read.
  const isOlder =
    shows !== undefined &&
    (shows.collection in refused ||
      unread.some(
        ({ collection, id, leftOut }) =>
          leftOut === 'record' && collection === shows.collection && id === shows.id,
      ))
  return (
    <p className="mt-0.5 min-h-6 text-sm text-ink-faint">
      {at !== null &&
        (offline ? messages.asOf(at) : isOlder ? messages.notUpToDate : messages.upToDate(at))}
      {at === null && connection === 'online' && neverSynced}
      {at !== null && <RefreshButton />}
    </p>
  )
}
