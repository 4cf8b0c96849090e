// The outbox copy: unacknowledged operations and drafts a second time, in Cache Storage, which has files of its own.
// Chromium deletes all IndexedDB data of an origin when it finds it damaged, which a kill during a write can cause
// (docs/decisions/206-outbox-copy.md).
import {
  bySequence,
  OPERATION_SEQUENCE,
  readOperations,
  upcast,
  type Operation,
} from '../core/operation.ts'
import type { Key, Network, StoreName, Transaction } from '../core/ports.ts'
import type { IndexedDbStore } from './indexeddb-store.ts'
import { newId } from './new-id.ts'

const CACHE_NAME = 'cairn-outbox'
/** No request has such an address, so no row is ever used as an answer. */
const ADDRESS = 'https://outbox.invalid/'
/** In the store `session`: the id of the database that the copy was restored into. An earlier build wrote `true`. */
const RESTORED_KEY = 'outbox-copy'
const TABLES: readonly StoreName[] = ['operations', 'drafts']
/** A transaction of all tables changes the session: what a sign-out deletes must leave the copy before it resolves. */
const ALL_TABLES = 4

/** From the end of a transaction until it is copied, so that "Saved" is rendered first. */
const DELAY_MS = 50

/** How long a request or a transaction waits for Cache Storage, which may never answer. */
const COPY_TIMEOUT_MS = 1_000
/** The same of a start: a slow device needs seconds after a crash. */
const READ_TIMEOUT_MS = 10_000

/** Rejects when `work` takes longer. */
function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  setTimeout(() => reject(new Error('Cache Storage does not answer.')), timeoutMs)
  return Promise.race([work, promise])
}

/** The address of a row, and its text in the copy; undefined for a row to delete. */
type Row = readonly [address: string, text: string | undefined]

const addressOf = (table: StoreName, key: Key): string =>
  ADDRESS + encodeURIComponent(JSON.stringify([table, key]))
const rowOf = (address: string) =>
  JSON.parse(decodeURIComponent(address.slice(ADDRESS.length))) as [StoreName, Key]

/** The value in a text of the copy; undefined for an incomplete text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The text of a row in the copy; undefined for what is not copied: counters, which start again with the database, and
 * acknowledged operations, which the server has.
 */
function textOf(table: StoreName, value: unknown): string | undefined {
  const isLeftOut =
    table === 'operations' && [undefined, 'acknowledged'].includes(upcast(value)?.state)
  return isLeftOut ? undefined : JSON.stringify(value)
}

/**
 * Maintains the copy of a store. A failure here fails no transaction. If two contexts change a row within
 * milliseconds, the copy may have the older state until the next comparison.
 */
export class OutboxCopy {
  readonly #store: IndexedDbStore
  /** What is to be written: texts by address, undefined where the row is to be deleted. */
  readonly #changed = new Map<string, string | undefined>()
  #writing: Promise<void> | undefined
  /** A writing that took too long: nothing waits for it any more. */
  #stuck: Promise<void> | undefined
  /** What this context stored, as in `#changed`, until the copy has it and the database is known to be the same. */
  readonly #unconfirmed = new Map<string, string | undefined>()
  /** The id of the database that this context has written to. */
  #databaseId: unknown
  /** Resolved when the copy is to be written. */
  #due = Promise.withResolvers<void>()

  /** Copies what transactions of the store write from now on. */
  constructor(store: IndexedDbStore) {
    this.#store = store
    const transact: IndexedDbStore['transact'] = store.transact.bind(store)
    store.transact = async (tables, mode, work) => {
      // Copied before the next write, since a kill during it can cost the database.
      if (mode !== 'readonly') this.#due.resolve()
      let rows: Row[] = []
      let isCleared = false
      const result = await transact(tables, mode, (tx) => {
        // The store may repeat `work`.
        rows = []
        const onClear = () => (isCleared = true)
        return work(recording(tx, rows, onClear))
      })
      this.#write(rows)
      if (isCleared) await within(this.compare(), COPY_TIMEOUT_MS).catch(() => undefined)
      if (tables.length === ALL_TABLES) await this.#settledInTime()
      return result
    }
  }

