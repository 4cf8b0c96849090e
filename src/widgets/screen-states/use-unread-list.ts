import type { ResourceName } from '../../../contract/resources.ts'
import { isUnread, mayLack } from '../../data/record-queries.ts'
import { useReadReport } from '../../sync/react/use-sync.ts'
import type { NoDataProps } from './no-data.tsx'
import { isNotOffered } from './not-offered.ts'

interface ReadList {
  collection: ResourceName
  query: NoDataProps['query'] & { data: unknown }
}

/**
 * The first of these lists that was not read, or not all of it; as an error where a part could not be. One that the
 * server does not have counts as read.
 */
export function useUnreadList(lists: readonly ReadList[]): ReadList | undefined {
  const report = useReadReport()
  const unread = lists.find(
    ({ collection, query }) =>
      !isNotOffered(report.refused[collection]) &&
      (query.data === undefined || mayLack(collection, report)),
  )
  return unread && isUnread(unread.collection, report) && unread.query.data !== undefined
    ? { ...unread, query: { ...unread.query, isError: true } }
    : unread
}
