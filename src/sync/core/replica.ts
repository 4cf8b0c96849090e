// The device's copy of one organisation, for one user. Records are kept in buckets (a few hundred
// each), and such as are only read together (the updates of one plan) in partitions. Keys begin with
// user and organisation, so nothing can be read across them, and each write checks in its own
// transaction that this very user is still signed in.
import type { Store, ChangedIds, Transaction } from './ports.ts'
import { readSession } from './session-store.ts'

export interface Scope {
  user_id: string
  organisation_id: string
}

export type ReplicaRecord = { id: string } & Record<string, unknown>

/** How collections are laid out: those named here are partitioned by a field, the id of a record of `of`. */
export type Partitions = Record<string, { by: string; of: string }>

/** What one read brought: records to keep, and ids of records to forget. */
export interface Delta {
  put: Record<string, ReplicaRecord[]>
  deleted: { type: string; id: string }[]
  /** Read from another database than before: its versions say nothing about those on the device. */
  reset?: boolean
}

/** How far the copy went when a read began, and how far it goes with it. */
export interface CursorUpdate {
  from: SyncCursor
  to?: SyncCursor | undefined
}

/** How far the copy goes. */
export interface SyncCursor {
  /** The version up to which it is whole; 0 while the first download runs. */
  since: number
  /** Whether all of the organisation has arrived once. */
  whole: boolean
  /** Epoch milliseconds of the last complete read. */
  synced_at: number | null
  /** Where the organisation was, when it was last asked. */
  latest?: number | undefined
  /** While the first download is put off to spare the network: the version up to which the lists are here. */
  listed?: number | undefined
  /** Somebody wants all of it, spare or not. */
  all?: true
}

const BUCKET_COUNT = 128

/** The same few hundred ids in each bucket, whatever their source: FNV-1a over the id. */
function bucketOf(id: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return String((hash >>> 0) % BUCKET_COUNT).padStart(3, '0')
}

type Page = ReplicaRecord[]

/** What happens to one page. */
interface PageChange {
  key: string[]
  put: Page
  /** Ids of records that leave it. */
  remove: string[]
  /** What was in it before goes as a whole. */
  clear: boolean
}

const CURSOR_KEY = '!progress'
const EMPTY_CURSOR: SyncCursor = { since: 0, whole: false, synced_at: null }

