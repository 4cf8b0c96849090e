import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RecordOf } from '../../contract/resource-schemas.ts'
import type { QueuedResource } from '../../contract/resources.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import type { Overlay } from './optimistic.ts'
import { recordsQuery } from './record-queries.ts'

/**
 * All records of a resource of the active organisation with the operations in the outbox applied, in
 * the order of `compare`; undefined while loading.
 */
export function useRecords<R extends QueuedResource>(
  resource: R,
  overlay: Overlay<RecordOf<R>>,
  compare?: (a: RecordOf<R>, b: RecordOf<R>) => number,
) {
  const query = useQuery(recordsQuery(resource))
  const operations = useOperations()
  const records = useMemo(() => {
    const all = overlay(query.data ?? [], operations)
    if (query.data === undefined && all.length === 0) return undefined
    return compare ? all.toSorted(compare) : all
  }, [query.data, operations, overlay, compare])
  return { query, records }
}
