// What is done around a request to a server that does not recognise a repeat by its key: an attempt is
// noted before it leaves, and a repeat first looks for what the earlier attempt has done. Answers are
// acknowledged by their content, since the server may make the ids.
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import { checkWrites } from '../api/write-check.ts'
import { mayHaveArrived, withClosed } from '../arrival/attempt.ts'
import { isSilent, lostFields, replaceIds, withoutEntryIds } from '../arrival/content.ts'
import { Lookup, type ReadCalls } from '../arrival/lookup.ts'
import { MAX_DELAY_MS, policyOf } from '../operation.ts'
import type { Attempt, Operation, OperationError } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { ChangedIds, Ports } from '../ports.ts'
import type { Replica } from '../replica.ts'
import { MAX_ODD_ANSWERS, QUICK_ATTEMPTS, isRejected, slowBackoff, type Step } from './keyed.ts'
import { FOREIGN_ANSWER, NO_ANSWER, countFailure, isStuck } from './stuck.ts'

/** The codes of what a person has to decide, in place of an error response. */
const UNDECIDED: OperationError = { status: 0, code: 'undecided', message: '' }
const NOT_FOUND: OperationError = { status: 0, code: 'not_found', message: '' }

/** So long after an answer the server is taken to be reachable. */
const REACHABLE_MS = 10_000

/** The part of a replay that concerns servers without keys or ids. */
export class Unkeyed {
  readonly #ports: Ports
  readonly #outbox: Outbox
  readonly #http: Http
  readonly lookup: Lookup
  /** When the server answered last, in epoch milliseconds. */
  #reachableAt = -Infinity
  #reading: Promise<boolean> | undefined
  #isChecking = false

  constructor(ports: Ports, outbox: Outbox, http: Http, calls: ReadCalls) {
    this.#ports = ports
    this.#outbox = outbox
    this.#http = http
    this.lookup = new Lookup(ports, http, calls)
  }

