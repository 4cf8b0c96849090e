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
 * What is on the device of several partitions, in the order of `partitions`. Requests nothing. Read again when `state`
 * changes: pass a text that changes with their records.
 */
export function storedPartitionsQuery<T>(
  name: string,
  partitions: readonly string[],
  state: string,
) {
  const scope = activeScope()
  return queryOptions<StoredPart<T>[]>({
    queryKey: queryKeyOf(scope, 'partitions', name, state),
    placeholderData: (before) => before,
    queryFn: async () => {
      const replica = await replicaOf(scope)
      const { puller } = await sync().engine()
      const read = await puller.arePartsRead(replica, name, partitions)
      return await Promise.all(
        partitions.map(async (id, at) => ({
          records: (await replica.partition(name, id)) as T[] | undefined,
          isWhole: read[at] === true,
        })),
      )
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
