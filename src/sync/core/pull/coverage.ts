// Which acknowledged operations a pull covers: an operation leaves the outbox only when what it wrote is
// stored where the screens read it.
import type { Operation } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { ChangedIds, Ports } from '../ports.ts'
import type { Partitions, Replica } from '../replica.ts'
import { isSuspected, type Received, type RecordId } from './gone-records.ts'
import type { PullEndpoints } from './list-pull.ts'
import { readReport } from './read-report.ts'

interface CoverageOptions {
  outbox: Outbox
  sources: PullEndpoints
  partitions: Partitions
  ports: Pick<Ports, 'calls'>
}

const idOf = (one: Operation) => (one.answer as { id?: string } | undefined)?.id ?? null

/**
 * After a pull of an organisation: tells which operations that were acknowledged before it are stored.
 * `received`: the lists that were read, undefined when `changes` was read. Rejects when storage fails.
 */
export async function coverageOfPull(
  replica: Replica,
  { outbox, sources, partitions, ports }: CoverageOptions,
  received: Received | undefined,
): Promise<(operation: Operation) => boolean> {
  const { unread } = await readReport(replica)
  /** Whether its record came, and could not be read: the replica has an older copy, or none. */
  const isUnread = (one: Operation, collection: string | undefined): boolean => {
    const own = unread.filter((it) => it.collection === collection && it.leftOut === 'record')
    const id = idOf(one)
    return own.some((it) => it.id === id) || (own.some((it) => it.id === null) && !hasCome(one, id))
  }
  const hasCome = (one: Operation, id: string | null): boolean =>
    received?.get(sources.collectionOf(one) ?? '')?.has(id) !== false
  if (!received && (await replica.cursor()).whole)
    return (one) => !isUnread(one, sources.collectionOf(one))
  const isStored = async (
    one: Operation,
    { name, partition }: { name: string; partition: string },
  ) => {
    const owner = partitions[name]?.of ?? ''
    const owners = received?.get(owner)
    if (received && !owners) return false
    // Absence from a list is no proof: what is gone has left the replica.
    const isOwnerThere =
      owners?.has(partition) || owners?.has(null) || (await replica.record(owner, partition))
    if (!isOwnerThere) return true
    const records = await replica.partition(name, partition)
    return records?.some(({ id }) => id === idOf(one)) === true
  }
  const isRead = async (one: Operation) => {
    const collection = sources.collectionOf(one)
    // The build that made it knows its list.
    if (isUnread(one, collection) || !ports.calls[one.endpoint]) return false
    if (collection === undefined || !received) return true
    const ids = received.get(collection)
    const id = idOf(one)
    if (!ids || id === null || ids.has(id)) return ids !== undefined
    // A copy that this reading did not bring may be from before the operation.
    if (await replica.record(collection, id)) return false
    return !(await isSuspected(replica, { type: collection, id }))
  }
  const covered = new Set<string>()
  for (const one of await outbox.all()) {
    if (one.state !== 'acknowledged') continue
    // Neither the lists nor a deferred pull of `changes` bring a whole partition.
    const location = sources.partOf(one)
    if (await (location ? isStored(one, location) : isRead(one))) covered.add(one.id)
  }
  return (one) => covered.has(one.id)
}

/** The records that acknowledged operations of that user and organisation have made. */
export async function createdRecords(
  { scope }: Replica,
  { outbox, sources, ports }: Pick<CoverageOptions, 'outbox' | 'sources' | 'ports'>,
): Promise<RecordId[]> {
  return (await outbox.all()).flatMap((one) => {
    const isOwn = one.user_id === scope.user_id && one.organisation_id === scope.organisation_id
    const type = sources.collectionOf(one)
    const id = idOf(one)
    const isCreate = ports.calls[one.endpoint]?.offlinePolicy?.creates?.(one.input) !== undefined
    const isMade = isOwn && isCreate && one.state === 'acknowledged'
    return isMade && type !== undefined && id !== null ? [{ type, id }] : []
  })
}

/**
 * See `Outbox.prune`. The other contexts read the outbox again: the message about the records came before.
 */
export async function pruneOutbox(
  { outbox, ports }: { outbox: Outbox; ports: Pick<Ports, 'channel'> },
  { scope }: Replica,
  fence: number,
  isCovered: (operation: Operation) => boolean,
): Promise<void> {
  const pruned = await outbox.prune(fence, isCovered)
  if (pruned > 0) ports.channel.post({ type: 'cache', scope, touched: {} })
}

/** The records and partitions of the replica that an acknowledged operation may have changed. */
export function changesOf(
  { endpoint, input }: Pick<Operation, 'endpoint' | 'input'>,
  { partitions, ports, sources }: Omit<CoverageOptions, 'outbox'>,
): ChangedIds {
  const policy = ports.calls[endpoint]?.offlinePolicy
  const ids = [policy?.creates?.(input), ...(policy?.references?.(input) ?? [])].filter(
    (id) => typeof id === 'string',
  )
  const names = Object.keys(sources.lists).filter((name) => !partitions[name])
  const changed: ChangedIds = Object.fromEntries(
    names.map((name) => [name, { ids, partitions: [] }]),
  )
  const location = sources.partOf({ endpoint, input })
  if (location) changed[location.name] = { ids: [], partitions: [location.partition] }
  return changed
}
