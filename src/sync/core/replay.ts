// Replay: sends what waits, each operation under its own key, user and organisation, lane by lane.
import type { Http, Outcome } from './http.ts'
import { sendableOperations, remainingDelay, type Operation } from './operation.ts'
import type { Outbox } from './outbox.ts'
import type { Ports } from './ports.ts'
import type { SessionManager } from './session.ts'

const REPLAY_LOCK = 'cairn-replay'
const MAX_IN_FLIGHT = 6
/** How many are begun beyond those. */
const CLAIM_AHEAD = 6
/** Said in the server's place, which took the repeat for the same. */
const CONTENT_DIFFERS = {
  status: 409,
  message: 'An earlier version of this has arrived. Copy the text and post it again.',
}
const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** Milliseconds to wait after so many tries: exponential, at most 30 s, half of it by chance. */
export const backoff = (tries: number, jitter: number): number => {
  const delay = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** Math.max(0, tries - 1))
  return delay / 2 + (delay / 2) * jitter
}

export interface ReplayResult {
  acknowledged: number
  /** It stopped because no answer came, or none that could be believed. */
  unreachable: boolean
  /** Milliseconds until something wants to be tried again; undefined when nothing does. */
  retryInMs: number | undefined
}

export class Replay {
  readonly #ports: Ports
  readonly #outbox: Outbox
  readonly #session: SessionManager
  readonly #http: Http
  /** What is on its way, or whose answer is being kept, by id. */
  readonly #sending = new Set<string>()
  /** How many exchanges are under way. */
  #inFlight = 0
  /** Begun, and sent as soon as a hand is free. */
  #claimed: Operation[] = []
  readonly #onSending: (sending: readonly string[]) => void
  /** The queue as this run knows it; undefined when it has to be read again. */
  #operations: Map<string, Operation> | undefined
  #wake = Promise.withResolvers<void>()

  /** `watch` hears which operations are on their way, each time that changes. */
  constructor(
    ports: Ports,
    outbox: Outbox,
    session: SessionManager,
    http: Http,
    onSending: (sending: readonly string[]) => void,
  ) {
    this.#ports = ports
    this.#outbox = outbox
    this.#session = session
    this.#http = http
    this.#onSending = onSending
  }

  /** Somebody else changed the outbox: a run that is under way heeds it. */
  outboxChanged(): void {
    this.#operations = undefined
    this.#wake.resolve()
  }

