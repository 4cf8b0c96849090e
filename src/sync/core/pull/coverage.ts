// Which acknowledged operations a pull covers: an operation leaves the outbox only when what it wrote is
// stored where the screens read it.
import type { Operation } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { Partitions, Replica } from '../replica.ts'
import type { Received } from './list-pull.ts'
import type { PullEndpoints } from './list-pull.ts'

interface CoverageOptions {
  outbox: Outbox
  sources: PullEndpoints
  partitions: Partitions
}

/**
 * After a pull of an organisation: tells which operations that were acknowledged before it are stored.
 * `received`: the lists that were read, undefined when `changes` was read. Rejects when storage fails.
 */
export async function coverageOfPull(
  replica: Replica,
  { outbox, sources, partitions }: CoverageOptions,
  received: Received | undefined,
): Promise<(operation: Operation) => boolean> {
  if (!received && (await replica.cursor()).whole) return () => true
  const isStored = async (
    one: Operation,
    { name, partition }: { name: string; partition: string },
  ) => {
    const owner = partitions[name]?.of ?? ''
    if (received && !received.has(owner)) return false
    const isOwnerGone = received
      ? received.get(owner)?.has(partition) === false
      : !(await replica.record(owner, partition))
    if (isOwnerGone) return true
    const records = await replica.partition(name, partition)
    return (
      records?.some(({ id }) => id === (one.answer as { id?: unknown } | undefined)?.id) === true
    )
  }
  // Neither the lists nor a deferred pull of `changes` bring a whole partition.
  const inPartitions = new Set<string>()
  for (const one of await outbox.all()) {
    const location = one.state === 'acknowledged' && sources.partOf(one)
    if (location && (await isStored(one, location))) inPartitions.add(one.id)
  }
  return (one) => {
    if (sources.partOf(one)) return inPartitions.has(one.id)
    const collection = sources.collectionOf(one)
    return collection === undefined || !received || received.has(collection)
  }
}
