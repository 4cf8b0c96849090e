// Whether the server is there: the last real answer decides. `navigator.onLine` may only say no.
import { Observable } from './observable.ts'
import { backoff } from './replay.ts'

export class Connection {
  readonly state = new Observable<'online' | 'offline'>('online')
  readonly #retry: (wait: number) => () => void
  readonly #fraction: () => number
  readonly #back: () => void
  /** Tries in vain since something last worked. */
  #fails = 0
  #cancel: (() => void) | undefined

  /** `retry` tries again after so many milliseconds, `back` hears that the server is there again. */
  constructor(retry: (wait: number) => () => void, fraction: () => number, back: () => void) {
    this.#retry = retry
    this.#fraction = fraction
    this.#back = back
  }

  get offline(): boolean {
    return this.state.get() === 'offline'
  }

  /** An exchange ended, with an answer of the server or without. */
  heard(answered: boolean): void {
    const wasOffline = this.offline
    this.state.set(answered ? 'online' : 'offline')
    if (!answered) this.tryAgain()
    else if (wasOffline) this.#back()
  }

  /** Something came to its end: the next failure is a first one again. */
  worked(): void {
    this.#fails = 0
  }

  /** Tries again after `wait` milliseconds, or as long as so many failures ask for. */
  tryAgain(wait?: number): void {
    this.#cancel?.()
    if (wait === undefined) this.#fails += 1
    this.#cancel = this.#retry(wait ?? backoff(this.#fails, this.#fraction()))
  }
}