  /**
   * Sends until nothing of the signed-in user can be sent now. One context at a time: another is
   * waited for so many milliseconds. With `steal` one that lasts longer is taken to hang, and is
   * overtaken, which the keys make safe; else it resolves to undefined.
   */
  async run(timeoutMs: number, steal = true): Promise<ReplayResult | undefined> {
    const locked = await this.#ports.locks.withLock(REPLAY_LOCK, { timeoutMs, steal }, () =>
      this.#drain(),
    )
    return locked?.value
  }

  async #drain(): Promise<ReplayResult> {
    const result: ReplayResult = { acknowledged: 0, unreachable: false, retryInMs: undefined }
    this.#operations = undefined
    this.#claimed = []
    for (;;) {
      this.#wake = Promise.withResolvers()
      const own = await this.#ownQueue()
      const now = this.#ports.clock.now()
      if (!result.unreachable) {
        this.#sendClaimed(result)
        if (this.#claimed.length < CLAIM_AHEAD / 2)
          await this.#claimMore(sendableOperations(own, now))
        this.#sendClaimed(result)
      }
      if (this.#sending.size > 0) {
        await this.#wake.promise
        continue
      }
      // Something was said while the last answers came in.
      if (!this.#operations && !result.unreachable) continue
      if (this.#claimed.length > 0) await this.#outbox.release(this.#claimed.map(({ id }) => id))
      const delays = own
        .filter((one) => one.state === 'pending')
        .map((one) => remainingDelay(one, now))
        .filter((wait) => wait > 0)
      if (delays.length > 0) result.retryInMs = Math.min(...delays)
      return result
    }
  }

  /** What waits of whoever is signed in now. What was begun and is not among it is not sent. */
  async #ownQueue(): Promise<Operation[]> {
    this.#operations ??= new Map((await this.#outbox.all()).map((one) => [one.id, one]))
    const user_id = this.#session.current().session?.user.id
    const own = [...this.#operations.values()].filter((one) => one.user_id === user_id)
    this.#claimed = this.#claimed.filter(
      ({ id }) =>
        this.#operations?.get(id)?.user_id === user_id &&
        this.#operations?.get(id)?.state === 'pending',
    )
    return own
  }

  /** Begins a few more than can be sent now, so that a free hand waits for no transaction. */
  async #claimMore(ready: readonly Operation[]): Promise<void> {
    const taken = new Set([...this.#sending.keys(), ...this.#claimed.map(({ id }) => id)])
    const ids = ready
      // Said by a build that knew a call which this one does not: it keeps for that build.
      .filter((one) => this.#ports.calls[one.endpoint]?.offlinePolicy && !taken.has(one.id))
      .slice(0, MAX_IN_FLIGHT - this.#inFlight + CLAIM_AHEAD - this.#claimed.length)
      .map(({ id }) => id)
    if (ids.length === 0) return
    const claimed = await this.#outbox.claim(ids)
    if (claimed.length < ids.length) this.#operations = undefined
    this.#claimed.push(...claimed)
  }

  /** Sends as much of what is begun as there are free hands. */
  #sendClaimed(result: ReplayResult): void {
    const starting = this.#claimed.splice(0, MAX_IN_FLIGHT - this.#inFlight)
    if (starting.length === 0) return
    for (const operation of starting) {
      this.#sending.add(operation.id)
      this.#inFlight += 1
      void this.#send(operation)
        .then((kind) => {
          if (kind === 'answered') result.acknowledged += 1
          if (kind === 'unreachable' || kind === 'signed-out') result.unreachable = true
        })
        .catch(() => {
          // The device's storage failed; the operation is as it was, and is sent again.
          result.unreachable = true
        })
        .finally(() => {
          this.#sending.delete(operation.id)
          this.#onSending([...this.#sending])
          this.#wake.resolve()
        })
    }
    this.#onSending([...this.#sending])
  }

  async #send(operation: Operation): Promise<Outcome['kind']> {
    const { calls, clock, random } = this.#ports
    const call = calls[operation.endpoint]
    const { id } = operation
    const outcome: Outcome = call
      ? await this.#http.call(call, operation.input, {
          caller: operation,
          idempotency_key: id,
          ...(operation.base && { headers: { 'If-Match': `"${operation.base.version}"` } }),
        })
      : { kind: 'unreachable' }
    this.#inFlight -= 1
    this.#wake.resolve()
    if (!call?.offlinePolicy) return 'unreachable'
    let next: Operation | undefined = operation
    if (outcome.kind === 'answered') {
      const record = outcome.value as Record<string, unknown> | undefined
      // An answer about something else is no acknowledgement.
      if (!record || !call.offlinePolicy.matches(operation.input, record)) return 'unreachable'
      next = call.offlinePolicy.contentDiffers?.(operation.input, record)
        ? await this.#outbox.reject(id, CONTENT_DIFFERS)
        : await this.#outbox.acknowledge(id, record)
    } else if (outcome.kind === 'refused' && outcome.error.status === 412) {
      await this.#outbox.conflicts.rebase(id, recordOf(outcome.data), outcome.error)
      // It may have become two.
      this.#operations = undefined
    } else if (outcome.kind === 'refused') next = await this.#outbox.reject(id, outcome.error)
    else if (outcome.kind === 'busy') {
      const wait = outcome.retryAfterMs ?? backoff(operation.attempts, random.fraction())
      next = await this.#outbox.postpone(id, clock.now() + wait, outcome.error)
    }
    if (next) this.#operations?.set(id, next)
    else this.#operations?.delete(id)
    return outcome.kind
  }
}

const recordOf = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null ? { ...data } : {}
