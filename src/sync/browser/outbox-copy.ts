// The outbox copy: operations that are not acknowledged, and drafts, a second time, in Cache Storage. Chromium
// deletes all IndexedDB data of an origin when it finds it damaged, which a kill in the middle of a write can
// cause (docs/decisions/206-outbox-copy.md). Cache Storage is in other files.
import { OPERATION_SEQUENCE, readOperations, upcast } from '../core/operation.ts'
import type { Key, Network, StoreName, Transaction } from '../core/ports.ts'
import type { IndexedDbStore } from './indexeddb-store.ts'

const CACHE_NAME = 'cairn-outbox'
/** No request has such an address, so no row is ever taken for an answer. */
const ADDRESS = 'https://outbox.invalid/'
/** In the store `session`: what the copy had is in this database. */
const RESTORED_KEY = 'outbox-copy'
const TABLES: readonly StoreName[] = ['operations', 'drafts']
/** Of a transaction that changes the session: what a sign-out deletes must not be readable afterwards. */
const ALL_TABLES = 4

/** From the end of a transaction until it is copied, in milliseconds: "Saved" is rendered first. */
const DELAY_MS = 50

/** The address of a row, and its text in the copy; undefined where it is not to be there. */
type Row = readonly [address: string, text: string | undefined]

const addressOf = (table: StoreName, key: Key): string =>
  ADDRESS + encodeURIComponent(JSON.stringify([table, key]))
const rowOf = (address: string) =>
  JSON.parse(decodeURIComponent(address.slice(ADDRESS.length))) as [StoreName, Key]

/** The value in a text of the copy; undefined for half a text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The text of a row in the copy; undefined for what is not copied: counters, which begin again with the database,
 * and what is acknowledged, which the server has.
 */
function textOf(table: StoreName, value: unknown): string | undefined {
  const isLeftOut =
    table === 'operations' && [undefined, 'acknowledged'].includes(upcast(value)?.state)
  return isLeftOut ? undefined : JSON.stringify(value)
}

/**
 * Keeps the copy of a store. What fails here fails no transaction. Two contexts that change one row within
 * milliseconds may leave the older state in the copy, until the next comparison.
 */
export class OutboxCopy {
  readonly #store: IndexedDbStore
  /** What is to be written: texts by address, undefined where the row is to be deleted. */
  readonly #changed = new Map<string, string | undefined>()
  #writing: Promise<void> | undefined
  /** Resolved when the copy is to be written. */
  #due = Promise.withResolvers<void>()

  /** Copies what the store's transactions write from now on. */
  constructor(store: IndexedDbStore) {
    this.#store = store
    const transact: IndexedDbStore['transact'] = store.transact.bind(store)
    store.transact = async (tables, mode, work) => {
      // A kill in the middle of a write is what can cost the database.
      if (mode !== 'readonly') this.#due.resolve()
      let rows: Row[] = []
      let isCleared = false
      const result = await transact(tables, mode, (tx) => {
        // The store may repeat its work.
        rows = []
        const onClear = () => (isCleared = true)
        return work(recording(tx, rows, onClear))
      })
      this.#write(rows)
      if (isCleared) await this.compare().catch(() => undefined)
      if (tables.length === ALL_TABLES) await this.settled()
      return result
    }
  }

  /** The same network; a request that writes leaves when the copy knows of the attempt. */
  guard(network: Network): Network {
    const exchange: Network['exchange'] = async (request) => {
      if (request.method !== 'GET') await this.settled()
      return network.exchange(request)
    }
    return { ...network, exchange }
  }

