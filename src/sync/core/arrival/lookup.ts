// Looks for what an operation has created before it is sent again to a server that does not recognise a
// repeat. The lane waits meanwhile.
import { isSameServer } from '../api/address.ts'
import type { Http } from '../api/http.ts'
import { editOf, policyOf, upcast, type Operation } from '../operation.ts'
import type { ChangedIds, Ports, Transaction } from '../ports.ts'
import type { PullEndpoints } from '../pull/list-pull.ts'
import { idsOfPart } from '../pull/read-parts.ts'
import { Replica, type Partitions, type ReplicaRecord } from '../replica.ts'
import { readLog } from '../sent-log.ts'
import { readAliases } from './aliases.ts'
import { isSameValue } from './content.ts'
import { Readings, isReading, scopeOf, type FailedReading, type Place } from './readings.ts'
import { recognise, siblings, type Surroundings } from './recognise.ts'

/** A server may still be at work when the answer is lost: from then on a record counts as missing. */
const SETTLED_MS = 120_000
/** Between two readings of the same collection for this purpose; of a part, such as one plan's updates. */
const LIST_INTERVAL_MS = 600_000
const PART_INTERVAL_MS = 120_000

const intervalOf = ({ partition }: Place): number =>
  partition === undefined ? LIST_INTERVAL_MS : PART_INTERVAL_MS

/** The calls that read collections, and which collections are read in parts. */
export interface ReadCalls {
  sources: Pick<PullEndpoints, 'lists' | 'parts' | 'records' | 'collectionOf' | 'partOf'>
  partitions: Partitions
}

/** What became of an earlier attempt. `until`: epoch milliseconds of the next look. */
export type Finding =
  | { kind: 'found'; record: ReplicaRecord }
  | { kind: 'missing' | 'undecided' | 'unreachable' | 'signed-out' }
  | { kind: 'wait'; until: number; missing_at?: number }
  | FailedReading

/** Which records could be taken for an operation's own. */
type Known = { kind: 'known'; ids?: string[] | undefined } | { kind: 'unreachable' } | FailedReading

/** Looks for records on the server, and shares what it has read. */
export class Lookup {
  readonly #ports: Ports
  readonly #http: Http
  readonly #calls: ReadCalls
  readonly #readings: Readings

  constructor(ports: Ports, http: Http, calls: ReadCalls) {
    this.#ports = ports
    this.#http = http
    this.#calls = calls
    this.#readings = new Readings(ports, http, calls.sources)
  }

