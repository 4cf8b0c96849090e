// The Store on IndexedDB. One database, at version 1 for ever: an old tab that holds it open can
// never keep a new build from saving, and no change of a format can touch the queue (formats live
// in keys and values).
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

function openDatabase(factory: IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(DATABASE_NAME, 1)
    request.onupgradeneeded = () => {
      for (const table of STORE_NAMES) request.result.createObjectStore(table)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The database did not open.'))
  })
}

/** Array keys sort behind all strings: `[...prefix, []]` is beyond every key that begins with `prefix`. */
const keyRange = (prefix: string[]) =>
  prefix.length === 0 ? undefined : IDBKeyRange.bound(prefix, [...prefix, []])

function abort(raw: IDBTransaction): void {
  try {
    raw.abort()
  } catch {
    // Committed, finished or aborted already: its own events say which.
  }
}

const isQuotaError = (error: unknown) =>
  error instanceof Error && error.name.startsWith('QuotaExceeded')

export class IndexedDbStore implements Store {
  onLost?: () => void
  readonly #factory: IDBFactory
  #database: Promise<IDBDatabase> | undefined
  readonly #running = new Set<IDBTransaction>()
  readonly #abortedBySuspend = new WeakSet<IDBTransaction>()
  /** While the page is put aside: resolves when it is back. */
  #suspended: PromiseWithResolvers<void> | undefined

  constructor(factory: IDBFactory = indexedDB) {
    this.#factory = factory
  }

  /** The open database; opens it again after the browser closed it. */
  database(): Promise<IDBDatabase> {
    this.#database ??= openDatabase(this.#factory).then(
      (database) => {
        const discard = () => {
          this.#database = undefined
          this.onLost?.()
        }
        database.onclose = discard
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
   * Ends what runs and begins nothing until `comeBack`, for a page that is put aside whole: WebKit keeps
   * its open transactions open, and the database then answers no other page (docs/browsers.md).
   */
  suspend(): void {
    this.#suspended ??= Promise.withResolvers()
    for (const raw of this.#running) {
      this.#abortedBySuspend.add(raw)
      abort(raw)
    }
  }

  resume(): void {
    this.#suspended?.resolve()
    this.#suspended = undefined
  }

  /** One table as a store of idb-keyval. Committed at once, so that it may begin in `pagehide`. */
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
    this.#running.add(raw)
    const done = new Promise<void>((resolve, reject) => {
      raw.oncomplete = () => resolve()
      const aborted = () => new DOMException('The transaction was aborted.', 'AbortError')
      raw.onabort = () => reject(raw.error ?? aborted())
    }).finally(() => this.#running.delete(raw))
    // It may end while `work` still waits, which nobody listens to yet.
    done.catch(() => undefined)
    try {
      const result = await work(wrapTransaction(raw))
      // Nobody else keeps it open; committing now saves a turn of the event loop.
      if (mode !== 'readonly') raw.commit()
      await done
      return result
    } catch (error) {
      abort(raw)
      // What was only read is read again when the page is back.
      if (mode === 'readonly' && this.#abortedBySuspend.has(raw))
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

  async #begin(tables: readonly StoreName[], mode: 'readonly' | 'readwrite' | 'strict') {
    const start = async () =>
      (await this.database()).transaction(
        [...tables],
        mode === 'readonly' ? 'readonly' : 'readwrite',
        { durability: mode === 'strict' ? 'strict' : 'relaxed' },
      )
    try {
      return await start()
    } catch (error) {
      // The browser may close a database under us at any time: once more on a fresh connection.
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
    put: (table, key: Key, value) => void raw.objectStore(table).put(value, key),
    delete: (table, key) => void raw.objectStore(table).delete(key),
    deleteAll: (table, prefix) => {
      const range = keyRange(prefix)
      if (range) raw.objectStore(table).delete(range)
      else raw.objectStore(table).clear()
    },
  }
}
