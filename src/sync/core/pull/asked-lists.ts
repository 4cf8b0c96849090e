// Which lists of a server without `changes` a reading asks for, and which were not read.
import type { Outbox } from '../outbox.ts'
import { sameScope, type Replica, type Scope, type SyncCursor } from '../replica.ts'
import type { PullEndpoints } from './list-pull.ts'

/** All lists, those that the last reading missed, or those that acknowledged operations have changed. */
export type Reading = 'all' | 'missed' | 'sent'

/** Lists that the last reading of all, and the readings that completed it, have read, and those still missing. */
export interface ListsRead {
  read: readonly string[]
  missed: readonly string[]
}

/** The lists that a reading asks for; undefined for all. Rejects when storage fails. */
export async function askedLists(
  reading: Reading,
  { read, missed }: ListsRead,
  { lists }: SyncCursor,
  { scope }: Replica,
  { outbox, sources }: { outbox: Outbox; sources: PullEndpoints },
): Promise<readonly string[] | undefined> {
  // The device may have lost some of what was read.
  if (reading === 'all' || !lists || !read.every((one) => lists.includes(one))) return undefined
  if (reading === 'missed') return missed.length > 0 ? missed : undefined
  const sent = (await outbox.all()).filter(
    // Safe cast: an operation without an organisation equals no scope.
    (one) => one.state === 'acknowledged' && sameScope(one as Scope, scope),
  )
  return sent.flatMap((one) => sources.changedBy(one))
}

/** Lists of the specification that were never read to their end; nothing where there is none. */
export function partialLists(
  { whole, lists: read = [] }: SyncCursor,
  { lists, optional }: Pick<PullEndpoints, 'lists' | 'optional'>,
): { partial?: string[] } {
  if (whole) return {}
  const partial = Object.keys(lists).filter((name) => !optional.has(name) && !read.includes(name))
  return partial.length > 0 ? { partial } : {}
}
