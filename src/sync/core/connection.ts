// Whether the server is reachable: the last exchange decides. `navigator.onLine` is trusted only when it
// reports offline.
import type { Observable } from './observable.ts'

const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/**
 * Milliseconds to wait before the next attempt: exponential from 1 s to 30 s, the second half of it
 * random. `jitter` is from 0 to 1.
 */
export const backoff = (attempts: number, jitter: number): number => {
  const delay = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** Math.max(0, attempts - 1))
  return delay / 2 + (delay / 2) * jitter
}

export interface ConnectionOptions {
  state: Observable<'online' | 'offline'>
  /** Retries after `delayMs` milliseconds. Returns the function that cancels it. */
  retry: (delayMs: number) => () => void
  /** A random number from 0 to 1. */
  fraction: () => number
  /** Called when the server is reachable again. */
  onReconnect: () => void
}

/** Tracks whether the server is reachable, and schedules the retries of one context. */
export class Connection {
  readonly #options: ConnectionOptions
  /** Failures since the last success. */
  #failures = 0
  #cancel: (() => void) | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get offline(): boolean {
    return this.#options.state.get() === 'offline'
  }

  /** Records an exchange: `answered` when a response of this server arrived, whatever its status. */
  recordExchange(answered: boolean): void {
    const wasOffline = this.offline
    this.#options.state.set(answered ? 'online' : 'offline')
    if (!answered) this.scheduleRetry()
    else if (wasOffline) this.#options.onReconnect()
  }

  /** A pull or a replay was completed: the next failure counts as the first. */
  resetBackoff(): void {
    this.#failures = 0
  }

  /** Schedules the only pending retry, after `delayMs` milliseconds or else after the backoff. */
  scheduleRetry(delayMs?: number): void {
    this.#cancel?.()
    if (delayMs === undefined) this.#failures += 1
    const { retry, fraction } = this.#options
    this.#cancel = retry(delayMs ?? backoff(this.#failures, fraction()))
  }
}
