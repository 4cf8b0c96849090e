// Whether the server is there: the last real answer decides. `navigator.onLine` may only say no.
import { Observable } from './observable.ts'
import { backoff } from './replay.ts'

export class Connection {
  readonly state = new Observable<'online' | 'offline'>('online')
  readonly #retry: (wait: number) => () => void
  readonly #fraction: () => number
  readonly #onReconnect: () => void
  /** Tries in vain since something last worked. */
  #failures = 0
  #cancel: (() => void) | undefined

  /** `retry` tries again after so many milliseconds, `back` hears that the server is there again. */
  constructor(
    retry: (wait: number) => () => void,
    fraction: () => number,
    onReconnect: () => void,
  ) {
    this.#retry = retry
    this.#fraction = fraction
    this.#onReconnect = onReconnect
  }

  get offline(): boolean {
    return this.state.get() === 'offline'
  }

  /** An exchange ended, with an answer of the server or without. */
  recordExchange(answered: boolean): void {
    const wasOffline = this.offline
    this.state.set(answered ? 'online' : 'offline')
    if (!answered) this.scheduleRetry()
    else if (wasOffline) this.#onReconnect()
  }

  /** Something came to its end: the next failure is a first one again. */
  resetBackoff(): void {
    this.#failures = 0
  }

  /** Tries again after `wait` milliseconds, or as long as so many failures ask for. */
  scheduleRetry(wait?: number): void {
    this.#cancel?.()
    if (wait === undefined) this.#failures += 1
    this.#cancel = this.#retry(wait ?? backoff(this.#failures, this.#fraction()))
  }
}
