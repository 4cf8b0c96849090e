// Replay: sends pending operations, each under its own key and user, in the order of its lane.
import { backoff } from '../connection.ts'
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import { sendableOperations, remainingDelay, upcast, type Operation } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { Ports } from '../ports.ts'
import type { SessionManager } from '../session.ts'
import { sendOperation } from './send-operation.ts'
import { splitEffects } from './split-effects.ts'

const REPLAY_LOCK = 'cairn-replay'
const MAX_IN_FLIGHT = 6
/** Operations claimed beyond those in flight, so that a free slot never waits for IndexedDB. */
const CLAIM_AHEAD = 6
/**
 * In place of an error response: the server recognised the key and returned the record of the first
 * attempt.
 */
const CONTENT_DIFFERS = {
  status: 409,
  message: 'An earlier version of this has arrived. Copy the text and post it again.',
}

/** In place of an error response: a 2xx response that is not one of this call. */
const NOT_AS_AGREED = {
  status: 0,
  message: 'The server answered, but did not confirm this. It may have arrived already.',
}
/** After as many of them the user decides. */
const MAX_ODD_ANSWERS = 8

/** Milliseconds until the next attempt after odd answers: from 2 s to 2 minutes, and up to half as much. */
const oddBackoff = (count: number, jitter: number): number =>
  Math.min(120_000, 2_000 * 2 ** (count - 1)) * (1 + jitter / 2)

export interface ReplayResult {
  /** Number of operations that the server confirmed. */
  acknowledged: number
  /** It stopped because no valid response arrived. */
  unreachable: boolean
  /** Milliseconds until a delayed operation can be sent; undefined without one. */
  retryInMs: number | undefined
}

/** Sends the outbox of the signed-in user, in one context of the device at a time. */
export class Replay {
  readonly #ports: Ports
  readonly #outbox: Outbox
  readonly #session: SessionManager
  readonly #http: Http
  /** Ids of operations in flight, or whose response is being stored. */
  readonly #sending = new Set<string>()
  /** Number of requests in flight. */
  #inFlight = 0
  /** Claimed operations that wait for a free slot. */
  #claimed: Operation[] = []
  readonly #onSending: (sending: readonly string[]) => void
  /** The outbox as last read, by id; undefined when it has to be read again. */
  #operations: Map<string, Operation> | undefined
  #wake = Promise.withResolvers<void>()
  #stopped = false

  /** `onSending` is called with the ids of the operations being sent whenever they change. */
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

  /** To be called after a change of the outbox: a running replay reads it again. */
  outboxChanged(): void {
    this.#operations = undefined
    this.#wake.resolve()
  }

