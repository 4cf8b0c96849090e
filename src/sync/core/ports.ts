// The ports of the engine: everything that it needs from its environment. The same code runs in a tab,
// in the service worker and in the simulation.

import type { CallInput, OfflinePolicy } from '../../../contract/offline.ts'
import type { NewTokens } from './api/unsaved-tokens.ts'
import type { ReadResult } from '../../../contract/schemas/read-records.ts'

export type { CallInput, OfflinePolicy }

interface Clock {
  /** Epoch milliseconds of the device. May jump, so nothing is ordered by it. */
  now(): number
}

interface Random {
  /** A new UUID v7. */
  id(): string
  /** From 0 up to, but not including, 1. */
  fraction(): number
}

/**
 * Object stores of the device. Room is made by deleting from `cache` only, which can be lost at any time; of the others
 * only a sign-out, its author or an acknowledgement deletes.
 */
export type StoreName = 'operations' | 'session' | 'cache' | 'drafts'
/** Array keys are ordered by their elements, and are read and deleted by prefix. */
export type Key = string | string[]

/**
 * One transaction of the Store. Reads reject when storage fails; failed writes make `transact` reject.
 */
export interface Transaction {
  /** Undefined when there is no value. */
  get(table: StoreName, key: Key): Promise<unknown>
  /** The values whose array key begins with `prefix`, in key order; all values for an empty prefix. */
  all(table: StoreName, prefix: string[]): Promise<unknown[]>
  /** The array keys that begin with `prefix`, in order; all keys for an empty prefix. */
  keys(table: StoreName, prefix: string[]): Promise<Key[]>
  put(table: StoreName, key: Key, value: unknown): void
  delete(table: StoreName, key: Key): void
  /** Deletes the values whose array key begins with `prefix`; all values for an empty prefix. */
  deleteAll(table: StoreName, prefix: string[]): void
}

