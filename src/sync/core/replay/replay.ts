// Replay: sends pending operations, each under its own key and user, in the order of its lane.
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import { sendableOperations, remainingDelay, type Operation } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { ChangedIds, Ports } from '../ports.ts'
import type { Replica } from '../replica.ts'
import type { SessionManager } from '../session.ts'
import type { ReadCalls } from '../arrival/lookup.ts'
import { Keyed, type Step } from './keyed.ts'
import { Unkeyed } from './unkeyed.ts'
import { sendOperation } from './send-operation.ts'
import { splitEffects } from './split-effects.ts'

const REPLAY_LOCK = 'cairn-replay'
const MAX_IN_FLIGHT = 6
/** Operations claimed beyond those in flight, so that a free slot never waits for IndexedDB. */
const CLAIM_AHEAD = 6
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
  readonly #keyed: Keyed
  readonly #unkeyed: Unkeyed
  /** Ids of operations that were claimed without counting an attempt. */
  readonly #uncounted = new Set<string>()
  /** Ids of operations in flight, or whose response is being stored. */
  readonly #sending = new Set<string>()
  /** Number of requests in flight. */
  #inFlight = 0
  /** Claimed operations that wait for a free slot. */
  #claimed: Operation[] = []
  readonly #onSending: (sending: readonly string[]) => void
  /** The outbox as last read, by id; undefined when it has to be read again. */
  #operations: Map<string, Operation> | undefined
  /** Counts the changes after which it has to be read again. */
  #changes = 0
  #wake = Promise.withResolvers<void>()
  #stopped = false

  /** `onSending` is called with the ids of the operations being sent whenever they change. */
  constructor(
    ports: Ports,
    outbox: Outbox,
    session: SessionManager,
    http: Http,
    reads: ReadCalls,
    onSending: (sending: readonly string[]) => void,
  ) {
    this.#ports = ports
    this.#outbox = outbox
    this.#session = session
    this.#http = http
    this.#keyed = new Keyed(ports, outbox)
    this.#unkeyed = new Unkeyed(ports, outbox, http, reads)
    this.#onSending = onSending
  }

  /** To be called after a change of the outbox: a running replay reads it again. */
  outboxChanged(): void {
    this.#readAgain()
    this.#wake.resolve()
  }

  /** See `Unkeyed.acknowledgeStored`. */
  acknowledgeStored(replica: Replica, changed: ChangedIds): Promise<boolean> {
    return this.#unkeyed.acknowledgeStored(replica, changed)
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
   * context that replays; then steals its lock, which only idempotency keys make safe, or without
   * `steal` resolves to undefined. Rejects when the outbox cannot be read.
   */
  async run(timeoutMs: number, maySteal = true): Promise<ReplayResult | undefined> {
    let result: ReplayResult | undefined
    for (;;) {
      const steal = maySteal && this.#hasKeys
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
      // Keys and versions are decided at the send, so the server is asked first where nothing is known. A
      // repeat is safe only if it still has keys.
      const isRepeat = own.some(
        (one) => one.state === 'pending' && one.attempts > 0 && !one.attempt,
      )
      if (own.length > 0 && !(await this.#http.knowsServer(isRepeat))) result.unreachable = true
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
    const claimed = this.#claimed.splice(0).filter(({ id }) => !this.#uncounted.delete(id))
    if (claimed.length > 0) await this.#outbox.release(claimed.map(({ id }) => id))
  }

  /**
   * The operations of the signed-in user. Claimed operations that are not pending among them are
   * dropped.
   */
  async #ownQueue(): Promise<Operation[]> {
    while (!this.#operations) {
      const changes = this.#changes
      const read = await this.#outbox.all()
      // A change during the read may not be part of it.
      if (changes === this.#changes) this.#operations = new Map(read.map((one) => [one.id, one]))
    }
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
    // An alias can put an earlier operation into the lane of one that is on its way.
    const lanes = new Set([...taken].map((id) => this.#operations?.get(id)?.lane))
    const ids = ready
      // Calls that this build does not know were queued by a newer one, and are left to it.
      .filter((one) => this.#ports.calls[one.endpoint]?.offlinePolicy && !lanes.has(one.lane))
      .slice(0, MAX_IN_FLIGHT - this.#inFlight + CLAIM_AHEAD - this.#claimed.length)
      .map(({ id }) => id)
    if (ids.length === 0) return
    const hasKeys = this.#hasKeys
    const claimed = await this.#outbox.claim(ids, hasKeys)
    for (const { id, attempt } of claimed) if (!hasKeys || attempt) this.#uncounted.add(id)
    if (claimed.length < ids.length) this.#readAgain()
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

  #readAgain(): void {
    this.#operations = undefined
    this.#changes += 1
  }

  /** Whether the server recognises a repeat. */
  get #hasKeys(): boolean {
    return this.#http.capabilities.has('keys')
  }

  /** The server has accepted an operation: it may answer open questions. */
  async #dropAnswered(operation: Operation): Promise<void> {
    const operations = this.#operations
    // While the outbox is read again a question may be open.
    if (operations && ![...operations.values()].some(({ conflict }) => conflict)) return
    await this.#outbox.conflicts.dropAnswered(operation)
    this.#readAgain()
  }

  #freeSlot(): void {
    this.#inFlight -= 1
    this.#wake.resolve()
  }

  /** What is done before a request leaves; without `send` nothing is sent now. */
  async #prepare(
    operation: Operation,
    isUnkeyed: boolean,
    wasAttempted: boolean,
  ): Promise<Step | { send: Operation }> {
    const context = { ports: this.#ports, http: this.#http }
    if (!wasAttempted && (await splitEffects(context, operation)))
      return { kind: 'busy', next: undefined, changesOthers: true }
    return isUnkeyed ? await this.#unkeyed.before(operation, wasAttempted) : { send: operation }
  }

  async #send(claimed: Operation): Promise<Outcome['kind']> {
    const call = this.#ports.calls[claimed.endpoint]
    const { id } = claimed
    // An attempt that a server without keys may have is looked for, whatever the server has now.
    const isUncounted = this.#uncounted.delete(id)
    const isUnkeyed = isUncounted || claimed.attempt !== undefined || !this.#hasKeys
    const wasAttempted = claimed.attempts > (isUncounted ? 0 : 1)
    const context = { ports: this.#ports, http: this.#http, outbox: this.#outbox }
    const before = await this.#prepare(claimed, isUnkeyed, wasAttempted).catch((error: unknown) => {
      this.#freeSlot()
      throw error
    })
    if ('kind' in before) {
      this.#freeSlot()
      return this.#store(id, before)
    }
    const operation = before.send
    const outcome: Outcome = await sendOperation(context, operation)
    this.#freeSlot()
    if (!call?.offlinePolicy) return 'unreachable'
    // With keys only a validated answer is judged by its content: any other can be requested again.
    const isByContent =
      isUnkeyed || (outcome.kind === 'answered' && !this.#http.capabilities.has('ids'))
    const step = isByContent ? await this.#unkeyed.after(operation, outcome) : undefined
    if (step) {
      if (step.kind === 'answered') await this.#dropAnswered(operation)
      return this.#store(id, step)
    }
    const stored = await this.#keyed.after(operation, outcome)
    if (stored.kind === 'answered') await this.#dropAnswered(operation)
    return this.#store(id, stored)
  }

  /** Remembers what is stored now; reads the outbox again where other operations changed as well. */
  #store(id: string, { kind, next, changesOthers }: Step): Step['kind'] {
    if (next) this.#operations?.set(id, next)
    else this.#operations?.delete(id)
    if (changesOthers) this.#readAgain()
    return kind
  }
}