  /**
   * Ends the delays of the user's operations, except those that the server asked for. Resolves to the end
   * of the longest one that is left, in epoch milliseconds, undefined without one. Rejects when storage
   * fails.
   */
  async endBackoff(): Promise<number | undefined> {
    const user_id = this.#session.caller()?.user_id
    const now = this.#ports.clock.now()
    let latestMs = 0
    await this.#ports.store.transact(['operations'], 'readwrite', async (tx) => {
      for (const one of (await tx.all('operations', [])).map(upcast)) {
        if (!one || one.user_id !== user_id || one.state !== 'pending') continue
        const delayMs = remainingDelay(one, now)
        if (one.delayed_by_server) latestMs = Math.max(latestMs, delayMs)
        else if (delayMs > 0) tx.put('operations', one.id, { ...one, not_before: 0 })
      }
    })
    return latestMs > 0 ? now + latestMs : undefined
  }

  /**
   * Makes this and later runs end at once, without waiting for requests in flight: their operations stay
   * in the outbox under their keys.
   */
  stop(): void {
    this.#stopped = true
    this.#wake.resolve()
  }

  /**
   * Sends until no operation of the signed-in user can be sent now. Waits `timeoutMs` for another
   * context that replays; then steals its lock, which the idempotency keys make safe, or without
   * `steal` resolves to undefined. Rejects when the outbox cannot be read.
   */
  async run(timeoutMs: number, steal = true): Promise<ReplayResult | undefined> {
    let result: ReplayResult | undefined
    for (;;) {
      const locked = await this.#ports.locks.withLock(REPLAY_LOCK, { timeoutMs, steal }, () =>
        this.#drain(),
      )
      if (!locked) return result
      const acknowledged = (result?.acknowledged ?? 0) + locked.value.acknowledged
      result = { ...locked.value, acknowledged }
      // Otherwise the outbox changed while the last responses were stored or the lock was released.
      if (this.#operations || result.unreachable) return result
    }
  }

  async #drain(): Promise<ReplayResult> {
    const result: ReplayResult = { acknowledged: 0, unreachable: false, retryInMs: undefined }
    this.#operations = undefined
    this.#claimed = []
    for (;;) {
      this.#wake = Promise.withResolvers()
      if (this.#stopped) {
        await this.#releaseClaimed()
        return { ...result, unreachable: true }
      }
      const own = await this.#ownQueue()
      const now = this.#ports.clock.now()
      // Keys and versions are decided at the send, so the server is asked first where nothing is known.
      if (own.length > 0 && !(await this.#http.knowsServer())) result.unreachable = true
      if (!result.unreachable) {
        this.#sendClaimed(result)
        if (this.#claimed.length < CLAIM_AHEAD / 2)
          await this.#claimMore(sendableOperations(own, now, this.#ports.calls))
        this.#sendClaimed(result)
      }
      if (this.#sending.size > 0) {
        await this.#wake.promise
        continue
      }
      await this.#releaseClaimed()
      const delays = own
        .filter((one) => one.state === 'pending')
        .map((one) => remainingDelay(one, now))
        .filter((delay) => delay > 0)
      if (delays.length > 0) result.retryInMs = Math.min(...delays)
      return result
    }
  }

  /** Releases the claimed operations that were not sent, so that they can be edited again. */
  async #releaseClaimed(): Promise<void> {
    const claimed = this.#claimed.splice(0)
    if (claimed.length > 0) await this.#outbox.release(claimed.map(({ id }) => id))
  }

  /**
   * The operations of the signed-in user. Claimed operations that are not pending among them are
   * dropped.
   */
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

  /** Claims as many operations as there are free slots, and CLAIM_AHEAD more. */
  async #claimMore(ready: readonly Operation[]): Promise<void> {
    const taken = new Set([...this.#sending.keys(), ...this.#claimed.map(({ id }) => id)])
    const ids = ready
      // Calls that this build does not know were queued by a newer one, and are left to it.
      .filter((one) => this.#ports.calls[one.endpoint]?.offlinePolicy && !taken.has(one.id))
      .slice(0, MAX_IN_FLIGHT - this.#inFlight + CLAIM_AHEAD - this.#claimed.length)
      .map(({ id }) => id)
    if (ids.length === 0) return
    const claimed = await this.#outbox.claim(ids)
    if (claimed.length < ids.length) this.#operations = undefined
    this.#claimed.push(...claimed)
  }

  /** Sends claimed operations while there are free slots. */
  #sendClaimed(result: ReplayResult): void {
    if (this.#stopped) return
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
          // Storage failed: the operation is unchanged and is sent again.
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

  #hasQuestions(): boolean {
    return [...(this.#operations?.values() ?? [])].some(({ conflict }) => conflict !== undefined)
  }

  async #send(operation: Operation): Promise<Outcome['kind']> {
    const { calls, clock, random } = this.#ports
    const call = calls[operation.endpoint]
    const { id } = operation
    const context = { ports: this.#ports, http: this.#http, outbox: this.#outbox }
    if (await splitEffects(context, operation)) {
      this.#inFlight -= 1
      this.#operations = undefined
      return 'busy'
    }
    const outcome: Outcome = await sendOperation(context, operation)
    this.#inFlight -= 1
    this.#wake.resolve()
    if (!call?.offlinePolicy) return 'unreachable'
    let next: Operation | undefined = operation
    if (outcome.kind === 'answered') {
      const record = outcome.value as Record<string, unknown> | undefined
      // A response about another record is no confirmation.
      if (!record || !call.offlinePolicy.matches(operation.input, record))
        return await this.#postponeOdd(operation)
      next = call.offlinePolicy.contentDiffers?.(operation.input, record)
        ? await this.#outbox.reject(id, CONTENT_DIFFERS)
        : await this.#outbox.acknowledge(id, record)
      if (this.#hasQuestions()) {
        await this.#outbox.conflicts.dropAnswered(operation)
        this.#operations = undefined
      }
    } else if (outcome.kind === 'refused' && outcome.error.status === 412) {
      const { error, data, changed_by } = outcome
      await this.#outbox.conflicts.rebase(id, { error, theirs: recordOf(data), changed_by })
      // It may have been split into two, and operations behind it were rebased.
      this.#operations = undefined
    } else if (outcome.kind === 'refused') next = await this.#outbox.reject(id, outcome.error)
    else if (outcome.kind === 'busy') {
      const { error, retryAfterMs } = outcome
      const delayMs = retryAfterMs ?? backoff(operation.attempts, random.fraction())
      const delayed_by_server = retryAfterMs !== undefined
      next = await this.#outbox.postpone(id, clock.now() + delayMs, error, { delayed_by_server })
    } else if (outcome.kind === 'unreachable' && outcome.notUnderstood)
      return await this.#postponeOdd(operation)
    this.#remember(id, next)
    return outcome.kind
  }

  /**
   * The server took the request and did not answer as agreed: it may have stored it, so it is never sent
   * again right away, and after some such answers only when the user asks for it.
   */
  async #postponeOdd({ id, odd_answers = 0 }: Operation): Promise<'busy'> {
    const { clock, random } = this.#ports
    const count = odd_answers + 1
    const delayMs = oddBackoff(count, random.fraction())
    const postponed = await this.#outbox.postpone(id, clock.now() + delayMs, NOT_AS_AGREED, {
      odd_answers: count,
    })
    const isLast = count >= MAX_ODD_ANSWERS
    this.#remember(id, isLast ? await this.#outbox.reject(id, NOT_AS_AGREED) : postponed)
    return 'busy'
  }

  #remember(id: string, operation: Operation | undefined): void {
    if (operation) this.#operations?.set(id, operation)
    else this.#operations?.delete(id)
  }
}

const recordOf = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null ? { ...data } : {}
