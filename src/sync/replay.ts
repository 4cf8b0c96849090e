// Replay: sends what waits, each operation under its own key, user and organisation, lane by lane.
import type { Http, Outcome } from './http.ts'
import { heads, waitOf, type Operation } from './operation.ts'
import type { Outbox } from './outbox.ts'
import type { Ports } from './ports.ts'
import type { SessionKeeper } from './session.ts'

const LOCK = 'cairn-replay'
const AT_ONCE = 6
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
  /** What is on its way, by id. */
  readonly #sending = new Map<string, Promise<void>>()
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
   * Sends until nothing of the signed-in user can be sent now. One context at a time; with
   * `patience` (milliseconds) a holder that hangs is overtaken, which the keys make safe.
   * Undefined when another context is at it.
   */
  async run(patience: number): Promise<ReplayResult | undefined> {
    const held = await this.#ports.locks.hold(LOCK, { patience, steal: patience > 0 }, () =>
      this.#drain(),
    )
    return held?.value
  }

  async #drain(): Promise<ReplayResult> {
    const result: ReplayResult = { acknowledged: 0, unreachable: false, again: undefined }
    this.#queue = undefined
    for (;;) {
      this.#wake = Promise.withResolvers()
      this.#queue ??= new Map((await this.#outbox.all()).map((one) => [one.id, one]))
      const user_id = this.#session.current().session?.user.id
      const mine = [...this.#queue.values()].filter((one) => one.user_id === user_id)
      const now = this.#ports.clock.now()
      if (!result.unreachable) await this.#fill(heads(mine, now), result)
      if (this.#sending.size > 0) {
        await Promise.race([...this.#sending.values(), this.#wake.promise])
        continue
      }
      // Something was said while the last answers came in.
      if (!this.#queue && !result.unreachable) continue
      const waits = mine
        .filter((one) => one.state === 'pending')
        .map((one) => waitOf(one, now))
        .filter((wait) => wait > 0)
      if (waits.length > 0) result.again = Math.min(...waits)
      return result
    }
  }

  /** Starts as many of `ready` as there are free hands. */
  async #fill(ready: readonly Operation[], result: ReplayResult): Promise<void> {
    const ids = ready
      // Said by a build that knew a call which this one does not: it keeps for that build.
      .filter((one) => this.#ports.calls[one.endpoint]?.queueing && !this.#sending.has(one.id))
      .slice(0, AT_ONCE - this.#sending.size)
      .map(({ id }) => id)
    if (ids.length === 0) return
    const begun = await this.#outbox.begin(ids)
    if (begun.length < ids.length) this.#queue = undefined
    for (const operation of begun) {
      const sent = this.#send(operation).then(
        (kind) => {
          if (kind === 'answered') result.acknowledged += 1
          if (kind === 'unreachable' || kind === 'signed-out') result.unreachable = true
        },
        () => {
          // The device's storage failed; the operation is as it was, and is sent again.
          result.unreachable = true
        },
      )
      this.#sending.set(
        operation.id,
        sent.then(() => {
          this.#sending.delete(operation.id)
          this.#watch([...this.#sending.keys()])
        }),
      )
    }
    this.#watch([...this.#sending.keys()])
  }

  async #send(operation: Operation): Promise<Outcome['kind']> {
    const { calls, clock, random } = this.#ports
    const call = calls[operation.endpoint]
    if (!call?.queueing) return 'unreachable'
    const { id } = operation
    const outcome = await this.#http.call(call, operation.input, {
      caller: operation,
      idempotency_key: id,
    })
    let now: Operation | undefined = operation
    if (outcome.kind === 'answered') {
      const record = outcome.value as Record<string, unknown> | undefined
      // An answer about something else is no acknowledgement.
      if (!record || !call.queueing.confirms(operation.input, record)) return 'unreachable'
      now = call.queueing.differs?.(operation.input, record)
        ? await this.#outbox.refuse(id, OTHER_WORDS)
        : await this.#outbox.acknowledge(id, record)
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
