// The replica: the server's records of one organisation on the device, for one user. Each collection is stored in 128
// buckets, by a hash of the id; records that are only read together (the updates of one plan) are stored in
// partitions. Keys begin with user and organisation, so no read crosses them; each write checks in its
// own transaction that the user is still signed in.
import { fnv1a } from '../../../contract/text/fnv.ts'
import type { ChangedIds, Store, StoreName, Transaction } from './ports.ts'
import { keepAcknowledged } from './operation.ts'
import { readSession } from './session-store.ts'

/** Whose replica: one user in one organisation. */
export interface Scope {
  user_id: string
  organisation_id: string
}

/** Whether both are the same user in the same organisation; false where `a` is undefined. */
export const sameScope = (a: Scope | undefined, b: Scope): boolean =>
  a?.user_id === b.user_id && a.organisation_id === b.organisation_id

/** A record of the server; its other fields are known to the screens only. */
export type ReplicaRecord = { id: string } & Record<string, unknown>

/** Partitioned collections: `by` is the field with the id of the owning record, of collection `of`. */
export type Partitions = Record<string, { by: string; of: string }>

/** One page of a pull: records to store and ids of records to delete. */
export interface Delta {
  put: Record<string, ReplicaRecord[]>
  /** Without their `partition`, records of partitions are deleted with the record that owns it only. */
  deleted: { type: string; id: string; partition?: string | undefined }[]
  /** The server's database was replaced, so versions of stored records are not comparable. */
  reset?: boolean
  /**
   * The records are taken whatever version the stored ones have: the acknowledgement counter before they were
   * requested, see `keepAcknowledged`.
   */
  replaces?: number | undefined
}

/**
 * Changed records by collection and id, as stored (a stored record can be newer than the received one);
 * null where deleted. Without the records that are deleted with their partition.
 */
export type ChangedRecords = Record<string, Map<string, ReplicaRecord | null>>

/** The result of storing a delta. */
export interface AppliedDelta {
  /** As published to the other contexts. */
  changed: ChangedIds
  /** Undefined after a reset, when only the stored records tell which is newer. */
  records: ChangedRecords | undefined
}

/** The cursor that a pull started from, and the one that it leads to; only compared without `to`. */
export interface CursorUpdate {
  from: SyncCursor
  to?: SyncCursor | undefined
}

/** How far the replica is up to date. Stored since build 0.1 under these names. */
export interface SyncCursor {
  /** The version up to which all changes are stored; 0 before the first page. */
  since: number
  /** Complete: the whole organisation was downloaded once. */
  whole: boolean
  /** End of the last complete pull, in epoch milliseconds. */
  synced_at: number | null
  /** The organisation's version on the server at the last pull. */
  latest?: number | undefined
  /** While data saver postpones the first download: the version up to which the lists are stored. */
  listed?: number | undefined
  /** Collections that were read as a whole by their lists: without records they are empty. */
  lists?: readonly string[] | undefined
  /**
   * While the replica is incomplete: the acknowledgement counter before the last pull that stored all
   * owners of partitions, see `Outbox.fence`.
   */
  fence?: number | undefined
  /** The user asked for the whole organisation in spite of data saver. */
  all?: true
  /** Records were deleted because the device was full. */
  evicted?: boolean | undefined
}

/** Part of the stored format, as is the hash. */
const BUCKET_COUNT = 128
/** So many are read and written in one task: all pages of a download would be a long one. */
const PAGES_AT_ONCE = 32

/** Spreads ids evenly over the buckets, whatever their format. */
const bucketOf = (id: string): string => String(fnv1a(id) % BUCKET_COUNT).padStart(3, '0')

type Page = ReplicaRecord[]

/** The change of one bucket or partition. */
interface PageChange {
  name: string
  key: string[]
  put: Page
  /** Ids of records to delete. */
  remove: string[]
  /** Deletes all stored records of the page first. */
  clear: boolean
}

/** The cursor's key. Stored since build 0.1 as `!progress`. */
export const CURSOR_KEY = '!progress'
/** The cursor of an empty replica. */
export const EMPTY_CURSOR: SyncCursor = { since: 0, whole: false, synced_at: null }

