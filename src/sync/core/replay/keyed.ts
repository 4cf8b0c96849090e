// What becomes of an operation by the outcome of its request, where the server recognises a repeat by its
// key: any answer can be requested again.
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import { withClosed } from '../arrival/attempt.ts'
import { isSilent } from '../arrival/content.ts'
import { policyOf, type Operation, type OperationError } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { ApiCalls, Ports } from '../ports.ts'
import { FOREIGN_ANSWER, NO_ANSWER, countFailure, isStuck } from './stuck.ts'

/**
 * In place of an error response: the server recognised the key and returned the record of the first
 * attempt.
 */
const CONTENT_DIFFERS = {
  status: 409,
  code: 'content_differs',
  message: '',
}

/** In place of an error response: a 2xx response that is not one of this call. */
const NOT_AS_AGREED: OperationError = { status: 0, message: '' }
/** After as many of them the user decides. */
export const MAX_ODD_ANSWERS = 8

/** In place of an error response: nothing was sent, since the record to be changed could not be read. */
const UNREADABLE: OperationError = { status: 0, code: 'unreadable', message: '' }

/**
 * After so many attempts without an answer the next one waits. Before, none does when a lost network is back;
 * but it may be this request alone that gets no answer, while others do.
 */
export const QUICK_ATTEMPTS = 3

/** Milliseconds until the next attempt after `count`: from 2 s to 2 minutes, and up to half as much. */
export const slowBackoff = (count: number, jitter: number): number =>
  Math.min(120_000, 2_000 * 2 ** Math.max(0, count - 1)) * (1 + jitter / 2)

/** The same, and at most 30 s up to the tenth attempt: most outages end within minutes. */
const busyBackoff = (count: number, jitter: number): number =>
  Math.min(count <= 10 ? 30_000 : Infinity, slowBackoff(count, jitter))

/**
 * Whether the request had no effect. A 503 is the server's own only with `Retry-After`: gateways answer 503 for a
 * server that failed after it had stored the record. A 409 to a key that is in use is about an earlier request.
 */
export const isRejected = (status: number, saysWhen: boolean, hasKey: boolean): boolean =>
  status === 501 ||
  (status === 503 && saysWhen) ||
  (status < 500 && status !== 408 && !(hasKey && status === 409))

/** The outcome of a request, once it is stored. */
export interface Step {
  kind: Outcome['kind']
  /** The operation as it is stored now; undefined when it is gone. */
  next: Operation | undefined
  /** Other operations may have changed, too. */
  changesOthers?: true
}

/** An operation that was sent, and the outcome. */
export interface Answered {
  operation: Operation
  outcome: Outcome
}

/**
 * Whether the answer is about the very record that the operation creates or changes. One about another record is
 * not, nor is one that does not show what was written.
 */
export function isConfirmation(
  calls: ApiCalls,
  { endpoint, input }: Pick<Operation, 'endpoint' | 'input'>,
  { value, raw }: Extract<Outcome, { kind: 'answered' }>,
): boolean {
  const { created, matches } = policyOf(calls, endpoint)
  const record = value as Record<string, unknown> | undefined
  return (
    record !== undefined && !isSilent(created?.words(input) ?? {}, raw) && matches(input, record)
  )
}

/** Stores outcomes. All methods reject when storage fails. */
export class Keyed {
  readonly #ports: Ports
  readonly #outbox: Outbox
  readonly #http: Http

  constructor({ ports, outbox, http }: { ports: Ports; outbox: Outbox; http: Http }) {
    this.#ports = ports
    this.#outbox = outbox
    this.#http = http
  }