  /** Whether the record of this operation can be looked for. */
  canFind(operation: Operation): boolean {
    const policy = policyOf(this.#ports.calls, operation.endpoint)
    return policy.created !== undefined || policy.edits?.(operation.input) !== undefined
  }

  /**
   * Ids of the records that could be taken for the operation's own, before its first attempt: as the
   * device last read them to their end, else read now. No ids where there is no list of them; `unreachable` where it
   * is not answered now.
   */
  async knownBefore(operation: Operation): Promise<Known> {
    const { calls, store } = this.#ports
    const place = this.#placeOf(operation)
    if (!place || !policyOf(calls, operation.endpoint).created) return { kind: 'known' }
    const replica = new Replica(store, this.#calls.partitions, scopeOf(operation))
    const siblingsIn = (records: readonly ReplicaRecord[]) =>
      siblings(operation, records, calls).map(({ id }) => id)
    const stored = await idsOfPlace(replica, place, siblingsIn)
    const reading = stored
      ? undefined
      : await this.#readings.readBefore(operation, place, intervalOf(place))
    if (reading === 'unreachable') return { kind: reading }
    if (reading && !isReading(reading)) return reading
    const known = stored ?? (reading && siblingsIn(reading.records))
    // A sign-out deletes the log of what was sent, and with it that those are of other operations.
    const { twins } = await this.#surroundings(operation)
    return { kind: 'known', ids: known && [...known, ...twins] }
  }

  /** Whether a record is that of another operation. */
  async isTaken(operation: Operation, id: string): Promise<boolean> {
    return (await this.#surroundings(operation)).taken.has(id)
  }

  /**
   * The record of an operation whose answer has not arrived, among those that a pull has stored; undefined
   * where it is none of `changed`. Rejects when storage fails.
   */
  async findStored(
    operation: Operation,
    replica: Replica,
    changed: ChangedIds,
  ): Promise<ReplicaRecord | undefined> {
    const { calls } = this.#ports
    const place = this.#placeOf(operation)
    if (!place || !policyOf(calls, operation.endpoint).created) return undefined
    const { ids = [] } = changed[place.name] ?? {}
    if (ids.length === 0) return undefined
    const records =
      place.partition === undefined
        ? await replica.collection(place.name)
        : await replica.partition(place.name, place.partition)
    const surroundings = await this.#surroundings(operation)
    const result = recognise(operation, records ?? [], surroundings, calls)
    return result.kind === 'found' ? result.record : undefined
  }

  /** What became of an operation that was attempted. Rejects when storage fails. */
  async look(operation: Operation): Promise<Finding> {
    return policyOf(this.#ports.calls, operation.endpoint).created
      ? await this.#lookForCreated(operation)
      : await this.#lookAtEdited(operation)
  }

  async #lookForCreated(operation: Operation): Promise<Finding> {
    const { calls } = this.#ports
    const place = this.#placeOf(operation)
    if (!place) return { kind: 'undecided' }
    const interval = intervalOf(place)
    const now = this.#readings.now()
    // A clock that was set back meanwhile says nothing about the time that has passed.
    const ended = Math.min(operation.attempt?.at ?? now, now)
    const last = this.#readings.last(operation, place)
    const next = last ? last.began + interval : 0
    const isUsable = last !== undefined && last.began > ended
    const noted = operation.attempt?.missing_at
    const missing_at = noted !== undefined && noted <= now ? noted : undefined
    const isNew = last !== undefined && last.began !== missing_at
    const reading =
      isUsable && isNew && last.began >= ended + SETTLED_MS
        ? last
        : next > now
          ? isUsable
            ? last
            : undefined
          : await this.#readings.read(operation, place)
    if (reading === 'unreachable') return { kind: 'unreachable' }
    if (reading && !isReading(reading)) return reading
    if (!reading) return next > now ? { kind: 'wait', until: next } : { kind: 'undecided' }
    const result = recognise(operation, reading.records, await this.#surroundings(operation), calls)
    if (result.kind !== 'missing') return result
    if (reading.hasUnread) return { kind: 'undecided' }
    const isCounted = reading.began >= ended + SETTLED_MS
    if (isCounted && missing_at !== undefined && reading.began > missing_at)
      return { kind: 'missing' }
    const until = Math.max(ended + SETTLED_MS, reading.began + interval)
    return { kind: 'wait', until, ...(isCounted && { missing_at: reading.began }) }
  }

  /** The record of an edit by its single read, else from its list. */
  async #lookAtEdited(operation: Operation): Promise<Finding> {
    const id = editOf(operation, this.#ports.calls)?.id
    const name = this.#calls.sources.collectionOf(operation)
    if (id === undefined || name === undefined) return { kind: 'missing' }
    return await this.#readRecord(operation, { name, partition: undefined }, id)
  }

  /** The record with the very id of the operation's own, where it can be read. */
  async readOwn(operation: Operation, id: string): Promise<ReplicaRecord | undefined> {
    const place = this.#placeOf(operation)
    const finding = place && (await this.#readRecord(operation, place, id))
    return finding?.kind === 'found' ? finding.record : undefined
  }

  async #readRecord(operation: Operation, place: Place, id: string): Promise<Finding> {
    const single = this.#calls.sources.records[place.name]
    if (!single) {
      const reading = await this.#readings.read(operation, place)
      if (reading === 'unreachable') return { kind: reading }
      if (reading && !isReading(reading)) return reading
      const record = reading?.records.find((one) => one.id === id)
      if (record) return { kind: 'found', record }
      if (!reading) return { kind: 'missing' }
      if (reading.hasUnread) return { kind: 'undecided' }
      // What is deleted meanwhile moves others to a page that was read before.
      const { missing_at } = operation.attempt ?? {}
      if (missing_at !== undefined && missing_at < reading.began) return { kind: 'missing' }
      const until = reading.began + PART_INTERVAL_MS
      return { kind: 'wait', until, missing_at: reading.began }
    }
    const caller = scopeOf(operation)
    const outcome = await this.#http.call(single.call, single.input(id), { caller })
    if (outcome.kind === 'answered')
      return { kind: 'found', record: outcome.value as ReplicaRecord }
    if (outcome.kind === 'unreachable' && outcome.notUnderstood) return { kind: 'undecided' }
    if (outcome.kind === 'refused') return { kind: 'missing' }
    if (outcome.kind !== 'busy') return { kind: 'unreachable' }
    const count = (operation.attempt?.unread ?? 0) + 1
    const failure = await this.#readings.failure(operation, count, outcome.retryAfterMs)
    return failure === 'unreachable' ? { kind: failure } : failure
  }

  #placeOf(operation: Operation): Place | undefined {
    const { partOf, collectionOf } = this.#calls.sources
    const part = partOf(operation)
    if (part) return part
    const name = collectionOf(operation)
    return name === undefined ? undefined : { name, partition: undefined }
  }

  /** The other operations, the records that they have created, and those of them with the same words. */
  async #surroundings(operation: Operation): Promise<Surroundings & { twins: string[] }> {
    const { api, calls, store } = this.#ports
    const { user_id, organisation_id } = operation
    // Another server may give the same ids, and a server the same ones in each organisation.
    const isOfServer = (one: { api?: string | undefined; organisation_id: string | null }) =>
      isSameServer(api(), one.api) && one.organisation_id === organisation_id
    const read = async (tx: Transaction) =>
      await Promise.all([tx.all('operations', []), readAliases(tx, user_id), readLog(tx, user_id)])
    const [stored, aliases, sent] = await store.transact(
      ['operations', 'session', 'cache'],
      'readonly',
      read,
    )
    const operations = stored
      .map(upcast)
      .filter((one) => one !== undefined)
      .filter(isOfServer)
    const { created } = policyOf(calls, operation.endpoint)
    const table = created?.collection
    const ofTable = aliases.filter((one) => one.table === table && isOfServer(one))
    const taken = new Set(ofTable.map(({ id }) => id))
    const twins: string[] = []
    const createdBy = ({ endpoint, input }: Pick<Operation, 'endpoint' | 'input'>) => {
      const policy = calls[endpoint]?.offlinePolicy
      return policy?.created?.collection === table ? policy?.creates?.(input) : undefined
    }
    for (const one of [
      ...operations,
      ...sent.filter((one) => one.organisation_id === organisation_id),
    ]) {
      const id = one.id === operation.id ? undefined : createdBy(one)
      if (id === undefined) continue
      taken.add(id)
      const isSame = one.endpoint === operation.endpoint
      if (isSame && isSameValue(created?.words(one.input), created?.words(operation.input)))
        twins.push(id)
    }
    return { operations, taken, twins }
  }
}

/**
 * The ids that the device knows of a place; undefined where it has not read all of it. One page may be stored, or a
 * record that was opened by its address.
 */
async function idsOfPlace(
  replica: Replica,
  { name, partition }: Place,
  idsIn: (records: readonly ReplicaRecord[]) => string[],
): Promise<string[] | undefined> {
  if (partition !== undefined) return await idsOfPart(replica, name, partition)
  const { whole, lists } = await replica.cursor()
  if (!whole && !lists?.includes(name)) return undefined
  const records = await replica.collection(name)
  return records && idsIn(records)
}
