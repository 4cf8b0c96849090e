import { useReadReport } from '../../sync/react/use-sync.ts'
import type { NoDataProps } from './no-data.tsx'
import { isNotOffered } from './not-offered.ts'

interface ReadList {
  collection: string
  query: NoDataProps['query'] & { data: unknown }
}

/** The first of these lists that was not read. One that the server does not have counts as read. */
export function useUnreadList(lists: readonly ReadList[]): ReadList | undefined {
  const { refused } = useReadReport()
  return lists.find(
    ({ collection, query }) => query.data === undefined && !isNotOffered(refused[collection]),
  )
}
