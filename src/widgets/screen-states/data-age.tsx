import { useConnection, useLastSync } from '../../sync/react/use-sync.ts'
import { RefreshButton } from './refresh-button.tsx'

interface DataAgeProps {
  messages: {
    /** Shown offline; `at` in epoch milliseconds. */
    asOf: (at: number) => string
    /** Shown online; `at` in epoch milliseconds. */
    upToDate: (at: number) => string
  }
  /** Shown online until the first pull is complete. */
  neverSynced?: string | undefined
}

/**
 * A line below a heading: how old the shown data is, and a button that brings it up to date. It keeps its
 * height while nothing is known.
 */
export function DataAge({ messages, neverSynced }: DataAgeProps) {
  const at = useLastSync()
  const offline = useConnection() === 'offline'
  return (
    <p className="mt-0.5 min-h-6 text-sm text-ink-faint">
      {at !== null && (offline ? messages.asOf(at) : messages.upToDate(at))}
      {at === null && !offline && neverSynced}
      {at !== null && <RefreshButton />}
    </p>
  )
}
