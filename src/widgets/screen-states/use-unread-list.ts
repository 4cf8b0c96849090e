import type { ResourceName } from '../../../contract/resources.ts'
import { isUnread, mayLack } from '../../data/record-queries.ts'
import { sync } from '../../sync/client.ts'
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
  if (!unread || unread.query.data === undefined) return unread
  const { collection, query } = unread
  const isFailed = isUnread(collection, report) || report.missed?.includes(collection) === true
  // The query would find again what is on the device.
  const refetch = () => sync().pull()
  return isFailed ? { collection, query: { ...query, isError: true, refetch } } : unread
}
