// Replay: sends pending operations, each under its own key and user, in the order of its lane.
import type { Http } from '../api/http.ts'
import { remainingDelay, type Operation } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { ChangedIds, Ports } from '../ports.ts'
import type { Replica } from '../replica.ts'
import type { SessionManager } from '../session.ts'
import { mayHaveArrived } from '../arrival/attempt.ts'
import type { ReadCalls } from '../arrival/lookup.ts'
import { Batches } from './batches.ts'
import { Keyed, type Step } from './keyed.ts'
import { sendableLanes, type Sendable } from './sendable.ts'
import { Singles } from './singles.ts'
import { Slots } from './slots.ts'

const REPLAY_LOCK = 'cairn-replay'
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
  readonly #singles: Singles
  readonly #batches: Batches
  readonly #slots: Slots
  /** Ids of operations that were claimed without counting an attempt. */
  readonly #uncounted = new Set<string>()
  /** Claimed operations that wait for a free slot. */
  #claimed: Operation[] = []
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
    const context = { ports, outbox, http }
    const keyed = new Keyed(context)
    const onAccepted = () => this.#readQuestions()
    this.#singles = new Singles(context, reads, keyed, onAccepted)
    this.#batches = new Batches(context, keyed, onAccepted)
    this.#slots = new Slots(onSending)
  }

  /** To be called after a change of the outbox: a running replay reads it again. */
  outboxChanged(): void {
    this.#readAgain()
    this.#wake.resolve()
  }

  /** See `Unkeyed.acknowledgeStored`. */
  acknowledgeStored(replica: Replica, changed: ChangedIds): Promise<boolean> {
    return this.#singles.acknowledgeStored(replica, changed)
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
   * Sends until no operation of the user can be sent now. After `timeoutMs` it steals the lock of another context
   * where only attempts with keys may be on their way, or resolves to undefined. `onLocked` is called with the lock.
   * Rejects when storage fails.
   */
  async run(timeoutMs: number, maySteal = true, onLocked?: () => void) {
    let result: ReplayResult | undefined
    for (;;) {
      const { locks } = this.#ports
      const work = () => (onLocked?.(), this.#drain())
      let locked = await locks.withLock(REPLAY_LOCK, { timeoutMs }, work)
      const isKeyed = !locked && maySteal && this.#hasKeys
      if (isKeyed && !(await this.#outbox.all()).some(({ attempt }) => attempt))
        locked = await locks.withLock(REPLAY_LOCK, { timeoutMs: 1, steal: true }, work)
      if (!locked) return result
      const acknowledged = (result?.acknowledged ?? 0) + locked.value.acknowledged
      result = { ...locked.value, acknowledged }
      // Otherwise the outbox changed while the last responses were stored or the lock was released.
      if (this.#operations || result.unreachable) return result
    }
  }

  /**
   * Sends what can be sent. Ends after all requests that it has made, also when storage fails: until then no
   * other context may send.
   */
  async #drain(): Promise<ReplayResult> {
    try {
      return await this.#sendAll()
    } finally {
      while (this.#slots.sending.size > 0 && !this.#stopped) {
        this.#wake = Promise.withResolvers()
        await this.#wake.promise
      }
    }
  }

  async #sendAll(): Promise<ReplayResult> {
    const result: ReplayResult = { acknowledged: 0, unreachable: false, retryInMs: undefined }
    this.#operations = undefined
    this.#claimed = []
    for (;;) {
      this.#wake = Promise.withResolvers()
      const wasSending = this.#slots.sending.size > 0
      if (this.#stopped) {
        await this.#releaseClaimed()
        return { ...result, unreachable: true }
      }
      const own = await this.#ownQueue()
      const now = this.#ports.clock.now()
      // Keys and versions are decided at the send, so the server is asked first where nothing is known. A
      // repeat is safe only if it still has keys.
      const isRepeat = own.some(
        (one) => one.state === 'pending' && mayHaveArrived(one) && !one.attempt,
      )
      if (own.length > 0 && !(await this.#http.knowsServer(isRepeat))) result.unreachable = true
      if (!result.unreachable) {
        this.#sendClaimed(result)
        const { batches, single } = this.#batches.plan(this.#freeLanes(own, now))
        for (const batch of batches.slice(0, this.#slots.free)) await this.#sendBatch(batch, result)
        if (this.#claimed.length < CLAIM_AHEAD / 2) await this.#claimMore(single)
        this.#sendClaimed(result)
      }
      // What has ended meanwhile was not looked at.
      if (wasSending || this.#slots.sending.size > 0) {
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

  /**
   * The lanes that can be sent now, without those of operations that are on their way, and calls that this
   * build does not know.
   */
  #freeLanes(own: readonly Operation[], now: number): Sendable[] {
    const { calls } = this.#ports
    const taken = new Set([...this.#slots.sending, ...this.#claimed.map(({ id }) => id)])
    // An alias can put an earlier operation into the lane of one that is on its way.
    const used = new Set(own.flatMap(({ id, lane }) => (taken.has(id) ? [lane] : [])))
    return sendableLanes(own, now, calls).filter(
      // Calls that this build does not know were queued by a newer one, and are left to it.
      ([one]) => calls[one.endpoint]?.offlinePolicy && !used.has(one.lane),
    )
  }

  /** Claims as many operations as there are free slots, and CLAIM_AHEAD more. */
  async #claimMore(ready: readonly Operation[]): Promise<void> {
    const ids = ready
      .slice(0, this.#slots.free + CLAIM_AHEAD - this.#claimed.length)
      .map(({ id }) => id)
    if (ids.length === 0) return
    const hasKeys = this.#hasKeys
    const claimed = await this.#outbox.claim(ids, this.#http.capabilities.keyLifetimeMs)
    for (const { id, attempt } of claimed) if (!hasKeys || attempt) this.#uncounted.add(id)
    if (claimed.length < ids.length) this.#readAgain()
    this.#claimed.push(...claimed)
  }

  /** Sends claimed operations while there are free slots. */
  #sendClaimed(result: ReplayResult): void {
    if (this.#stopped) return
    const starting = this.#claimed.splice(0, this.#slots.free)
    if (starting.length === 0) return
    for (const operation of starting)
      this.#start([operation], result, async (free) => {
        const isUncounted = this.#uncounted.delete(operation.id)
        const step = await this.#singles.send(operation, isUncounted, free)
        this.#store(operation, step, result)
      })
    this.#slots.publish()
  }

  /** Sends operations in one request, unless one of them cannot be sent any more. */
  async #sendBatch(operations: readonly Operation[], result: ReplayResult): Promise<void> {
    // Without keys no batch is planned: if the server has just lost them, its answer decides.
    const keyLifetimeMs = this.#http.capabilities.keyLifetimeMs || Infinity
    const ids = operations.map(({ id }) => id)
    const claimed = await this.#outbox.claim(ids, keyLifetimeMs)
    const isWhole = claimed.length === operations.length && !claimed.some(({ attempt }) => attempt)
    if (this.#stopped || !isWhole) {
      await this.#outbox.release(claimed.map(({ id }) => id))
      return this.#readAgain()
    }
    this.#start(claimed, result, async (free) => {
      const { steps, unreachable } = await this.#batches.send(claimed, free)
      for (const [operation, step] of steps) this.#store(operation, step, result)
      if (unreachable) result.unreachable = true
    })
    this.#slots.publish()
  }

  /** Takes a slot for a request, until `send` calls its argument or has stored what became of it. */
  #start(
    operations: readonly Operation[],
    result: ReplayResult,
    send: (free: () => void) => Promise<void>,
  ): void {
    const free = this.#slots.take(operations, () => this.#wake.resolve())
    void send(free)
      .catch(() => {
        // Storage failed: the operation is unchanged and is sent again.
        result.unreachable = true
      })
      .finally(() => {
        free()
        this.#slots.end(operations)
        this.#wake.resolve()
      })
  }

  #readAgain(): void {
    this.#operations = undefined
    this.#changes += 1
  }

  /** Whether the server recognises a repeat. */
  get #hasKeys(): boolean {
    return this.#http.capabilities.has('keys')
  }

  /** The server has accepted an operation, which may have answered open questions. */
  #readQuestions(): void {
    const operations = this.#operations
    // While the outbox is read again a question may be open.
    if (!operations || [...operations.values()].some(({ conflict }) => conflict)) this.#readAgain()
  }

  /** Remembers what is stored now; reads the outbox again where other operations changed as well. */
  #store({ id }: Operation, { kind, next, changesOthers }: Step, result: ReplayResult): void {
    if (next) this.#operations?.set(id, next)
    else this.#operations?.delete(id)
    if (changesOthers) this.#readAgain()
    if (kind === 'answered') result.acknowledged += 1
    if (kind === 'unreachable' || kind === 'signed-out') result.unreachable = true
  }
}
