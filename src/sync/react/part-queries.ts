// What is on the device of partitions, and whether it is complete.
import { queryOptions } from '@tanstack/react-query'
import { sync } from '../client.ts'
import { queryKeyOf } from './query-client.ts'
import { activeScope, replicaOf } from './query-options.ts'

/** What is stored of a partition. */
export interface StoredPart<T> {
  /** Undefined if nothing of it was pulled. */
  records: readonly T[] | undefined
  /** Whether it was read to its end. If not, only a page of it may be stored, or what was added on this device. */
  isWhole: boolean
}

/**
 * What is on the device of several partitions, by id. Requests nothing. Read again when `state` changes: pass a text
 * that changes with their records. Until then what was read before is there, which may be of other partitions.
 */
export function storedPartitionsQuery<T>(
  name: string,
  partitions: readonly string[],
  state: string,
) {
  const scope = activeScope()
  return queryOptions<ReadonlyMap<string, StoredPart<T>>>({
    queryKey: queryKeyOf(scope, 'partitions', name, state),
    placeholderData: (before) => before,
    queryFn: async () => {
      const replica = await replicaOf(scope)
      const { puller } = await sync().engine()
      const read = await puller.arePartsRead(replica, name, partitions)
      const parts = partitions.map(async (id, at): Promise<[string, StoredPart<T>]> => {
        const records = (await replica.partition(name, id)) as T[] | undefined
        return [id, { records, isWhole: read[at] === true }]
      })
      return new Map(await Promise.all(parts))
    },
  })
}

/** Whether a partition was read to its end. `state` as above. */
export function isPartReadQuery(name: string, partition: string, state: string) {
  const scope = activeScope()
  return queryOptions<boolean>({
    queryKey: queryKeyOf(scope, 'part-read', name, `${partition} ${state}`),
    placeholderData: (before) => before,
    queryFn: async () => {
      const { puller } = await sync().engine()
      return (await puller.arePartsRead(await replicaOf(scope), name, [partition]))[0] === true
    },
  })
}