  /** The same network; a request that writes is sent once the copy has the attempt, or does not get it in time. */
  guard(network: Network): Network {
    const exchange: Network['exchange'] = async (request) => {
      if (request.method !== 'GET') await this.#settledInTime()
      return network.exchange(request)
    }
    return { ...network, exchange }
  }

  /**
   * Restores what a newly created database lacks; resolves to the number of operations. Where another context has
   * restored it already, adds what this context stored last, which the copy may have lacked. Call it before the outbox
   * is read. Rejects when storage or the copy fails.
   */
  async restore(): Promise<number> {
    const id = await this.#store.transact(['session'], 'readonly', databaseId)
    this.#databaseId ??= id
    if (id !== undefined && id === this.#databaseId) return 0
    const copied = await within(readCopy(), READ_TIMEOUT_MS)
    let restored: unknown
    const count = await this.#store.transact([...TABLES, 'session'], 'strict', async (tx) => {
      // Another tab may have been faster, and the operations may have left the outbox since.
      restored = await databaseId(tx)
      const isRestored = restored !== undefined
      if (isRestored && restored === (this.#databaseId ?? restored)) return 0
      restored ??= newId()
      tx.put('session', RESTORED_KEY, restored)
      const stored = await readOperations(tx)
      const operations: Operation[] = []
      const own = this.#unconfirmed
      for (const [address, text] of isRestored ? own : new Map([...copied, ...own])) {
        const row = rowOf(address)
        if (text === undefined || (await tx.get(...row)) !== undefined) continue
        const operation = upcast(parse(text))
        if (operation) operations.push(operation)
        else tx.put(...row, parse(text))
      }
      await putBefore(tx, operations, stored, isRestored)
      return operations.length
    })
    this.#databaseId = restored
    return count
  }

  /** Brings the copy in line with the database, as after a kill between the two. Rejects when storage fails. */
  async compare(): Promise<void> {
    // The copy is read first: what it has and the database lacks was deleted, not added since.
    const copied = await readCopy()
    const rows = await this.#store.transact([...TABLES, 'session'], 'readonly', async (tx) => {
      const changed: Row[] = []
      // Not a database that has yet to be restored, or was created again.
      if (!(await this.#isSame(tx))) return undefined
      for (const table of TABLES) {
        const [keys, values] = await Promise.all([tx.keys(table, []), tx.all(table, [])])
        for (const [at, key] of keys.entries()) {
          const address = addressOf(table, key)
          const text = textOf(table, values[at])
          if (text === undefined) continue
          if (copied.get(address) !== text) changed.push([address, text])
          copied.delete(address)
        }
      }
      return changed
    })
    if (rows) this.#write([...rows, ...[...copied.keys()].map((gone): Row => [gone, undefined])])
  }

  /** Resolves when all that was written is copied. */
  async settled(): Promise<void> {
    while (this.#writing) {
      this.#due.resolve()
      await this.#writing
    }
  }

  /** The same, but no longer than a second for one writing: `compare` adds what it lacks. */
  async #settledInTime(): Promise<void> {
    const writing = this.#writing
    if (writing === undefined || writing === this.#stuck) return
    await within(this.settled(), COPY_TIMEOUT_MS).catch(() => void (this.#stuck = writing))
  }

  #write(rows: readonly Row[]): void {
    for (const [address, text] of rows) {
      this.#changed.set(address, text)
      this.#unconfirmed.set(address, text)
    }
    if (rows.length === 0 || this.#writing) return
    this.#due = Promise.withResolvers()
    setTimeout(this.#due.resolve, DELAY_MS)
    this.#writing = this.#due.promise.then(() => this.#writeAll())
  }

  async #writeAll(): Promise<void> {
    while (this.#changed.size > 0) {
      const rows = [...this.#changed]
      this.#changed.clear()
      try {
        const cache = await caches.open(CACHE_NAME)
        await Promise.all(
          rows.map(([address, text]) =>
            text === undefined ? cache.delete(address) : cache.put(address, new Response(text)),
          ),
        )
        await this.#deleteGone(cache, rows)
      } catch {
        // No Cache Storage, as on a page without HTTPS, or no room.
      }
    }
    this.#writing = undefined
  }

  /** Deletes rows just written that the database lacks: this tab may have been frozen during a sign-out. */
  async #deleteGone(cache: Cache, rows: readonly Row[]): Promise<void> {
    const gone = await this.#store.transact([...TABLES, 'session'], 'readonly', async (tx) => {
      // A new database lacks what has yet to be restored.
      if (!(await this.#isSame(tx))) return undefined
      const present = await Promise.all(rows.map(([address]) => tx.get(...rowOf(address))))
      return rows.filter(([, text], at) => text !== undefined && present[at] === undefined)
    })
    if (!gone) return
    await Promise.all(gone.map(([address]) => cache.delete(address)))
    for (const [address] of rows) if (!this.#changed.has(address)) this.#unconfirmed.delete(address)
  }

  /** Whether it is the database that this context has restored, or found restored. */
  async #isSame(tx: Transaction): Promise<boolean> {
    const id = await databaseId(tx)
    return id !== undefined && id === this.#databaseId
  }
}

/**
 * Stores operations in their order, before those that the database got since it was created: all `stored` ones, or,
 * where another context has restored it, those with later ids.
 */
async function putBefore(
  tx: Transaction,
  operations: readonly Operation[],
  stored: readonly Operation[],
  isRestored: boolean,
): Promise<void> {
  const ids = operations.map(({ id }) => id)
  const latest = ids.toSorted().at(-1) ?? ''
  const newer = stored.findIndex(({ id }) => !isRestored || id > latest)
  const earlier = newer < 0 ? stored : stored.slice(0, newer)
  const ordered = [...earlier, ...operations].toSorted(bySequence)
  const last = Math.ceil(ordered.at(-1)?.seq ?? 0)
  const next = stored[newer]?.seq
  const isTaken = next !== undefined && last >= next
  for (const [at, one] of ordered.entries())
    tx.put('operations', one.id, isTaken ? { ...one, seq: next - ordered.length + at } : one)
  const counted = await tx.get('operations', OPERATION_SEQUENCE)
  if (last > Number(counted ?? 0)) tx.put('operations', OPERATION_SEQUENCE, last)
}

/** The same transaction; adds the rows of the copy that it changes, and tells of many that are deleted at once. */
function recording(tx: Transaction, rows: Row[], onClear: () => void): Transaction {
  // The replica's pages are large: only what is copied becomes a text.
  const add = (table: StoreName, key: Key, text?: () => string | undefined) => {
    if (TABLES.includes(table)) rows.push([addressOf(table, key), text?.()])
  }
  return {
    ...tx,
    put: (table, key, value) => {
      tx.put(table, key, value)
      add(table, key, () => textOf(table, value))
    },
    delete: (table, key) => {
      tx.delete(table, key)
      add(table, key)
    },
    deleteAll: (table, prefix) => {
      tx.deleteAll(table, prefix)
      if (TABLES.includes(table)) onClear()
    },
  }
}

const databaseId = (tx: Transaction) => tx.get('session', RESTORED_KEY)

/** The texts of the copy, by address. */
async function readCopy(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  // As on a page without HTTPS.
  if (typeof caches === 'undefined') return found
  const cache = await caches.open(CACHE_NAME)
  for (const { url } of await cache.keys()) {
    // One that was being written when the browser was killed has no text, or a part of it.
    const text = await (await cache.match(url))?.text().catch(() => undefined)
    if (text !== undefined && parse(text) !== undefined) found.set(url, text)
  }
  return found
}
