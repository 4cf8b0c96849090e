// Which records a partition had when it was last read to its end. What is stored of it says less: one page of it may have
// been read, and the next one not have been answered.
import type { Key } from '../ports.ts'
import type { Replica } from '../replica.ts'

const noteOf = (name: string, partition: string): string => `read ${name} ${partition}`

/** Whether a stored value is such a note. It is deleted with the partition, which may have more than it says. */
export const isReadNote = (key: Key): boolean => key[2]?.startsWith('=read ') === true

/** Notes what a reading to the end has found, unless an id could not be read. Rejects when storage fails. */
export async function notePartRead(
  replica: Replica,
  name: string,
  partition: string,
  ids: ReadonlySet<string | null>,
): Promise<void> {
  if (!ids.has(null)) await replica.setValue(noteOf(name, partition), [...ids])
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
