// One operation in a request of its own: what is done before it leaves, and what becomes of it.
import { mayHaveArrived, mayLeave, released } from '../arrival/attempt.ts'
import type { ReadCalls } from '../arrival/lookup.ts'
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import type { Operation } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { ApiCall, ChangedIds, Ports } from '../ports.ts'
import type { Replica } from '../replica.ts'
import type { Keyed, Step } from './keyed.ts'
import { unconfirmedId } from './own-record.ts'
import { sendOperation } from './send-operation.ts'
import { splitEffects } from './split-effects.ts'
import { Unkeyed } from './unkeyed.ts'

/** Called when the server has accepted an operation, before its step is returned. */
export type OnAccepted = () => void

/** Sends operations one by one and stores what became of them. */
export class Singles {
  readonly #context: { ports: Ports; outbox: Outbox; http: Http }
  readonly #keyed: Keyed
  readonly #unkeyed: Unkeyed
  readonly #onAccepted: OnAccepted
  /** Answers of servers without keys that storage did not take, by the id of the operation. */
  readonly #unstored = new Map<string, { at: number; outcome: Outcome }>()

  constructor(
    context: { ports: Ports; outbox: Outbox; http: Http },
    reads: ReadCalls,
    keyed: Keyed,
    onAccepted: OnAccepted,
  ) {
    this.#context = context
    this.#keyed = keyed
    this.#unkeyed = new Unkeyed(context.ports, context.outbox, context.http, reads)
    this.#onAccepted = onAccepted
  }

  /** See `Unkeyed.acknowledgeStored`. */
  acknowledgeStored(replica: Replica, changed: ChangedIds): Promise<boolean> {
    return this.#unkeyed.acknowledgeStored(replica, changed)
  }

  /**
   * Sends a claimed operation; `isUncounted`: no attempt was counted for it. `onAnswered` is called when the
   * server has accepted it, before that is stored. Rejects when storage fails.
   */
  async send(claimed: Operation, isUncounted: boolean, onAnswered: () => void): Promise<Step> {
    const { capabilities } = this.#context.http
    const call = this.#context.ports.calls[claimed.endpoint]
    // An attempt that a server without keys may have is looked for, whatever the server has now.
    const isUnkeyed = isUncounted || claimed.attempt !== undefined || !capabilities.has('keys')
    const unstored = this.#unstored.get(claimed.id)
    // The same attempt: neither was another made meanwhile, nor did its author decide about it.
    if (unstored && unstored.at === claimed.attempt?.at)
      return await this.#store(claimed, unstored.outcome, true)
    const before = await this.#prepare(claimed, isUnkeyed, isUncounted)
    if ('kind' in before) {
      if (before.kind === 'answered') this.#recordArrival(call)
      return before
    }
    // While something was read the server has given up its keys, without which each attempt is noted, or this
    // context was frozen: it claims the operation anew.
    const now = this.#context.ports.clock.now()
    const isOver = !capabilities.has('keys') || !mayLeave(now, { notedAt: claimed.claimed_at })
    if (!isUnkeyed && isOver) {
      await this.#context.outbox.release([claimed.id])
      return { kind: 'busy', next: undefined, changesOthers: true }
    }
    const operation = before.send
    const hadIds = capabilities.has('ids')
    const sent = await sendOperation(this.#context, operation).catch(async (error: unknown) => {
      if (isUnkeyed) await this.#unkeyed.interrupted(operation).catch(() => undefined)
      throw error
    })
    // Any other outcome is stored first: it may say that no further request is to be made.
    if (sent.kind === 'answered') onAnswered()
    // The answer may be the first to announce them, after a request that had no id of this device, or the first
    // that does not: its record may then have an id of the server.
    const hasIds = hadIds && capabilities.has('ids')
    if (!call?.offlinePolicy) return { kind: 'unreachable', next: operation }
    if (sent.kind === 'unreachable' && sent.isUnread)
      return this.#keyed.postponeOdd(operation, true, sent.isAbsent)
    const isRead = !isUnkeyed && hasIds
    const own = isRead ? unconfirmedId(this.#context.ports.calls, operation, sent) : undefined
    const value = own && (await this.#unkeyed.lookup.readOwn(operation, own))
    // Others may have changed the record since: the answer to a repeat says what has arrived.
    const differs = value && call.offlinePolicy.contentDiffers?.(operation.input, value)
    const isOwn = value && !(differs && sent.kind === 'busy')
    const outcome: Outcome = isOwn ? { kind: 'answered', value, isRead: true } : sent
    // With keys only the content of a 2xx answer is checked: any other can be requested again.
    // The record of a create under an id of this device is asked for again, where it could not be read.
    const isTaken = outcome.kind === 'unreachable' && outcome.isTaken && own === undefined
    // A server that says only now that updates change nothing has taken the note of this one alone.
    const hasLostEffects =
      !capabilities.has('effects') &&
      call.offlinePolicy.withoutEffects?.(operation.input) !== undefined
    const isCompared = !hasIds || hasLostEffects
    const isByContent = isUnkeyed || isTaken || (outcome.kind === 'answered' && isCompared)
    const isAccepted = outcome.kind === 'answered' || isTaken
    // Its record may be gone or changed by the time it is looked for.
    if (isAccepted && operation.attempt)
      this.#unstored.set(operation.id, { at: operation.attempt.at, outcome })
    const step = await this.#store(operation, outcome, isByContent)
    if (step.kind === 'answered' && operation.attempts > 1) this.#recordArrival(call)
    return step
  }

  /** `isByContent`: the server does not say by itself whether it has this one. Rejects when storage fails. */
  async #store(operation: Operation, outcome: Outcome, isByContent: boolean): Promise<Step> {
    const byContent = isByContent ? await this.#unkeyed.after(operation, outcome) : undefined
    const step = byContent ?? (await this.#keyed.after(operation, outcome))
    this.#unstored.delete(operation.id)
    if (step.kind === 'answered') this.#onAccepted()
    return step
  }

  /** An earlier attempt has arrived: the server takes writes, and it is the network that loses their answers. */
  #recordArrival(call: ApiCall | undefined): void {
    if (call) this.#context.http.onExchange({ call, result: 'answered' })
  }

  /** What is done before a request leaves; without `send` nothing is sent now. */
  async #prepare(
    claimed: Operation,
    isUnkeyed: boolean,
    isUncounted: boolean,
  ): Promise<Step | { send: Operation }> {
    const before = isUncounted ? claimed : released(claimed)
    if (before.attempts === 0 && (await splitEffects(this.#context, claimed)))
      return { kind: 'busy', next: undefined, changesOthers: true }
    if (!isUnkeyed)
      return mayHaveArrived(before) ? { send: claimed } : await this.#unkeyed.noteKnown(claimed)
    // The server has lost its keys since the attempt was counted.
    if (!isUncounted) await this.#context.outbox.release([claimed.id])
    return await this.#unkeyed.before(before)
  }
}