  /** Stores the outcome of a request. */
  async after(operation: Operation, outcome: Outcome): Promise<Step> {
    const { calls, clock, random } = this.#ports
    const { id } = operation
    const { kind } = outcome
    switch (outcome.kind) {
      case 'answered': {
        if (!isConfirmation(calls, operation, outcome)) return await this.postponeOdd(operation)
        const record = outcome.value as Record<string, unknown>
        const policy = policyOf(calls, operation.endpoint)
        const next = policy.contentDiffers?.(operation.input, record)
          ? await this.#outbox.reject(id, CONTENT_DIFFERS)
          : await this.#outbox.acknowledge(id, record, outcome)
        return { kind, next }
      }
      case 'refused': {
        const { error, data, changed_by } = outcome
        if (error.status !== 412) return { kind, next: await this.#outbox.reject(id, error) }
        // What is no record has no version, and is compared with nothing.
        const theirs = { ...(data as Record<string, unknown> | undefined) }
        await this.#outbox.conflicts.rebase(operation, { error, theirs, changed_by })
        // It may have been split into two, and operations behind it were rebased.
        return { kind, next: undefined, changesOthers: true }
      }
      case 'busy': {
        const { error, retryAfterMs, isDenied } = outcome
        const ownMs = busyBackoff(operation.attempts, random.fraction())
        // A server may ask for no wait at all.
        const delayMs = Math.max(retryAfterMs ?? 0, ownMs)
        const delayed_by_server = delayMs > ownMs
        const until = clock.now() + delayMs
        const failures = countFailure(operation, error, clock.now(), isDenied)
        const next = await this.#outbox.postpone(id, until, error, {
          delayed_by_server,
          ...(isDenied ? { denials: failures } : { failures }),
          ...(isRejected(error.status, retryAfterMs !== undefined, true) && withClosed(operation)),
        })
        const denying = isDenied && this.#http
        const isLast = await isStuck(operation, failures, this.#ports, false, denying)
        return { kind, next: isLast ? await this.#outbox.reject(id, error) : next }
      }
      case 'unreachable': {
        const { isForeign, isRefused, notUnderstood } = outcome
        if (notUnderstood && !isRefused) return await this.postponeOdd(operation)
        const { attempts, last_error } = operation
        const waits = notUnderstood || attempts > QUICK_ATTEMPTS
        if (!waits && !isRefused) return { kind, next: operation }
        const until = clock.now() + (waits ? busyBackoff(attempts, random.fraction()) : 0)
        if (isRefused) {
          const closed = withClosed(operation)
          return { kind, next: await this.#outbox.postpone(id, until, last_error, closed) }
        }
        const failures = countFailure(operation, NO_ANSWER, clock.now())
        const next = await this.#outbox.postpone(id, until, last_error, { failures })
        const isLast = isForeign && (await isStuck(operation, failures, this.#ports, isForeign))
        return { kind, next: isLast ? await this.#outbox.reject(id, FOREIGN_ANSWER) : next }
      }
      default: {
        const next = await this.#outbox.update(id, (one) => ({ ...one, ...withClosed(operation) }))
        return { kind, next }
      }
    }
  }

  /**
   * Acknowledges all that a batch has confirmed, in one transaction. Resolves to these steps by the id of
   * the operation; the other outcomes are left to `after`.
   */
  async acknowledgeAll(answered: readonly Answered[]): Promise<ReadonlyMap<string, Step>> {
    const answers = new Map<string, Record<string, unknown>>()
    for (const { operation, outcome } of answered) {
      const { calls } = this.#ports
      if (outcome.kind !== 'answered' || !isConfirmation(calls, operation, outcome)) continue
      const record = outcome.value as Record<string, unknown>
      const { contentDiffers } = policyOf(calls, operation.endpoint)
      if (!contentDiffers?.(operation.input, record)) answers.set(operation.id, record)
    }
    if (answers.size === 0) return new Map()
    const stored = await this.#outbox.acknowledgeAll(answers)
    return new Map(
      [...answers.keys()].map((id) => [id, { kind: 'answered', next: stored.get(id) }]),
    )
  }

  /**
   * Delays all operations of a request that the server cannot take now. That is no failure of one of them.
   */
  async postponeAll(
    operations: readonly Operation[],
    { error, retryAfterMs }: Extract<Outcome, { kind: 'busy' }>,
  ): Promise<Step[]> {
    const { clock, random } = this.#ports
    const attempts = Math.max(...operations.map((one) => one.attempts))
    const ownMs = busyBackoff(attempts, random.fraction())
    const delayMs = Math.max(retryAfterMs ?? 0, ownMs)
    const until = clock.now() + delayMs
    const hadNoEffect = isRejected(error.status, retryAfterMs !== undefined, true)
    const steps: Step[] = []
    for (const one of operations) {
      const more = { delayed_by_server: delayMs > ownMs, ...(hadNoEffect && withClosed(one)) }
      steps.push({ kind: 'busy', next: await this.#outbox.postpone(one.id, until, error, more) })
    }
    return steps
  }

  /**
   * The server took the request and did not answer as agreed: it may have stored it, so it is never sent
   * again right away, and after some such answers only when the user asks for it. `isUnread`: nothing was
   * sent, since the record could not be read before.
   */
  async postponeOdd(operation: Operation, isUnread = false, was_absent?: true): Promise<Step> {
    const { clock, random } = this.#ports
    const { attempt, attempts, id } = operation
    const counter = isUnread ? 'unread_count' : 'odd_answers'
    const error = isUnread ? UNREADABLE : NOT_AS_AGREED
    const count = (operation[counter] ?? 0) + 1
    const until = clock.now() + slowBackoff(attempts, random.fraction())
    const next = await this.#outbox.postpone(id, until, error, {
      [counter]: count,
      ...(isUnread && { ...withClosed(operation), was_absent }),
      attempt: attempt && isUnread ? { ...attempt, repeat: true } : attempt,
    })
    const isLast = count >= MAX_ODD_ANSWERS
    return { kind: 'busy', next: isLast ? await this.#outbox.reject(id, error) : next }
  }
}
