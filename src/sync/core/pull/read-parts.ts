// Which records a partition had when it was last read to its end. The stored records do not tell: after the first
// page of a reading, the next one may not have been answered.
import type { Operation } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { Key } from '../ports.ts'
import type { Delta, Replica } from '../replica.ts'
import type { PullEndpoints } from './list-pull.ts'

const noteOf = (name: string, partition: string): string => `read ${name} ${partition}`

const missingOf = (name: string, partition: string): string => `missing ${name} ${partition}`

/** Whether a stored value is a note about a partition. Both are deleted together. */
export const isPartNote = (key: Key): boolean => /^=(?:read|missing) /.test(key[2] ?? '')

/** Whether an operation of the replica's user appends to that partition. */
export const appendsTo =
  (sources: PullEndpoints, { scope }: Replica, name: string, partition: string) =>
  (one: Operation): boolean => {
    const part = sources.partOf(one)
    const isOwn = one.user_id === scope.user_id && one.organisation_id === scope.organisation_id
    return isOwn && part?.name === name && part.partition === partition
  }

interface Remover {
  /** The server has no `changes`, which tells what is gone. */
  usesLists: boolean
  store(replica: Replica, delta: Delta): Promise<unknown>
}

/**
 * To be called before a partition is read. Resolves to a function to be called with all ids when it was read to its
 * end. That notes the ids, unless one could not be read, and removes stored records that are missing from this reading
 * and the last one, except those of operations in the outbox. Both reject when storage fails.
 */
export async function beginPart(
  puller: Remover,
  { outbox, sources }: { outbox: Outbox; sources: PullEndpoints },
  replica: Replica,
  name: string,
  partition: string,
) {
  const stored = (puller.usesLists && (await replica.partition(name, partition))) || []
  const missingKey = missingOf(name, partition)
  const readMissing = async () => ((await replica.getValue(missingKey)) ?? []) as string[]
  // Of readings that had ended: two at once may lack a record for the same reason.
  const ended = await readMissing()
  return async (ids: ReadonlySet<string | null>): Promise<void> => {
    if (ids.has(null)) return
    await replica.setValue(noteOf(name, partition), [...ids])
    const before = await readMissing()
    const absent = stored.filter(({ id }) => !ids.has(id))
    if (absent.length + before.length === 0) return
    const own = (await outbox.all()).filter(appendsTo(sources, replica, name, partition))
    const kept = own.map(({ answer, input }) => ((answer ?? input.body) as { id?: string }).id)
    const missing = absent.map(({ id }) => id).filter((id) => !kept.includes(id))
    const gone = missing.filter((id) => ended.includes(id) && before.includes(id))
    await replica.setValue(
      missingKey,
      missing.filter((id) => !gone.includes(id)),
    )
    const deleted = gone.map((id) => ({ type: name, id, partition }))
    if (gone.length > 0) await puller.store(replica, { put: {}, deleted })
  }
}

/** Which of these partitions were read to their end, so that all of them is stored. Rejects when storage fails. */
export async function arePartsRead(
  replica: Replica,
  name: string,
  partitions: readonly string[],
): Promise<boolean[]> {
  const { whole } = await replica.cursor()
  const isNoted = async (one: string) => (await replica.getValue(noteOf(name, one))) !== undefined
  return await Promise.all(partitions.map(async (one) => whole || (await isNoted(one))))
}

/**
 * The ids of the last reading to the end, and of what was stored since; undefined without such a reading. Rejects
 * when storage fails.
 */
export async function idsOfPart(
  replica: Replica,
  name: string,
  partition: string,
): Promise<string[] | undefined> {
  const [{ whole }, noted, stored] = await Promise.all([
    replica.cursor(),
    replica.getValue(noteOf(name, partition)) as Promise<string[] | undefined>,
    replica.partition(name, partition),
  ])
  const read = noted ?? (whole && stored && [])
  return read ? [...read, ...(stored ?? []).map(({ id }) => id)] : undefined
}
