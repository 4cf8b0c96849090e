import type { ServerReport } from '../../sync/core/pull/read-report.ts'

/** What a screen shows: a collection, or one record of it. */
export interface ShownData {
  collection: string
  id?: string
}

/** Whether what was read before stays, because the server's latest answer with it could not be read. */
export const isNotRead = (
  { refused, unread }: Pick<ServerReport, 'refused' | 'unread'>,
  shows: ShownData | undefined,
): boolean =>
  shows !== undefined &&
  (shows.collection in refused ||
    unread.some(
      ({ collection, id, leftOut }) =>
        leftOut === 'record' && collection === shows.collection && id === shows.id,
    ))
