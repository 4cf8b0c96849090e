// Whether the server is reachable, and understood: the last exchanges decide. `navigator.onLine` is
// trusted only when it reports offline.
import type { Outcome } from './api/outcome.ts'
import type { ConnectionState, Observable } from './observable.ts'
import type { ApiCall } from './ports.ts'

const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000
/** Retries are rare: only the operator of the server can make its answers readable. */
const UNREADABLE_RETRY_MS = 60_000
/**
 * After as many writes without an answer, each after an answered read, it is not the network: the server does not let
 * this origin write.
 */
export const UNANSWERED_WRITES = 3

/**
 * Milliseconds to wait before the next attempt: exponential from 1 s to 30 s, the second half of it
 * random. `jitter` is from 0 to 1.
 */
export const backoff = (attempts: number, jitter: number): number => {
  const delay = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** Math.max(0, attempts - 1))
  return delay / 2 + (delay / 2) * jitter
}

/** What became of one request. */
export interface Exchange {
  call: ApiCall
  result: 'answered' | 'unreachable' | 'not-understood'
}

/** What an outcome says about the connection. */
export const resultOf = (outcome: Outcome): Exchange['result'] => {
  if (outcome.kind !== 'unreachable') return 'answered'
  return outcome.notUnderstood ? 'not-understood' : 'unreachable'
}

const isWrite = ({ method, isWriteCheck }: ApiCall) => method !== 'GET' || isWriteCheck === true

export interface ConnectionOptions {
  state: Observable<ConnectionState>
  /** Calls `work` after `delayMs` milliseconds. Returns the function that cancels it. */
  schedule: (delayMs: number, work: () => void) => () => void
  /** Attempts again what failed. */
  retry: () => void
  /** A random number from 0 to 1. */
  fraction: () => number
  /** Called when the server is reachable again. */
  onReconnect: () => void
}

/** Tracks whether the server is reachable, and schedules the retries of one context. */
export class Connection {
  readonly #options: ConnectionOptions
  /** Failed attempts since the last success. */
  #failures = 0
  /** The pending retry is one of the backoff. */
  #isBackingOff = false
  /** Calls whose last answer was not as agreed, since the last complete pull. */
  readonly #notUnderstood = new Set<ApiCall>()
  /** Writes without an answer since the last answered write, each after an answered read. */
  #unansweredWrites = 0
  #hasAnsweredRead = false
  /** The server answers, and the browser does not show its answers. */
  #isUnreadable = false
  #cancel: (() => void) | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Whether the last exchange failed: nothing but probes is sent then. */
  get offline(): boolean {
    return this.#isUnreadable || this.#options.state.get() === 'offline'
  }

  /** Records an exchange: `answered` when a response of this server arrived, whatever its status. */
  recordExchange({ call, result }: Exchange): void {
    const wasOffline = this.offline
    if (result !== 'unreachable') this.#isUnreadable = false
    if (result === 'not-understood') this.#notUnderstood.add(call)
    if (result === 'answered') this.#notUnderstood.delete(call)
    this.#countWrites(call, result)
    this.#options.state.set(this.#stateAfter(call, result))
    if (result !== 'answered') this.scheduleRetry()
    if (wasOffline && !this.offline) this.#options.onReconnect()
  }

  /**
   * Records a probe that got no answer: `isAnswering` when the server answers all the same, in a way that
   * the browser does not show.
   */
  recordUnreadable(isAnswering: boolean): void {
    this.#isUnreadable = isAnswering
    this.#options.state.set(isAnswering ? 'not-understood' : 'offline')
    if (isAnswering) this.scheduleRetry(UNREADABLE_RETRY_MS)
  }

  #countWrites(call: ApiCall, result: Exchange['result']): void {
    if (result === 'unreachable') {
      if (!isWrite(call)) return
      if (this.#hasAnsweredRead) this.#unansweredWrites += 1
      this.#hasAnsweredRead = false
    } else if (call.method === 'GET') this.#hasAnsweredRead = true
    else this.#unansweredWrites = 0
  }

  get #cannotWrite(): boolean {
    return this.#unansweredWrites >= UNANSWERED_WRITES
  }

  #stateAfter(call: ApiCall, result: Exchange['result']): ConnectionState {
    if (result === 'unreachable' && !(this.#cannotWrite && isWrite(call)))
      return this.#isUnreadable ? 'not-understood' : 'offline'
    return this.#cannotWrite || this.#notUnderstood.size > 0 ? 'not-understood' : 'online'
  }

  /** A pull or a replay was completed: the next failure counts as the first. */
  resetBackoff(): void {
    this.#failures = 0
    this.forget(() => true)
  }

  /** Answers to those calls that were not as agreed do not count any more. */
  forget(isForgotten: (call: ApiCall) => boolean): void {
    for (const call of this.#notUnderstood) if (isForgotten(call)) this.#notUnderstood.delete(call)
    if (this.#notUnderstood.size > 0 || this.#cannotWrite || this.offline) return
    this.#options.state.set('online')
  }

  /** Schedules the only pending retry, after `delayMs` milliseconds or else after the backoff. */
  scheduleRetry(delayMs?: number): void {
    // Requests that fail together, of one attempt, count once.
    if (delayMs === undefined && this.#isBackingOff) return
    this.#cancel?.()
    if (delayMs === undefined) this.#failures += 1
    this.#isBackingOff = delayMs === undefined
    const { schedule, retry, fraction } = this.#options
    this.#cancel = schedule(delayMs ?? backoff(this.#failures, fraction()), () => {
      this.#isBackingOff = false
      retry()
    })
  }
}