/** Whether no read has come to an end, or to the end of a page, between the two. */
export const isSameCursor = (a: SyncCursor, b: SyncCursor): boolean =>
  a.since === b.since && a.listed === b.listed && a.synced_at === b.synced_at

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

  async cursor(): Promise<SyncCursor> {
    return await this.#store.transact(['cache'], 'readonly', (tx) => this.#readCursor(tx))
  }

  async #readCursor(tx: Transaction): Promise<SyncCursor> {
    return (
      ((await tx.get('cache', this.#key(CURSOR_KEY))) as SyncCursor | undefined) ?? EMPTY_CURSOR
    )
  }

  /** All records of a collection; undefined when it was never read whole. */
  async collection(name: string): Promise<ReplicaRecord[] | undefined> {
    return await this.#store.transact(['cache'], 'readonly', async (tx) => {
      const [cursor, pages] = await Promise.all([
        this.#readCursor(tx),
        tx.all('cache', this.#key(name)) as Promise<Page[]>,
      ])
      return cursor.whole || pages.length > 0 ? pages.flat() : undefined
    })
  }

  /** The records of one partition; undefined when nothing says that there are none. */
  async partition(name: string, partition: string): Promise<ReplicaRecord[] | undefined> {
    return await this.#store.transact(['cache'], 'readonly', async (tx) => {
      const [cursor, page] = await Promise.all([
        this.#readCursor(tx),
        tx.get('cache', this.#key(name, partition)) as Promise<Page | undefined>,
      ])
      return page ?? (cursor.whole ? [] : undefined)
    })
  }

  /** One record; null when it is known not to exist, undefined when nothing is known. */
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
   * Takes in what a read brought, with how far the copy goes now, in one transaction. Resolves to
   * what was touched, or to undefined when it was refused: because this user is signed in no more,
   * or because the copy is not the one any more that the read goes on from: it was wiped meanwhile (by
   * a sign-out, or to make room) and would count as whole without what is gone, or another context has
   * taken the read over.
   */
  async apply(delta: Delta, advance?: CursorUpdate): Promise<ChangedIds | undefined> {
    const { pages, touched: changed } = this.#groupByPage(delta)
    return await this.#store.transact(['cache', 'session'], 'readwrite', async (tx) => {
      // All at once: one after the other they would be three ways to the database and back.
      const [{ session }, cursor, ...stored] = await Promise.all([
        readSession(tx),
        this.#readCursor(tx),
        ...pages.map(({ key, clear }) => (clear ? undefined : tx.get('cache', key))),
      ])
      if (session?.user.id !== this.scope.user_id) return undefined
      if (advance && !isSameCursor(cursor, advance.from)) return undefined
      for (const [index, { key, put, remove, clear }] of pages.entries()) {
        const page = (stored[index] as Page | undefined) ?? []
        const records = new Map(page.map((record) => [record.id, record]))
        for (const record of put) {
          const known = delta.reset ? undefined : records.get(record.id)
          records.set(record.id, newerOf(known, record))
        }
        for (const id of remove) records.delete(id)
        if (clear && records.size === 0) tx.delete('cache', key)
        else tx.put('cache', key, [...records.values()])
      }
      if (advance?.to)
        tx.put('cache', this.#key(CURSOR_KEY), { ...advance.to, ...(cursor.all && { all: true }) })
      return changed
    })
  }

  /** What of the copy a delta changes: each page once, with what comes into it and what leaves it. */
  #groupByPage(delta: Delta) {
    const changed: ChangedIds = {}
    const pages = new Map<string, PageChange>()
    const pageOf = (name: string, page: string) => {
      const key = this.#key(name, page)
      const existing = pages.get(key.join('/')) ?? { key, put: [], remove: [], clear: false }
      pages.set(key.join('/'), existing)
      return existing
    }
    const changedIn = (name: string) => (changed[name] ??= { ids: [], partitions: [] })
    for (const [name, records] of Object.entries(delta.put))
      for (const record of records) {
        const partition = this.#partitionOf(name, record)
        pageOf(name, partition ?? bucketOf(record.id)).put.push(record)
        changedIn(name).ids.push(record.id)
        if (partition !== undefined) changedIn(name).partitions.push(partition)
      }
    for (const { type, id } of delta.deleted) {
      // Records of a partition go with the record that the partition belongs to.
      if (this.#partitions[type]) continue
      pageOf(type, bucketOf(id)).remove.push(id)
      changedIn(type).ids.push(id)
      for (const [name, { of }] of Object.entries(this.#partitions))
        if (of === type) {
          pageOf(name, id).clear = true
          changedIn(name).partitions.push(id)
        }
    }
    return { pages: [...pages.values()], touched: changed }
  }

  /** Notes that the whole organisation is wanted here, however dear the network. */
  async requestFullSync(): Promise<void> {
    await this.#store.transact(['cache', 'session'], 'readwrite', async (tx) => {
      const { session } = await readSession(tx)
      if (session?.user.id !== this.scope.user_id) return
      tx.put('cache', this.#key(CURSOR_KEY), { ...(await this.#readCursor(tx)), all: true })
    })
  }

  #partitionOf(name: string, record: ReplicaRecord): string | undefined {
    const partition = this.#partitions[name]
    return partition ? String(record[partition.by]) : undefined
  }

  /** Keeps one answer under a name of its own. Refused, like any write, after a sign-out. */
  async setValue(name: string, value: unknown): Promise<void> {
    await this.#store.transact(['cache', 'session'], 'readwrite', async (tx) => {
      const { session } = await readSession(tx)
      if (session?.user.id === this.scope.user_id) tx.put('cache', this.#key(`=${name}`), value)
    })
  }

  /** The answer kept under that name. */
  async getValue(name: string): Promise<unknown> {
    return await this.#store.transact(['cache'], 'readonly', (tx) =>
      tx.get('cache', this.#key(`=${name}`)),
    )
  }
}

/** A late answer must not undo a newer one. Servers without versions always win. */
function newerOf(known: ReplicaRecord | undefined, received: ReplicaRecord): ReplicaRecord {
  const knownVersion = known?.version
  const receivedVersion = received.version
  return known &&
    typeof knownVersion === 'number' &&
    typeof receivedVersion === 'number' &&
    knownVersion > receivedVersion
    ? known
    : received
}

/** Makes room for what exists nowhere else: all copies of what the server has anyway. */
export async function evictReplicas(store: Store): Promise<void> {
  await store.transact(['cache'], 'readwrite', async (tx) => tx.deleteAll('cache', []))
}