  /**
   * To be called before a request leaves: looks first where an earlier attempt may have arrived, and notes
   * the new one. `send` is the operation to be sent; else nothing may be sent now.
   */
  async before(operation: Operation): Promise<Step | { send: Operation }> {
    const { attempt } = operation
    const wasAttempted = mayHaveArrived(operation)
    const { created } = policyOf(this.#ports.calls, operation.endpoint)
    // An edit is compared with its record before each sending.
    const isLookedFor = created !== undefined || attempt?.taken
    if (wasAttempted && !attempt?.repeat && isLookedFor && this.lookup.canFind(operation)) {
      const step = await this.#look(operation)
      if (step) return step
    }
    const isFirst = !wasAttempted && !attempt
    const known = isFirst ? await this.lookup.knownBefore(operation) : undefined
    const { id, last_error, unread_count = 0 } = operation
    // After the last one it is sent without its list: a lost answer then becomes a question to its author.
    if (known?.kind === 'failed' && unread_count + 1 < MAX_ODD_ANSWERS) {
      const more = { unread_count: unread_count + (known.isEarlier ? 0 : 1) }
      return { kind: 'busy', next: await this.#outbox.postpone(id, known.until, last_error, more) }
    }
    if (known?.kind === 'unreachable' || !(await this.#isReachable()))
      return { kind: 'unreachable', next: operation }
    const ids = known?.kind === 'known' ? known.ids : undefined
    const begun = await this.#outbox.beginAttempt(operation, ids)
    return begun ? { send: begun } : { kind: 'busy', next: undefined, changesOthers: true }
  }

  /**
   * To be called before the first attempt under a key. A server that makes the ids may answer without the record,
   * which is then recognised among others.
   */
  async noteKnown(operation: Operation): Promise<Step | { send: Operation }> {
    const { created } = policyOf(this.#ports.calls, operation.endpoint)
    if (!created || this.#http.capabilities.has('ids')) return { send: operation }
    const known = await this.lookup.knownBefore(operation)
    const known_before = known.kind === 'known' ? known.ids : undefined
    const noted = await this.#outbox.update(operation.id, (one) => ({ ...one, known_before }))
    // Its author may have discarded it meanwhile.
    return noted ? { send: noted } : { kind: 'busy', next: undefined, changesOthers: true }
  }

  /**
   * Whether the server answers now; makes a read unless one was answered within REACHABLE_MS. A lost write has to
   * be looked for, which takes minutes, so none is sent into a dead network.
   */
  async #isReachable(): Promise<boolean> {
    const age = this.#ports.clock.now() - this.#reachableAt
    if (age >= 0 && age < REACHABLE_MS) return true
    this.#reading ??= this.#http.reachesServer().finally(() => (this.#reading = undefined))
    const isReachable = await this.#reading
    if (isReachable) this.#reachableAt = this.#ports.clock.now()
    return isReachable
  }

  /**
   * Acknowledges the operations whose records a pull has stored before their answers arrived. Otherwise a
   * screen would show the record beside the operation. Resolves to whether there were any.
   */
  async acknowledgeStored(replica: Replica, changed: ChangedIds): Promise<boolean> {
    let hasFound = false
    const { capabilities } = this.#http
    if (capabilities.has('keys') && capabilities.has('ids')) return hasFound
    for (const operation of await this.#outbox.all()) {
      const { attempt, organisation_id, state } = operation
      if (!attempt || attempt.repeat || state !== 'pending') continue
      if (organisation_id !== replica.scope.organisation_id) continue
      if (operation.user_id !== replica.scope.user_id) continue
      const record = await this.lookup.findStored(operation, replica, changed)
      if (record) hasFound = true
      if (record) await this.#acknowledge(operation, record, { isRead: true })
    }
    return hasFound
  }

  /** Looks for an earlier attempt. Undefined when it has not arrived and may be sent again. */
  async #look(operation: Operation): Promise<Step | undefined> {
    const { id, attempt } = operation
    const now = this.#ports.clock.now()
    // After a clock was set back, the time that has passed is counted from now.
    const at = Math.min(attempt?.at ?? now, now)
    const finding = await this.lookup.look(operation)
    switch (finding.kind) {
      case 'found': {
        const next = await this.#acknowledge(operation, finding.record, { isRead: true })
        return { kind: 'answered', next, changesOthers: true }
      }
      case 'missing':
        // While the server had keys, an answer of 2xx without the record was only counted.
        if (!attempt?.taken && !operation.odd_answers) return undefined
        return { kind: 'busy', next: await this.#outbox.reject(id, NOT_FOUND) }
      case 'undecided':
        return { kind: 'busy', next: await this.#outbox.reject(id, UNDECIDED) }
      case 'wait': {
        const { until, missing_at } = finding
        const noted: Attempt = { ...attempt, at, ...(missing_at !== undefined && { missing_at }) }
        return { kind: 'busy', next: await this.#postpone(operation, until - now, noted) }
      }
      case 'failed': {
        const unread = (attempt?.unread ?? 0) + (finding.isEarlier ? 0 : 1)
        if (unread >= MAX_ODD_ANSWERS)
          return { kind: 'busy', next: await this.#outbox.reject(id, UNDECIDED) }
        const noted: Attempt = { ...attempt, at, unread }
        return { kind: 'busy', next: await this.#postpone(operation, finding.until - now, noted) }
      }
      default:
        return { kind: finding.kind, next: operation }
    }
  }

  /**
   * Stores what became of a request; undefined for an outcome that means the same with keys: a refusal, and
   * an odd answer about something that cannot be looked for.
   */
  async after(operation: Operation, outcome: Outcome): Promise<Step | undefined> {
    const { random } = this.#ports
    const { attempts } = operation
    const ended: Attempt = { ...operation.attempt, at: this.#ports.clock.now() }
    const delayMs = slowBackoff(attempts, random.fraction())
    this.#reachableAt = outcome.kind === 'unreachable' ? -Infinity : ended.at
    switch (outcome.kind) {
      case 'answered': {
        const record = outcome.value as Record<string, unknown> | undefined
        const { created } = policyOf(this.#ports.calls, operation.endpoint)
        const words = created?.words(operation.input) ?? {}
        if (!record || isSilent(words, outcome.raw) || !(await this.#isAbout(operation, record)))
          return await this.#taken(operation, ended, delayMs)
        const next = await this.#acknowledge(operation, record, outcome)
        return { kind: 'answered', next, changesOthers: true }
      }
      case 'refused':
        return undefined
      case 'busy': {
        const { error, retryAfterMs, isDenied } = outcome
        // A server may ask for no wait at all.
        const wait = Math.max(retryAfterMs ?? 0, delayMs)
        const hasKey = this.#http.capabilities.has('keys')
        const noted: Attempt = isRejected(error.status, retryAfterMs !== undefined, hasKey)
          ? { ...ended, repeat: true }
          : ended
        const failures = countFailure(operation, error, ended.at, isDenied)
        const more = {
          delayed_by_server: wait > delayMs,
          ...(isDenied ? { denials: failures } : { failures }),
          // It had no effect.
          ...(noted.repeat && withClosed(operation)),
        }
        const next = await this.#postpone(operation, wait, noted, error, more)
        const denying = isDenied && this.#http
        const isLast = await isStuck(operation, failures, this.#ports, false, denying)
        return {
          kind: 'busy',
          next: isLast ? await this.#outbox.reject(operation.id, error) : next,
        }
      }
      case 'signed-out':
        return {
          kind: 'signed-out',
          next: await this.#postpone(operation, 0, { ...ended, repeat: true }),
        }
      default: {
        if (outcome.isTaken) return await this.#taken(operation, ended, delayMs)
        const wait = outcome.notUnderstood || attempts > QUICK_ATTEMPTS ? delayMs : 0
        if (outcome.isRefused) {
          const next = await this.#postpone(operation, wait, { ...ended, repeat: true })
          return { kind: 'unreachable', next }
        }
        if (!outcome.notUnderstood) this.#checkWrites(operation)
        // A firewall may answer a page to this text alone, or cut it off.
        const failures = countFailure(operation, NO_ANSWER, ended.at)
        const next = await this.#postpone(operation, wait, ended, undefined, { failures })
        const { isForeign } = outcome
        const isLast = await isStuck(operation, failures, this.#ports, isForeign)
        const error = isForeign ? FOREIGN_ANSWER : UNDECIDED
        return {
          kind: 'unreachable',
          next: isLast ? await this.#outbox.reject(operation.id, error) : next,
        }
      }
    }
  }

  /** Storage failed after an attempt was noted: the next one waits as after a lost request. */
  async interrupted(operation: Operation): Promise<void> {
    if (!operation.attempt) return
    const delayMs = slowBackoff(operation.attempts, this.#ports.random.fraction())
    await this.#postpone(operation, delayMs, operation.attempt)
  }

  /** A lost POST may have been refused by its preflight. Not waited for: nothing is sent meanwhile. */
  #checkWrites(operation: Operation): void {
    const { calls } = this.#ports
    if (this.#isChecking || calls[operation.endpoint]?.method !== 'POST') return
    this.#isChecking = true
    void checkWrites(this.#http, calls, operation)
      .catch(() => undefined)
      .finally(() => (this.#isChecking = false))
  }

  /** The server has taken it, and did not show the record. */
  async #taken(operation: Operation, ended: Attempt, delayMs: number): Promise<Step | undefined> {
    if (!this.lookup.canFind(operation)) return undefined
    const noted: Attempt = { ...ended, taken: true }
    return { kind: 'busy', next: await this.#postpone(operation, delayMs, noted) }
  }

  /** Whether the answer is the record that was asked for, under any id, and no other operation's. */
  async #isAbout(operation: Operation, record: Record<string, unknown>): Promise<boolean> {
    const { matches, creates, created } = policyOf(this.#ports.calls, operation.endpoint)
    const local = created && creates?.(operation.input)
    if (local === undefined || typeof record.id !== 'string')
      return matches(operation.input, record)
    const input = replaceIds(operation.input, new Map([[local, record.id]]))
    return matches(input, record) && !(await this.lookup.isTaken(operation, record.id))
  }

  async #acknowledge(
    operation: Operation,
    record: Record<string, unknown>,
    { isRead, raw }: Pick<Extract<Outcome, { kind: 'answered' }>, 'isRead' | 'raw'>,
  ) {
    const { calls } = this.#ports
    const { asked, ...policy } = policyOf(calls, operation.endpoint)
    const { input, created_at } = operation
    const table = calls[operation.endpoint]?.collection
    const wanted = asked?.(input, created_at) ?? {}
    const hasIds = this.#http.capabilities.has('ids')
    const compared = (hasIds ? wanted : withoutEntryIds(wanted)) as typeof wanted
    const returned = raw === undefined ? await this.#http.fields.returned(table) : []
    // Of an edit that is looked at all has to be there, where the server's fields are not known.
    const names = returned.length > 0 || !isRead || policy.created ? returned : Object.keys(wanted)
    const shown = lostFields(compared, record, { ...policy, raw, names })
    return await this.#outbox.acknowledge(operation.id, record, {
      isRead,
      raw,
      byContent: { ...shown, table },
    })
  }

  #postpone(
    { id, last_error }: Operation,
    delayMs: number,
    attempt: Attempt,
    error: OperationError | null = last_error,
    more?: Partial<Operation>,
  ): Promise<Operation | undefined> {
    const until = this.#ports.clock.now() + Math.min(delayMs, MAX_DELAY_MS)
    return this.#outbox.postpone(id, until, error, { ...more, attempt })
  }
}
