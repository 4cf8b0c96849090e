// The Store on IndexedDB. The database stays at version 1: an upgrade would be blocked by tabs of older
// builds. Formats are versioned in keys and values instead.
import { promisifyRequest, type UseStore } from 'idb-keyval'
import {
  StorageFullError,
  type Key,
  type Store,
  type StoreName,
  type Transaction,
} from '../core/ports.ts'

const DATABASE_NAME = 'cairn'
const STORE_NAMES: readonly StoreName[] = ['operations', 'session', 'cache', 'drafts']

/** Calls `onNew` when it creates the database. */
function openDatabase(factory: IDBFactory | undefined, onNew: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = (factory ?? indexedDB).open(DATABASE_NAME, 1)
    request.onupgradeneeded = () => {
      for (const table of STORE_NAMES) request.result.createObjectStore(table)
      onNew()
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The database did not open.'))
  })
}

/**
 * The keys that begin with `prefix`: `[...prefix, []]` is behind them, as arrays sort after strings.
 */
const keyRange = (prefix: string[]) =>
  prefix.length === 0 ? undefined : IDBKeyRange.bound(prefix, [...prefix, []])

function abort(raw: IDBTransaction): void {
  try {
    raw.abort()
  } catch {
    // Committed, complete or aborted already: its events report which.
  }
}

const isQuotaError = (error: unknown) =>
  error instanceof Error && error.name.startsWith('QuotaExceeded')

/** The device's database. Opened by the first transaction, and again after the browser closed it. */
export class IndexedDbStore implements Store {
  onLost?: () => void
  readonly #factory: IDBFactory | undefined
  #database: Promise<IDBDatabase> | undefined
  /** The running transactions, each with the function that rejects it. */
  readonly #running = new Map<IDBTransaction, (reason: DOMException) => void>()
  /** Transactions that `suspend` or the browser has ended. */
  readonly #cutOff = new WeakSet<IDBTransaction>()
  /** Resolves when the page is resumed; undefined while it is not suspended. */
  #suspended: PromiseWithResolvers<void> | undefined

  /** Without a factory that of the browser is read at the first use: where site data is blocked, reading it throws. */
  constructor(factory?: IDBFactory) {
    this.#factory = factory
  }

  /** The open database. Rejects when it cannot be opened. */
  database(): Promise<IDBDatabase> {
    this.#database ??= openDatabase(this.#factory, () => this.onLost?.()).then(
      (database) => {
        const discard = () => {
          this.#database = undefined
          this.onLost?.()
        }
        database.onclose = () => {
          this.#rejectRunning(database)
          discard()
        }
        database.onversionchange = () => {
          database.close()
          discard()
        }
        return database
      },
      (error: unknown) => {
        this.#database = undefined
        throw error
      },
    )
    return this.#database
  }

  /**
   * For a page that is left: aborts running transactions and starts no new ones until `resume`, except those
   * of `keyval`. A page that is unloaded loses its transactions in any case, also those that wait for others.
   * A page in WebKit's back/forward cache would keep them open, which blocks the database for all other pages
   * (docs/browsers.md).
   */
  suspend(): void {
    this.#suspended ??= Promise.withResolvers()
    for (const raw of this.#running.keys()) {
      this.#cutOff.add(raw)
      abort(raw)
    }
  }

  /** For Chromium, which closes the database without an event for its transactions and requests. */
  #rejectRunning(database: IDBDatabase): void {
    for (const [raw, reject] of this.#running)
      if (raw.db === database) {
        this.#cutOff.add(raw)
        reject(new DOMException('The browser has closed the database.', 'AbortError'))
      }
  }

  /** Starts the transactions that were requested since `suspend`. */
  resume(): void {
    this.#suspended?.resolve()
    this.#suspended = undefined
  }

  /** An object store for idb-keyval. Commits explicitly, so that a write can start in `pagehide`. */
  keyval(table: StoreName): UseStore {
    return async (mode, callback) => {
      const raw = await this.#begin([table], mode === 'readonly' ? 'readonly' : 'readwrite')
      const result = Promise.resolve(callback(raw.objectStore(table)))
      raw.commit()
      return await result
    }
  }

  async transact<T>(
    tables: readonly StoreName[],
    mode: 'readonly' | 'readwrite' | 'strict',
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    if (this.#suspended) await this.#suspended.promise
    const raw = await this.#begin(tables, mode)
    if (this.#suspended) {
      abort(raw)
      return await this.transact(tables, mode, work)
    }
    const done = new Promise<void>((resolve, reject) => {
      this.#running.set(raw, reject)
      raw.oncomplete = () => resolve()
      const aborted = () => new DOMException('The transaction was aborted.', 'AbortError')
      raw.onabort = () => reject(raw.error ?? aborted())
    }).finally(() => this.#running.delete(raw))
    // Once the transaction is aborted, requests of `work` may never be answered.
    const failed = new Promise<never>((_, reject) => void done.catch(reject))
    failed.catch(() => undefined)
    try {
      const result = await Promise.race([work(wrapTransaction(raw)), failed])
      // An explicit commit saves a turn of the event loop.
      if (mode !== 'readonly') raw.commit()
      await done
      return result
    } catch (error) {
      abort(raw)
      // A read is repeated after `resume`, or in the database that is opened next.
      if (mode === 'readonly' && this.#cutOff.has(raw))
        return await this.transact(tables, mode, work)
      const cause = await done.then(
        () => error,
        (aborted: unknown) =>
          aborted instanceof Error && aborted.name !== 'AbortError' ? aborted : error,
      )
      throw isQuotaError(cause) || isQuotaError(error)
        ? new StorageFullError('Storage is full.', { cause })
        : cause
    }
  }

  /**
   * All writing transactions share a table, so that the browser runs them one after another: Chromium deletes the
   * database when it was killed during two of them (docs/decisions/206-outbox-copy.md).
   */
  async #begin(tables: readonly StoreName[], mode: 'readonly' | 'readwrite' | 'strict') {
    const start = async () => {
      const database = await this.database()
      return mode === 'readonly'
        ? database.transaction([...tables])
        : database.transaction([...tables, 'session'], 'readwrite', {
            durability: mode === 'strict' ? 'strict' : 'relaxed',
          })
    }
    try {
      return await start()
    } catch (error) {
      // The browser can close the database at any time: try once more with a new connection.
      if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
      this.#database = undefined
      return await start()
    }
  }
}

function wrapTransaction(raw: IDBTransaction): Transaction {
  return {
    get: (table, key) => promisifyRequest<unknown>(raw.objectStore(table).get(key)),
    all: (table, prefix) =>
      promisifyRequest<unknown[]>(raw.objectStore(table).getAll(keyRange(prefix))),
    keys: async (table, prefix) =>
      // Written by this class only, so all of them are keys of this type.
      (await promisifyRequest(raw.objectStore(table).getAllKeys(keyRange(prefix)))) as Key[],
    put: (table, key: Key, value) => void raw.objectStore(table).put(value, key),
    delete: (table, key) => void raw.objectStore(table).delete(key),
    deleteAll: (table, prefix) => {
      const range = keyRange(prefix)
      if (range) raw.objectStore(table).delete(range)
      else raw.objectStore(table).clear()
    },
  }
}
