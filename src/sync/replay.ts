// Replay: sends what waits, each operation under its own key, user and organisation, lane by lane.
import type { Http, Outcome } from './http.ts'
import { heads, waitOf, type Operation } from './operation.ts'
import type { Outbox } from './outbox.ts'
import type { Ports } from './ports.ts'
import type { SessionKeeper } from './session.ts'

const LOCK = 'cairn-replay'
const AT_ONCE = 6
/** How many are begun beyond those. */
const AHEAD = 6
/** Said in the server's place, which took the repeat for the same. */
const OTHER_WORDS = {
  status: 409,
  message: 'An earlier version of this has arrived. Copy these words and say them anew.',
}
const FIRST_BACKOFF = 1_000
const LONGEST_BACKOFF = 30_000

/** Milliseconds to wait after so many tries: exponential, at most 30 s, half of it by chance. */
export const backoff = (tries: number, fraction: number): number => {
  const full = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** Math.max(0, tries - 1))
  return full / 2 + (full / 2) * fraction
}

export interface ReplayResult {
  acknowledged: number
  /** It stopped because no answer came, or none that could be believed. */
  unreachable: boolean
  /** Milliseconds until something wants to be tried again; undefined when nothing does. */
  again: number | undefined
}

export class Replay {
  readonly #ports: Ports
  readonly #outbox: Outbox
  readonly #session: SessionKeeper
  readonly #http: Http
  /** What is on its way, or whose answer is being kept, by id. */
  readonly #sending = new Set<string>()
  /** How many exchanges are under way. */
  #hands = 0
  /** Begun, and sent as soon as a hand is free. */
  #ready: Operation[] = []
  readonly #watch: (sending: readonly string[]) => void
  /** The queue as this run knows it; undefined when it has to be read again. */
  #queue: Map<string, Operation> | undefined
  #wake = Promise.withResolvers<void>()

  /** `watch` hears which operations are on their way, each time that changes. */
  constructor(
    ports: Ports,
    outbox: Outbox,
    session: SessionKeeper,
    http: Http,
    watch: (sending: readonly string[]) => void,
  ) {
    this.#ports = ports
    this.#outbox = outbox
    this.#session = session
    this.#http = http
    this.#watch = watch
  }

  /** Somebody else changed the outbox: a run that is under way heeds it. */
  changed(): void {
    this.#queue = undefined
    this.#wake.resolve()
  }

  /**
   * Sends until nothing of the signed-in user can be sent now. One context at a time: another is
   * waited for so many milliseconds. With `steal` one that lasts longer is taken to hang, and is
   * overtaken, which the keys make safe; else it resolves to undefined.
   */
  async run(patience: number, steal = true): Promise<ReplayResult | undefined> {
    const held = await this.#ports.locks.hold(LOCK, { patience, steal }, () => this.#drain())
    return held?.value
  }

  async #drain(): Promise<ReplayResult> {
    const result: ReplayResult = { acknowledged: 0, unreachable: false, again: undefined }
    this.#queue = undefined
    this.#ready = []
    for (;;) {
      this.#wake = Promise.withResolvers()
      const mine = await this.#mine()
      const now = this.#ports.clock.now()
      if (!result.unreachable) {
        this.#start(result)
        if (this.#ready.length < AHEAD / 2) await this.#refill(heads(mine, now))
        this.#start(result)
      }
      if (this.#sending.size > 0) {
        await this.#wake.promise
        continue
      }
      // Something was said while the last answers came in.
      if (!this.#queue && !result.unreachable) continue
      if (this.#ready.length > 0) await this.#outbox.giveBack(this.#ready.map(({ id }) => id))
      const waits = mine
        .filter((one) => one.state === 'pending')
        .map((one) => waitOf(one, now))
        .filter((wait) => wait > 0)
      if (waits.length > 0) result.again = Math.min(...waits)
      return result
    }
  }

  /** What waits of whoever is signed in now. What was begun and is not among it is not sent. */
  async #mine(): Promise<Operation[]> {
    this.#queue ??= new Map((await this.#outbox.all()).map((one) => [one.id, one]))
    const user_id = this.#session.current().session?.user.id
    const mine = [...this.#queue.values()].filter((one) => one.user_id === user_id)
    this.#ready = this.#ready.filter(
      ({ id }) =>
        this.#queue?.get(id)?.user_id === user_id && this.#queue?.get(id)?.state === 'pending',
    )
    return mine
  }

  /** Begins a few more than can be sent now, so that a free hand waits for no transaction. */
  async #refill(open: readonly Operation[]): Promise<void> {
    const known = new Set([...this.#sending.keys(), ...this.#ready.map(({ id }) => id)])
    const ids = open
      // Said by a build that knew a call which this one does not: it keeps for that build.
      .filter((one) => this.#ports.calls[one.endpoint]?.queueing && !known.has(one.id))
      .slice(0, AT_ONCE - this.#hands + AHEAD - this.#ready.length)
      .map(({ id }) => id)
    if (ids.length === 0) return
    const begun = await this.#outbox.begin(ids)
    if (begun.length < ids.length) this.#queue = undefined
    this.#ready.push(...begun)
  }

  /** Sends as much of what is begun as there are free hands. */
  #start(result: ReplayResult): void {
    const starting = this.#ready.splice(0, AT_ONCE - this.#hands)
    if (starting.length === 0) return
    for (const operation of starting) {
      this.#sending.add(operation.id)
      this.#hands += 1
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
          this.#watch([...this.#sending])
          this.#wake.resolve()
        })
    }
    this.#watch([...this.#sending])
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
    this.#hands -= 1
    this.#wake.resolve()
    if (!call?.queueing) return 'unreachable'
    let now: Operation | undefined = operation
    if (outcome.kind === 'answered') {
      const record = outcome.value as Record<string, unknown> | undefined
      // An answer about something else is no acknowledgement.
      if (!record || !call.queueing.confirms(operation.input, record)) return 'unreachable'
      now = call.queueing.differs?.(operation.input, record)
        ? await this.#outbox.refuse(id, OTHER_WORDS)
        : await this.#outbox.acknowledge(id, record)
    } else if (outcome.kind === 'refused' && outcome.error.status === 412) {
      await this.#outbox.questions.meet(id, recordOf(outcome.data), outcome.error)
      // It may have become two.
      this.#queue = undefined
    } else if (outcome.kind === 'refused') now = await this.#outbox.refuse(id, outcome.error)
    else if (outcome.kind === 'busy') {
      const wait = outcome.after ?? backoff(operation.attempts, random.fraction())
      now = await this.#outbox.postpone(id, clock.now() + wait, outcome.error)
    }
    if (now) this.#queue?.set(id, now)
    else this.#queue?.delete(id)
    return outcome.kind
  }
}

const recordOf = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null ? { ...data } : {}
