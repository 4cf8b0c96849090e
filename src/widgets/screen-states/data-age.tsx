import { useConnection, useLastSync, useReadReport } from '../../sync/react/use-sync.ts'
import { isNotRead, type ShownData } from './not-read.ts'
import { RefreshButton } from './refresh-button.tsx'
import { screenStateMessages as messages } from './messages.ts'

interface DataAgeProps {
  shows?: ShownData
  /** Shown until the first pull is complete, while the server answers all lists as agreed. */
  neverSynced?: string | undefined
  /** Of the button: see RefreshButton. */
  read?: () => Promise<boolean>
}

/**
 * A line below a heading: how old the shown data is, and a button that brings it up to date. It keeps its
 * height while nothing is known.
 */
export function DataAge({ shows, neverSynced, read }: DataAgeProps) {
  const at = useLastSync()
  const connection = useConnection()
  const report = useReadReport()
  return (
    <p className="mt-0.5 min-h-6 text-sm text-ink-faint">
      {typeof at === 'number' &&
        (connection !== 'online'
          ? messages.asOf(connection, at)
          : isNotRead(report, shows)
            ? messages.notUpToDate
            : messages.upToDate(at))}
      {at === null && connection === 'online' && !report.missed?.length && neverSynced}
      {typeof at === 'number' && <RefreshButton shows={shows} read={read} />}
    </p>
  )
}
