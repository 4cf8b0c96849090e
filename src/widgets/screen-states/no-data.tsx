import { useEffect, useState, type ReactNode } from 'react'
import { useConnection, useDownload } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { evictedMessages, screenStateMessages } from './messages.ts'

/** By then the device has been read; what is not found may still be requested from the server. */
const DEVICE_READ_MS = 1_000

interface NoDataProps {
  /** The query whose data is missing. */
  query: { isError: boolean; refetch: () => unknown }
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
 * What a screen shows while it has no data: that it is offline and the device does not have it, that room had to be made on the device,
 * that loading failed, or a skeleton.
 */
export function NoData(props: NoDataProps) {
  const { query, messages, loading, offlineAction, asPage = false } = props
  const connection = useConnection()
  const offline = connection === 'offline'
  const isEvicted = useDownload().evicted === true
  const isRead = useDeviceRead()
  if (!query.isError && !(offline && isRead)) return loading
  const notHere = isEvicted
    ? evictedMessages
    : { title: messages.notHereTitle, text: messages.notHere }
  const title = offline ? notHere.title : messages.failedTitle
  return (
    <>
      {asPage && <PageHeading title={title} className="sr-only" />}
      <Empty
        scene="fog"
        title={title}
        action={
          offline ? (
            offlineAction
          ) : (
            <Button onClick={() => void query.refetch()}>{messages.retry}</Button>
          )
        }
      >
        {offline
          ? notHere.text
          : connection === 'online'
            ? messages.failed
            : screenStateMessages.notUnderstood}
      </Empty>
    </>
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