/** Whether no pull has stored a page between the two. */
export const isSameCursor = (a: SyncCursor, b: SyncCursor): boolean =>
  a.since === b.since && a.listed === b.listed && a.synced_at === b.synced_at

/** Reads and writes the replica of one user and organisation. All methods reject when storage fails. */
export class Replica {
  readonly #store: Store
  readonly #partitions: Partitions
  readonly scope: Scope

  constructor(store: Store, partitions: Partitions, scope: Scope) {
    this.#store = store
    this.#partitions = partitions
    this.scope = scope
  }

  #key(...rest: string[]): string[] {
    return [this.scope.user_id, this.scope.organisation_id, ...rest]
  }

  /** The stored cursor; that of an empty replica when nothing is stored. */
  async cursor(): Promise<SyncCursor> {
    return await this.#store.transact(['cache'], 'readonly', (tx) => this.#readCursor(tx))
  }

  async #readCursor(tx: Transaction): Promise<SyncCursor> {
    const stored = await tx.get('cache', this.#key(CURSOR_KEY))
    return (stored as SyncCursor | undefined) ?? EMPTY_CURSOR
  }

  /** All records of a collection; undefined when nothing of it is stored and the replica is incomplete. */
  async collection(name: string): Promise<ReplicaRecord[] | undefined> {
    return await this.#store.transact(['cache'], 'readonly', async (tx) => {
      const [cursor, pages] = await Promise.all([
        this.#readCursor(tx),
        tx.all('cache', this.#key(name)) as Promise<Page[]>,
      ])
      const isKnown = cursor.whole || pages.length > 0 || cursor.lists?.includes(name)
      return isKnown ? pages.flat() : undefined
    })
  }

  /** The records of one partition; undefined when it is not stored and the replica is incomplete. */
  async partition(name: string, partition: string): Promise<ReplicaRecord[] | undefined> {
    return await this.#store.transact(['cache'], 'readonly', async (tx) => {
      const [cursor, page] = await Promise.all([
        this.#readCursor(tx),
        tx.get('cache', this.#key(name, partition)) as Promise<Page | undefined>,
      ])
      return page ?? (cursor.whole ? [] : undefined)
    })
  }

  /** One record; null when a complete replica does not have it, undefined when an incomplete one does not. */
  async record(name: string, id: string): Promise<ReplicaRecord | null | undefined> {
    return await this.#store.transact(['cache'], 'readonly', async (tx) => {
      const [cursor, page] = await Promise.all([
        this.#readCursor(tx),
        tx.get('cache', this.#key(name, bucketOf(id))) as Promise<Page | undefined>,
      ])
      return page?.find((record) => record.id === id) ?? (cursor.whole ? null : undefined)
    })
  }

  /**
   * Stores a page of a pull and advances the cursor, in one transaction. Resolves to what changed, or
   * to undefined when it was rejected: the user is signed out, or the cursor is not `advance.from` any
   * more, because the replica was deleted (by a sign-out or an eviction) or another context took the
   * pull over, or what was read is older than what is stored.
   */
  async apply(delta: Delta, advance?: CursorUpdate): Promise<AppliedDelta | undefined> {
    const { pages, changed } = this.#groupByPage(delta)
    const records: ChangedRecords = {}
    const { replaces, reset } = delta
    const counter: StoreName[] = replaces === undefined ? [] : ['operations']
    return await this.#store.transact(['cache', 'session', ...counter], 'readwrite', async (tx) => {
      const readPages = (from: number) =>
        pages
          .slice(from, from + PAGES_AT_ONCE)
          .map(async ({ key, clear }) => (clear ? undefined : await tx.get('cache', key)))
      // At once: one after the other they would be three round trips to the database.
      const [{ session }, cursor, ...first] = await Promise.all([
        readSession(tx),
        this.#readCursor(tx),
        ...readPages(0),
      ])
      let storedPages = first
      if (session?.user.id !== this.scope.user_id) return undefined
      if (advance && !isSameCursor(cursor, advance.from)) return undefined
      if (replaces !== undefined && !(await keepAcknowledged(tx, replaces))) return undefined
      for (const [index, { name, key, put, remove, clear }] of pages.entries()) {
        const at = index % PAGES_AT_ONCE
        if (index > 0 && at === 0) storedPages = await Promise.all(readPages(index))
        const written = (records[name] ??= new Map<string, ReplicaRecord | null>())
        const stored = (storedPages[at] as Page | undefined) ?? []
        const page = new Map(stored.map((record) => [record.id, record]))
        const isLatest = reset || replaces !== undefined
        for (const received of put) {
          const record = newerOf(isLatest ? undefined : page.get(received.id), received)
          page.set(record.id, record)
          written.set(record.id, record)
        }
        for (const id of remove) {
          page.delete(id)
          written.set(id, null)
        }
        if (clear && page.size === 0) tx.delete('cache', key)
        else tx.put('cache', key, [...page.values()])
      }
      if (advance?.to)
        tx.put('cache', this.#key(CURSOR_KEY), { ...advance.to, ...(cursor.all && { all: true }) })
      return { changed, records: reset ? undefined : records }
    })
  }

  /** Groups a delta by bucket and partition, so that each is read and written once. */
  #groupByPage(delta: Delta) {
    const changed: ChangedIds = {}
    const pages = new Map<string, PageChange>()
    const pageOf = (name: string, page: string) => {
      const key = this.#key(name, page)
      const existing = pages.get(key.join('/')) ?? { name, key, put: [], remove: [], clear: false }
      pages.set(key.join('/'), existing)
      return existing
    }
    const changedIn = (name: string) => (changed[name] ??= { ids: [], partitions: [] })
    for (const [name, records] of Object.entries(delta.put))
      for (const record of records) {
        const partition = this.partitionOf(name, record)
        pageOf(name, partition ?? bucketOf(record.id)).put.push(record)
        changedIn(name).ids.push(record.id)
        if (partition !== undefined) changedIn(name).partitions.push(partition)
      }
    for (const { type, id, partition } of delta.deleted) {
      if (this.#partitions[type] && partition === undefined) continue
      pageOf(type, partition ?? bucketOf(id)).remove.push(id)
      changedIn(type).ids.push(id)
      if (partition !== undefined) changedIn(type).partitions.push(partition)
      for (const [name, { of }] of Object.entries(this.#partitions))
        if (of === type) {
          pageOf(name, id).clear = true
          changedIn(name).partitions.push(id)
        }
    }
    return { pages: [...pages.values()], changed }
  }

  /** Stores that the user wants the whole organisation in spite of data saver. */
  async requestFullSync(): Promise<void> {
    await this.#store.transact(['cache', 'session'], 'readwrite', async (tx) => {
      const { session } = await readSession(tx)
      if (session?.user.id !== this.scope.user_id) return
      tx.put('cache', this.#key(CURSOR_KEY), { ...(await this.#readCursor(tx)), all: true })
    })
  }

  /** The partition that a record is in; undefined where its collection has none. */
  partitionOf(name: string, record: ReplicaRecord): string | undefined {
    const partition = this.#partitions[name]
    return partition ? String(record[partition.by]) : undefined
  }

  /** Stores any value by name. Does nothing when the user is signed out. */
  async setValue(name: string, value: unknown): Promise<void> {
    await this.#store.transact(['cache', 'session'], 'readwrite', async (tx) => {
      const { session } = await readSession(tx)
      if (session?.user.id === this.scope.user_id) tx.put('cache', this.#key(`=${name}`), value)
    })
  }

  /** The value stored under that name; undefined without one. */
  async getValue(name: string): Promise<unknown> {
    return await this.#store.transact(['cache'], 'readonly', (tx) =>
      tx.get('cache', this.#key(`=${name}`)),
    )
  }
}

/** The record with the higher version; `received` when they are equal or not numbers. */
export function newerOf(known: ReplicaRecord | undefined, received: ReplicaRecord): ReplicaRecord {
  const knownVersion = known?.version
  const receivedVersion = received.version
  const areComparable = typeof knownVersion === 'number' && typeof receivedVersion === 'number'
  return known && areComparable && knownVersion > receivedVersion ? known : received
}
