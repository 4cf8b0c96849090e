// Observables, and those that the engine publishes its state on. Without any code of the engine, so
// that a page has them before the engine is loaded.
import type { Operation } from './operation.ts'
import type { ServerReport } from './pull/read-report.ts'

/** A value with change listeners: the part that React's useSyncExternalStore needs. */
export class Observable<T> {
  #value: T
  readonly #listeners = new Set<() => void>()

  constructor(value: T) {
    this.#value = value
  }

  readonly get = (): T => this.#value

  /** Notifies the listeners unless the value is the same (`Object.is`). */
  set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` after each change. Returns the function that unsubscribes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

/** How much of the active organisation is on the device. */
export interface DownloadState {
  /**
   * `first` during the first complete download, `deferred` while data saver postpones it, else `idle`.
   */
  phase: 'idle' | 'first' | 'deferred'
  /** Progress of the first download from 0 to 1; null when unknown. */
  share: number | null
  /** Records are missing because the device was full. */
  evicted?: boolean | undefined
}

/** What was deleted on a full device, so that an operation could be stored. */
export type RoomMade = 'other-organisations' | 'partitions' | 'organisation'

/**
 * According to the last exchanges: `offline` without an answer of this server, `not-understood` when it
 * answers, and not as agreed.
 */
export type ConnectionState = 'online' | 'offline' | 'not-understood'

/** What an engine publishes. Created by the page, written by the engine, watched by the screens. */
export class EngineState {
  /** All operations for the configured server, of every user, in the order of their sequence. */
  readonly operations = new Observable<readonly Operation[]>([])
  /**
   * Which id of the server took the place of a local one: by local id. Set before `operations`, which have
   * the server's ids then.
   */
  readonly aliases = new Observable<ReadonlyMap<string, { table: string; id: string }>>(new Map())
  /** Ids of the operations that are being sent now, by any context of the device. */
  readonly sending = new Observable<ReadonlySet<string>>(new Set())
  readonly connection = new Observable<ConnectionState>('online')
  /**
   * End of the last complete pull of the active organisation, in epoch milliseconds; null before it, and
   * until it was read from the device.
   */
  readonly lastSyncedAt = new Observable<number | null>(null)
  /** Whether `lastSyncedAt`, `downloadState` and `readReport` were read from the device. */
  readonly isStatusRead = new Observable(false)
  /** Set each time that room had to be made; null before the first. */
  readonly roomMade = new Observable<{ made: RoomMade } | null>(null)
  readonly downloadState = new Observable<DownloadState>({ phase: 'idle', share: null })
  /** Names of the server's capabilities, separated by commas; undefined before they are known. */
  readonly capabilities = new Observable<string | undefined>(undefined)
  /** What of the active organisation could not be read, and what of it the server does not keep. */
  readonly readReport = new Observable<ServerReport>({ unread: [], refused: {}, notKept: {} })
}