/** Transactional storage of the device, shared by all contexts. */
export interface Store {
  /**
   * Runs `work` in one atomic transaction over `tables`. Resolves to its result when the transaction is
   * complete, with `strict` when it is on the disk: the success event of a request alone survived 0 of
   * 50 kills of the browser. Rejects, with nothing written, when anything fails; with StorageFullError
   * when there is no room. `work` may await only the transaction's own reads.
   */
  transact<T>(
    tables: readonly StoreName[],
    mode: 'readonly' | 'readwrite' | 'strict',
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T>
  /** Called when the database was closed or deleted externally, or created again: its contents may be gone. */
  onLost?: () => void
}

/** The device has no room left. */
export class StorageFullError extends Error {
  override name = 'StorageFullError'
}

/** Runs `write`, and where there is no room again when some was made: see StorageRoom. */
export type MakeRoomFor = <T>(write: () => Promise<T>) => Promise<T>

/** Locks among all contexts of the device; released when their context ends. */
export interface Locks {
  /**
   * Runs `work` under the exclusive lock of that name, among all contexts of the origin. Resolves to
   * undefined if the lock was not acquired within `timeoutMs`. With `steal`, takes it from its holder
   * instead; the holder's work continues. Rejects when `work` rejects.
   */
  withLock<T>(
    name: string,
    options: { timeoutMs: number; steal?: boolean },
    work: () => Promise<T>,
  ): Promise<{ value: T } | undefined>
}

export interface NetworkRequest {
  method: string
  /** Path and query, relative to the API's base URL. */
  url: string
  headers: Record<string, string>
  body?: string
  /**
   * Of a write: when its attempt was noted, or when the record was read that it is compared with or replaces. See
   * `mayLeave`.
   */
  notedAt?: number | undefined
  /** Milliseconds for the whole exchange, including the body; of a stream, between two chunks. */
  timeoutMs: number
}

export interface NetworkResponse {
  status: number
  /** Null when absent; names are case-insensitive. */
  header(name: string): string | null
  text: string
}

/** One event of an event stream (HTML Standard, 9.2.6). */
export interface ServerEvent {
  /** `message` where the server names none. */
  type: string
  data: string
}

/** Ends a stream early; see Cancellation. */
export interface CancelSignal {
  readonly cancelled: boolean
  /** Calls `listener` once cancelled; at once when it already is. */
  onCancel(listener: () => void): void
}

/** Access to the API's server. */
export interface Network {
  /** One request, if it `mayLeave`. Rejects when no complete response arrived, whatever the reason. */
  exchange(request: NetworkRequest): Promise<NetworkResponse>
  /**
   * Reads an event stream and calls `onEvent` for each event, and waits for it before it reads further, until the
   * stream ends, is cancelled or is silent for `timeoutMs`. Resolves to the response then; for another content type
   * than text/event-stream, to the complete response. Rejects when no response arrived.
   */
  stream(
    request: NetworkRequest,
    onEvent: (event: ServerEvent) => void | Promise<void>,
    signal: CancelSignal,
  ): Promise<NetworkResponse>
  /**
   * Whether another origin's server answers at all, though a browser may not show the answer. False where
   * that cannot be found out. Never rejects.
   */
  answers(path: string): Promise<boolean>
  /** False when the device reports that it has no network; true is no evidence of one. */
  onlineHint(): boolean
  /** True when the user enabled data saver. */
  saveData(): boolean
}

/**
 * Messages between the contexts of a device, which can be of two builds: shapes never change. A lost
 * message costs freshness, never data.
 */
export type Message =
  | { type: 'operations' }
  /** `tokens`: those that the sender could not store. */
  | { type: 'session'; tokens?: NewTokens }
  | { type: 'sending'; ids: string[] }
  /** From the service worker: it has sent operations whose records are to be pulled. */
  | { type: 'sent' }
  /** Records of a replica changed. */
  | { type: 'cache'; scope: { user_id: string; organisation_id: string }; touched: ChangedIds }

/** By collection: ids of changed records, and changed partitions. */
export type ChangedIds = Record<string, { ids: string[]; partitions: string[] }>

export interface Channel {
  /** Sends to all other contexts, not to this one. */
  post(message: Message): void
  /** Returns the function that unsubscribes the listener. */
  subscribe(listener: (message: Message) => void): () => void
}

/** The server of the API, by the app's configuration. */
export interface ApiAddress {
  /** Base URL; empty for the app's own origin. */
  baseUrl: string
  /** What the server can do, in the form of the header `Cairn-Capabilities`. */
  capabilities?: string | undefined
  /** Earlier base URLs of the same server. */
  formerBaseUrls?: readonly string[] | undefined
  /** The configuration has not been read yet. */
  isUnknown?: boolean
}

/** A row of the contract's endpoint table as the engine needs it. The engine knows no record types. */
export interface ApiCall {
  method: string
  path: string
  /** Sent without a token and an organisation. */
  anonymous: boolean
  /** Belongs to an organisation: that of its operation, else the active one. */
  tenant: boolean
  /** Also answered without an organisation, so that a refusal can tell that the organisation is wrong. */
  identifies?: boolean
  /** A read in the form of a write, to find out whether the server takes writes of this origin. */
  isWriteCheck?: true
  /** The collection of the records that it answers; undefined where it answers none of a collection. */
  collection?: string
  /** The capability that a server with this call has; undefined for a call of the specification. */
  capability?: string
  /** The call that reads the record which this call changes: by its id, or in a list. */
  current?: { call: string; input: (id: string) => CallInput; isList: boolean } | undefined
  /** Validates the body of a 2xx response to a request with `id` in its path; `ok: false`: it is not of this call. */
  read(json: unknown, id?: string): ReadResult
  offlinePolicy?: OfflinePolicy
}

/** The contract's endpoint table, by name. */
export type ApiCalls = Record<string, ApiCall>

/** All ports of one context. */
export interface Ports {
  clock: Clock
  random: Random
  store: Store
  locks: Locks
  network: Network
  /** Asked for each request: the configuration may arrive after the start. */
  api: () => ApiAddress
  /** Resolves when `api` knows the server; rejects when it cannot be found out now. */
  configured?: () => Promise<void>
  channel: Channel
  calls: ApiCalls
  /** The version of the app, for servers that count devices by it; undefined: it is not sent. */
  appVersion?: string
  /** The query string without its question mark. */
  writeQuery: (query: Record<string, unknown>) => string
}

/** A row of the endpoint table as callers pass it: carries the types; its name is looked up. */
export interface EndpointRow<Input, Answer> {
  readonly types?: { input: Input; answer: Answer }
}

/** Of the record that the call edits: sent as If-Match to a server with versions. */
export interface OfVersion {
  version?: number
}