  /**
   * Brings back what a database that was created again lacks; resolves to the number of operations. To be called
   * before the outbox is read. Rejects when storage fails.
   */
  async restore(): Promise<number> {
    if (await this.#store.transact(['session'], 'readonly', isRestored)) return 0
    await this.settled()
    const copied = await readCopy().catch(() => new Map<string, string>())
    return await this.#store.transact([...TABLES, 'session'], 'strict', async (tx) => {
      // Another tab may have been faster, and the operations may have left the outbox since.
      if (await isRestored(tx)) return 0
      tx.put('session', RESTORED_KEY, true)
      const values = new Map([...copied].map(([address, text]) => [address, parse(text)]))
      const operations = [...values.values()].map(upcast).filter((one) => one !== undefined)
      const last = Math.max(0, ...operations.map(({ seq }) => Math.ceil(seq)))
      // What the new database has already, or gets from now on, was enqueued later.
      const [newer] = await readOperations(tx)
      const shift = newer ? Math.min(0, newer.seq - 1 - last) : 0
      if (!newer) tx.put('operations', OPERATION_SEQUENCE, last)
      for (const [address, value] of values) {
        const row = rowOf(address)
        const operation = upcast(value)
        if ((await tx.get(...row)) === undefined)
          tx.put(...row, operation ? { ...operation, seq: operation.seq + shift } : value)
      }
      return operations.length
    })
  }

  /** Brings the copy in line with the database, as after a kill between the two. Rejects when storage fails. */
  async compare(): Promise<void> {
    // Read first: what it has and the database lacks is gone, not new.
    const copied = await readCopy()
    const rows = await this.#store.transact([...TABLES, 'session'], 'readonly', async (tx) => {
      const changed: Row[] = []
      // It has yet to be restored from.
      if (!(await isRestored(tx))) return undefined
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

  #write(rows: readonly Row[]): void {
    for (const [address, text] of rows) this.#changed.set(address, text)
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
        for (const table of TABLES) await this.#deleteGone(cache, table, rows)
      } catch {
        // No Cache Storage, as on a page without HTTPS, or no room.
      }
    }
    this.#writing = undefined
  }

  /** Of what was just written: a tab that was frozen before may have written what a sign-out has deleted meanwhile. */
  async #deleteGone(cache: Cache, table: StoreName, rows: readonly Row[]): Promise<void> {
    const written = rows.filter(
      ([address, text]) => text !== undefined && rowOf(address)[0] === table,
    )
    if (written.length === 0) return
    const gone = await this.#store.transact([table, 'session'], 'readonly', async (tx) => {
      const isPresent = async ([address]: Row) => (await tx.get(...rowOf(address))) !== undefined
      // A new database lacks what has yet to be restored.
      if (!(await isRestored(tx))) return []
      const present = await Promise.all(written.map(isPresent))
      return written.filter((_, at) => !present[at])
    })
    await Promise.all(gone.map(([address]) => cache.delete(address)))
  }
}

/** The same transaction; adds the rows of the copy that it changes, and tells of many that are deleted at once. */
function recording(tx: Transaction, rows: Row[], onClear: () => void): Transaction {
  const add = (table: StoreName, key: Key, text: string | undefined) => {
    if (TABLES.includes(table)) rows.push([addressOf(table, key), text])
  }
  return {
    ...tx,
    put: (table, key, value) => {
      tx.put(table, key, value)
      add(table, key, textOf(table, value))
    },
    delete: (table, key) => {
      tx.delete(table, key)
      add(table, key, undefined)
    },
    deleteAll: (table, prefix) => {
      tx.deleteAll(table, prefix)
      if (TABLES.includes(table)) onClear()
    },
  }
}

const isRestored = (tx: Transaction) => tx.get('session', RESTORED_KEY)

/** The texts of the copy, by address. */
async function readCopy(): Promise<Map<string, string>> {
  const cache = await caches.open(CACHE_NAME)
  const found = new Map<string, string>()
  for (const { url } of await cache.keys()) {
    // One that was being written when the browser was killed has no text, or a part of it.
    const text = await (await cache.match(url))?.text().catch(() => undefined)
    if (text !== undefined && parse(text) !== undefined) found.set(url, text)
  }
  return found
}
