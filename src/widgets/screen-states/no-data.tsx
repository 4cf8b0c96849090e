import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useConnection } from '../../sync/react/use-sync.ts'

const NoDataState = lazy(async () => ({
  default: (await import('./no-data-state.tsx')).NoDataState,
}))

/** By then the device has been read; what is not found may still be requested from the server. */
const DEVICE_READ_MS = 1_000

export interface NoDataProps {
  /** The query whose data is missing. */
  query: { isError: boolean; error: unknown; refetch: () => unknown }
  /** The collection that is missing, where the query reads one. */
  collection?: string
  messages: {
    notHereTitle: string
    notHere: string
    failedTitle: string
    failed: string
    retry: string
  }
  /** A skeleton in the shape of the data. */
  loading: ReactNode
  /** What the user can do offline without the data: one button or link. */
  offlineAction?: ReactNode
  /** Adds the page's heading, where the data would have brought its own. */
  asPage?: boolean
}

/**
 * What a screen shows while it has no data: a skeleton, or why there is none: offline, deleted to make room on the
 * device, or loading failed.
 */
export function NoData(props: NoDataProps) {
  const { query, loading } = props
  const offline = useConnection() === 'offline'
  const isRead = useDeviceRead()
  if (!query.isError && !(offline && isRead)) return loading
  return (
    <Suspense fallback={loading}>
      <NoDataState {...props} />
    </Suspense>
  )
}

/** Whether the device has had the time to find the data. */
function useDeviceRead(): boolean {
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setRead, DEVICE_READ_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return isRead
}
