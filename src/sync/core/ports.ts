// What the engine needs from the world. It touches nothing else, so the code that ships is the code
// that runs in a tab, in the service worker and in a simulation.
import type { CallInput, OfflinePolicy } from '../../../contract/offline.ts'

export type { CallInput, OfflinePolicy }

interface Clock {
  /** Epoch milliseconds of the device; may jump. Orders nothing. */
  now(): number
}

interface Random {
  /** A new UUID v7. */
  id(): string
  /** From 0 up to, not including, 1. */
  fraction(): number
}

/** What the device keeps. `cache` may be lost at any time; the others never by our doing. */
export type StoreName = 'operations' | 'session' | 'cache' | 'drafts'
export type Key = string | string[]

export interface Transaction {
  get(table: StoreName, key: Key): Promise<unknown>
  /** All values whose array key begins with `prefix` (all values of the table for an empty one), in key order. */
  all(table: StoreName, prefix: string[]): Promise<unknown[]>
  put(table: StoreName, key: Key, value: unknown): void
  delete(table: StoreName, key: Key): void
  deleteAll(table: StoreName, prefix: string[]): void
}

export interface Store {
  /**
   * Runs `work` in one atomic transaction over `tables`. Resolves with its result only when the
   * transaction is *complete*, and with `strict` when it is on the disk: a request's success alone
   * survived 0 of 50 kills of the browser. Rejects when anything in it failed; then nothing of it
   * happened. `work` may await nothing but the transaction's own reads.
   */
  transact<T>(
    tables: readonly StoreName[],
    mode: 'readonly' | 'readwrite' | 'strict',
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T>
  /** Hears that the store was closed or deleted by others: what it held may be gone. */
  onLost?: () => void
}

/** The device has no room left. */
export class StorageFullError extends Error {
  override name = 'StorageFullError'
}

export interface Locks {
  /**
   * Runs `work` while holding the lock of that name, alone among all contexts of this origin.
   * Resolves to undefined when the lock could not be had: at once with `patience: 0`, else after
   * `patience` milliseconds. With `steal` it is taken from a holder that outlasts the patience.
   */
  withLock<T>(
    name: string,
    options: { timeoutMs: number; steal?: boolean },
    work: () => Promise<T>,
  ): Promise<{ value: T } | undefined>
}

export interface NetworkRequest {
  method: string
  /** Path and query, to be put behind the API's base URL. */
  url: string
  headers: Record<string, string>
  body?: string
  /** Milliseconds for the whole exchange, the body included. */
  timeoutMs: number
}

export interface NetworkResponse {
  status: number
  header(name: string): string | null
  text: string
}

/** One event of an event stream (HTML Standard, 9.2.6). */
export interface ServerEvent {
  /** `message` where the server names none. */
  type: string
  data: string
}

/** Ends a stream early. In the place of AbortController, which ECMAScript alone does not have. */
export class Cancellation {
  readonly #listeners: (() => void)[] = []
  #cancelled = false

  get cancelled(): boolean {
    return this.#cancelled
  }

  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` once cancelled; at once when it already is. */
  onCancel(listener: () => void): void {
    if (this.#cancelled) listener()
    else this.#listeners.push(listener)
  }
}

export interface Network {
  /** One exchange. Rejects when no whole answer came, for whatever reason. */
  exchange(request: NetworkRequest): Promise<NetworkResponse>
  /**
   * An answer that stays open: its events are heard as they come, until it ends, `until` says so, or
   * nothing was heard for the request's `timeout`. Resolves to the answer, whole where it was none
   * that stays open; rejects when none came.
   */
  stream(
    request: NetworkRequest,
    onEvent: (event: ServerEvent) => void,
    cancellation: Cancellation,
  ): Promise<NetworkResponse>
  /** False when the device knows that it has no network; true means nothing. */
  onlineHint(): boolean
  /** Whether the user has asked for little to be sent and read: the network is dear. */
  saveData(): boolean
}

/** What contexts of one device tell each other. Losing a message costs freshness, never data. */
export type Message =
  | { type: 'operations' }
  | { type: 'session' }
  | { type: 'sending'; ids: string[] }
  /** From one that shows nothing: what it has sent is to be read back. */
  | { type: 'sent' }
  | { type: 'cache'; scope: { user_id: string; organisation_id: string }; touched: ChangedIds }

/** Collections, and in them what changed: ids of records, or partitions. */
export type ChangedIds = Record<string, { ids: string[]; partitions: string[] }>

export interface Channel {
  /** To the other contexts, not to this one. */
  post(message: Message): void
  subscribe(listener: (message: Message) => void): () => void
}

/** A call of the table, as far as the engine cares. Nouns live behind these functions. */
export interface ApiCall {
  method: string
  path: string
  /** Sent without a token and without an organisation. */
  anonymous: boolean
  /** Carries the active organisation. */
  tenant: boolean
  /** Reads a 2xx body; `ok: false` means that this is not an answer of that call. */
  read(json: unknown): { ok: true; value: unknown } | { ok: false }
  offlinePolicy?: OfflinePolicy
}

/** The contract's table, by name. */
export type ApiCalls = Record<string, ApiCall>

export interface Ports {
  clock: Clock
  random: Random
  store: Store
  locks: Locks
  network: Network
  channel: Channel
  calls: ApiCalls
  writeQuery: (query: Record<string, unknown>) => string
}

/** A row of the table as callers hold it: only its types matter here, its name is looked up. */
export interface EndpointRow<Input, Answer> {
  readonly types?: { input: Input; answer: Answer }
}
