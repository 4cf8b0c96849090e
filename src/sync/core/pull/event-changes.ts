// Changes that an event carries: a replica that is exactly at the version before them need not ask for them.
import type { PullerOptions } from './puller.ts'
import type { Replica, ReplicaRecord } from '../replica.ts'
import type { Operation } from '../operation.ts'
import { pruneOutbox } from './coverage.ts'
import { ReadReporter } from './read-report.ts'

/** One page of `changes`, in the shape of its schema in the contract. */
export interface ChangesPage {
  data: Record<string, ReplicaRecord[]> & { deleted: { type: string; id: string }[] }
  version: number
  more: boolean
  /** The organisation's version now. */
  latest?: number | undefined
  /** Where pages after the next one begin. */
  next?: number[] | undefined
}

/** What an event says: the organisation's version, and what changed since `previous` where it has `data`. */
export interface VersionEvent {
  version: number
  organisation_id?: string
  previous?: number
  data?: unknown
}

/**
 * Stores the changes of an event, and prunes the operations whose records are among them. To be called under the lock
 * of pulls. False, with nothing stored, where the replica is at another version or a value cannot be read. Rejects
 * when storage fails.
 */
export async function applyEvent(
  options: PullerOptions,
  replica: Replica,
  { version, previous, data }: VersionEvent,
): Promise<boolean> {
  const { onStored, ports, sources } = options
  const from = await replica.cursor()
  if (!from.whole || from.since !== previous) return false
  const page = sources.changes.read({ data, version, more: false })
  if (!page.ok || page.unread) return false
  const { deleted, ...put } = (page.value as ChangesPage).data
  const to = { ...from, since: version, latest: version, synced_at: ports.clock.now() }
  const applied = await replica.apply({ put, deleted }, { from, to })
  if (!applied) return false
  await onStored(replica, applied)
  const report = new ReadReporter()
  for (const [name, records] of Object.entries(put)) report.addPage(name, records, [])
  await report.store(replica)
  const { user_id, organisation_id } = replica.scope
  /** Whether the event has the record that the server answered with, as it was then or newer. */
  const isIn = (one: Operation) => {
    const answer = one.answer as Partial<ReplicaRecord> | undefined
    const record = put[sources.collectionOf(one) ?? '']?.find(({ id }) => id === answer?.id)
    const [answered, stored] = [Number(answer?.version), Number(record?.version)]
    // A version up to `previous` may be of another database that the server has moved to meanwhile.
    return answered > from.since && answered <= stored
  }
  // By version, not by when they were acknowledged: an answer may be of a later version than the event.
  await pruneOutbox(
    options,
    replica,
    Infinity,
    (one) => one.user_id === user_id && one.organisation_id === organisation_id && isIn(one),
  )
  return true
}
