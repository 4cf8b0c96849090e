// Which records are gone from lists that were read as a whole.
import type { Outcome } from '../api/outcome.ts'
import type { ApiCall, CallInput } from '../ports.ts'
import type { Replica, ReplicaRecord } from '../replica.ts'
import type { PullEndpoints } from './list-pull.ts'

/** Records that one pull reads by their id to find out whether they are gone; the next pull continues. */
const MAX_SINGLE_READS = 50

/** Ids of received records by collection; null where an id could not be read. */
export type Received = Map<string, Set<string | null>>

/** Adds the ids of records to those that were received. */
export function addReceived(
  received: Received,
  name: string,
  records: readonly { id: string | null }[],
): void {
  const ids = received.get(name) ?? new Set<string | null>()
  received.set(name, ids)
  for (const { id } of records) ids.add(id)
}

/** A record of a collection. */
export interface RecordId {
  type: string
  id: string
  partition?: string | undefined
}

/**
 * The stored records that the reading of their list did not receive, and those of `created`, which are known to have
 * been made. Nothing is missing from a collection with an unreadable id, nor from one that was not read.
 */
export async function missingRecords(
  replica: Replica,
  received: Received,
  created: readonly RecordId[] = [],
): Promise<RecordId[]> {
  const missing: RecordId[] = []
  for (const [name, ids] of received)
    if (!ids.has(null))
      for (const record of (await replica.collection(name)) ?? []) {
        const { id } = record
        if (!ids.has(id))
          missing.push({ type: name, id, partition: replica.partitionOf(name, record) })
      }
  for (const one of created) {
    const ids = received.get(one.type)
    if (!ids || ids.has(null) || ids.has(one.id)) continue
    if (!(await replica.record(one.type, one.id))) missing.push(one)
  }
  return missing
}

/** Where the ids are stored that the last reading of their list missed. */
const MISSING_KEY = 'missing'

const readSuspected = async (replica: Replica): Promise<RecordId[]> =>
  ((await replica.getValue(MISSING_KEY)) ?? []) as RecordId[]

/** Whether the last reading of its list missed the record, and it is not known to be gone. */
export const isSuspected = async (replica: Replica, { type, id }: RecordId): Promise<boolean> =>
  (await readSuspected(replica)).some((one) => one.type === type && one.id === id)

interface RecordReads {
  request: (call: ApiCall, input: CallInput) => Promise<Outcome>
  /** Called with a record that is still there. */
  found: (type: string, record: ReplicaRecord) => void
}

/**
 * Which of the missing records are gone, since absence from a list is no proof: the read by id answers
 * 404 or 410, or, without such a call, the record was missing from the last reading of its list as well.
 */
export async function goneRecords(
  replica: Replica,
  missing: readonly RecordId[],
  received: Received,
  singles: PullEndpoints['records'],
  { request, found }: RecordReads,
): Promise<RecordId[]> {
  const before = await readSuspected(replica)
  const gone: RecordId[] = []
  const suspected = before.filter(({ type }) => !received.has(type))
  let reads = 0
  for (const one of missing) {
    const single = singles[one.type]
    if (!single) {
      if (before.some(({ type, id }) => type === one.type && id === one.id)) gone.push(one)
      else suspected.push(one)
      continue
    }
    reads += 1
    const outcome =
      reads > MAX_SINGLE_READS ? undefined : await request(single.call, single.input(one.id))
    if (outcome?.kind === 'answered') found(one.type, outcome.value as ReplicaRecord)
    else if (outcome?.kind === 'refused' && [404, 410].includes(outcome.error.status))
      gone.push(one)
    else suspected.push(one)
  }
  if (before.length + suspected.length > 0) await replica.setValue(MISSING_KEY, suspected)
  return gone
}
