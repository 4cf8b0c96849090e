import { useConnection, useDownload } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useFailedText } from './failed-text.ts'
import { evictedMessages } from './no-data-messages.ts'
import type { NoDataProps } from './no-data.tsx'

/** Why there is no data, offline or after a failure. */
export function NoDataState(props: NoDataProps) {
  const { query, collection, messages, offlineAction, asPage = false } = props
  const offline = useConnection() === 'offline'
  const failed = useFailedText(messages.failed, query.error, collection)
  const notHere =
    useDownload().evicted === true
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
        {offline ? notHere.text : failed}
      </Empty>
    </>
  )
}
