// Many operations in one request, where the server takes that. Which operations may go is decided as for
// requests of their own, and so is what becomes of each by its result.
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import { requestUrl } from '../api/request-url.ts'
import { policyOf, type Operation } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { ApiCall, NetworkResponse, Ports } from '../ports.ts'
import type { Answered, Keyed, Step } from './keyed.ts'
import { asDeleted } from './send-operation.ts'
import type { Sendable } from './sendable.ts'
import type { OnAccepted } from './singles.ts'

const CAPABILITY = 'batch'
/** At a server without one of these an operation takes more than its one request. */
const NEEDED = [CAPABILITY, 'keys', 'ids', 'versions', 'partial', 'effects']
/** Fewer are sent one by one, side by side. */
const MIN_OPERATIONS = 5
const MAX_OPERATIONS = 100
/** Servers take 512 KiB, and a character of JSON is at most three bytes. */
const MAX_CHARACTERS = 160_000
/** Of an operation beside its input: key, lane, path and names. */
const OVERHEAD_CHARACTERS = 500
/** How long batches stay smaller after one that failed, or none is sent after an answer that says nothing. */
const TROUBLE_MS = 5 * 60_000

/** What became of an operation on the server; a null status: it has not begun it. */
interface Result {
  key: string
  status: number | null
  headers: Record<string, string>
  body: unknown
}

/** What became of a batch, once it is stored. */
interface BatchStep {
  /** What became of its operations; those without a step are as they were, and can be sent again. */
  steps: readonly (readonly [Operation, Step])[]
  /** No valid response arrived. */
  unreachable: boolean
}

/** Sends and stores batches. */
export class Batches {
  readonly #ports: Ports
  readonly #outbox: Outbox
  readonly #http: Http
  readonly #keyed: Keyed
  readonly #onAccepted: OnAccepted
  readonly #call: ApiCall | undefined
  #max = MAX_OPERATIONS
  /** When a batch last failed as a whole: device clock, epoch milliseconds. */
  #troubledAt = -Infinity

  constructor(
    { ports, outbox, http }: { ports: Ports; outbox: Outbox; http: Http },
    keyed: Keyed,
    onAccepted: OnAccepted,
  ) {
    this.#ports = ports
    this.#outbox = outbox
    this.#http = http
    this.#keyed = keyed
    this.#onAccepted = onAccepted
    this.#call = Object.values(ports.calls).find(({ capability }) => capability === CAPABILITY)
  }

  /** The batches that can be sent now, and the operations that are to be sent one by one. */
  plan(lanes: readonly Sendable[]): { batches: Operation[][]; single: Operation[] } {
    const limit = this.#limit
    if (limit < MIN_OPERATIONS) return { batches: [], single: lanes.map(([first]) => first) }
    const batches: Operation[][] = []
    const single: Operation[] = []
    for (const ofOne of Map.groupBy(lanes, ([first]) => first.organisation_id).values()) {
      const groups: Sendable[][] = []
      let [count, characters] = [Infinity, 0]
      for (const lane of ofOne) {
        const part = this.#partOf(lane, limit)
        const length = part.reduce((sum, one) => sum + lengthOf(one), 0)
        const [first, ...behind] = part
        if (!first) {
          single.push(lane[0])
          continue
        }
        if (count + part.length > limit || characters + length > MAX_CHARACTERS) {
          groups.push([])
          count = characters = 0
        }
        groups.at(-1)?.push([first, ...behind])
        count += part.length
        characters += length
      }
      for (const group of groups) {
        const operations = group.flat()
        if (operations.length >= MIN_OPERATIONS) batches.push(operations)
        else single.push(...group.map(([first]) => first))
      }
    }
    return { batches, single }
  }

  /**
   * Sends operations of one author and organisation, those of a lane in order, and stores what became of
   * them. `onAnswered` is called before the results are stored. Rejects when storage fails.
   */
  async send(operations: readonly Operation[], onAnswered: () => void): Promise<BatchStep> {
    const call = this.#call
    const [caller] = operations
    const body = { operations: this.#entriesOf(operations) }
    const outcome: Outcome = call
      ? await this.#http.call(call, { body }, { caller, notedAt: caller?.claimed_at })
      : { kind: 'unreachable' }
    switch (outcome.kind) {
      case 'answered': {
        onAnswered()
        const answered = this.#resultsOf(operations, outcome)
        if (answered) return await this.#store(operations, answered)
        break
      }
      case 'busy': {
        if (outcome.error.status === 401) this.#pause()
        // A server that limits requests means each of them.
        else if (outcome.error.status !== 429) this.#shrink()
        const steps = await this.#keyed.postponeAll(operations, outcome)
        return { steps: zip(operations, steps), unreachable: false }
      }
      case 'unreachable':
        // Answered with 401: nothing of it has arrived.
        if (outcome.isRefused) await this.#outbox.release(operations.map(({ id }) => id))
        if (outcome.notUnderstood) break
        this.#shrink()
        return { steps: [], unreachable: true }
      case 'signed-out':
        // Nothing was sent, or it was refused with its tokens.
        await this.#outbox.release(operations.map(({ id }) => id))
        return { steps: [], unreachable: true }
      default:
        // Refused as a whole, or not made: nothing of it has arrived.
        await this.#outbox.release(operations.map(({ id }) => id))
    }
    this.#pause()
    return { steps: [], unreachable: false }
  }

  /** How many operations a batch may have now; fewer than MIN_OPERATIONS: none is sent. */
  get #limit(): number {
    const age = this.#ports.clock.now() - this.#troubledAt
    if (age < 0 || age >= TROUBLE_MS) this.#max = MAX_OPERATIONS
    const isPossible = this.#call && NEEDED.every((name) => this.#http.capabilities.has(name))
    return isPossible ? this.#max : 0
  }

  /** The next ones are smaller: this one may be too much for the line or the server. */
  #shrink(): void {
    this.#max = Math.floor(this.#max / 2)
    this.#troubledAt = this.#ports.clock.now()
  }

  #pause(): void {
    this.#max = 0
    this.#troubledAt = this.#ports.clock.now()
  }

  /** The operations of a lane that can be in one batch, in order. */
  #partOf(lane: Sendable, limit: number): Operation[] {
    const part: Operation[] = []
    let characters = 0
    for (const one of lane) {
      const call = this.#ports.calls[one.endpoint]
      characters += lengthOf(one)
      if (!call?.offlinePolicy || !this.#http.capabilities.allows(call)) break
      // An attempt that a server without keys may have is looked for.
      if (one.organisation_id === null || one.attempt) break
      if (part.length === limit || characters > MAX_CHARACTERS) break
      part.push(one)
    }
    return part
  }

  #entriesOf(operations: readonly Operation[]): object[] {
    const { calls } = this.#ports
    const origins = versionOrigins(operations, calls)
    return operations.flatMap((one) => {
      const call = calls[one.endpoint]
      if (!call) return []
      const { base, id, input, lane } = one
      const if_match_from = origins.get(id)
      return {
        key: id,
        lane,
        method: call.method,
        path: requestUrl(call, input, this.#ports),
        // What a deleted record is called is only for the screens.
        ...(!call.offlinePolicy?.deletes && { body: input.body }),
        ...(base && { if_match: `"${base.version}"` }),
        ...(if_match_from !== undefined && { if_match_from }),
      }
    })
  }

  /**
   * The results with their operations, `undefined` for what was not begun. Undefined for an answer that is
   * not about these operations, or has begun none: nothing of it counts.
   */
  #resultsOf(
    operations: readonly Operation[],
    { value, unread }: Extract<Outcome, { kind: 'answered' }>,
  ): (Answered | undefined)[] | undefined {
    const { data } = value as { data: readonly Result[] }
    const isAbout = ({ id }: Operation, index: number) => data[index]?.key === id
    if (unread || data.length !== operations.length || !operations.every(isAbout)) return undefined
    const results = operations.map((operation, index) => {
      const result = data[index]
      const call = this.#ports.calls[operation.endpoint]
      // The tokens have expired meanwhile.
      if (!call || !result || result.status === null || result.status === 401) return undefined
      const { id } = operation.input.path ?? {}
      const response = responseOf(result, result.status)
      const outcome = { ...this.#http.classify(call, response, id, true), raw: result.body }
      const deleted = call.offlinePolicy?.deletes?.(operation.input)
      return {
        operation,
        outcome: deleted === undefined ? outcome : asDeleted(outcome, deleted, true),
      }
    })
    if (data.some(({ status }) => status === 401)) this.#pause()
    return results.some((one) => one !== undefined) ? results : undefined
  }

  async #store(
    operations: readonly Operation[],
    results: readonly (Answered | undefined)[],
  ): Promise<BatchStep> {
    const answered = results.filter((one) => one !== undefined)
    const confirmed = await this.#keyed.acknowledgeAll(answered)
    // Before the others: a conflict rebases what is behind it only where no attempt was made.
    const notBegun = operations.filter((_, index) => !results[index])
    if (notBegun.length > 0) await this.#outbox.release(notBegun.map(({ id }) => id))
    const steps: [Operation, Step][] = []
    for (const { operation, outcome } of answered) {
      const step = confirmed.get(operation.id) ?? (await this.#keyed.after(operation, outcome))
      if (step.kind === 'answered') this.#onAccepted()
      steps.push([operation, step])
    }
    const unreachable = steps.some(([, { kind }]) => kind === 'unreachable')
    if (unreachable) this.#pause()
    return { steps, unreachable }
  }
}

const lengthOf = ({ input, lane }: Operation): number =>
  OVERHEAD_CHARACTERS + lane.length + JSON.stringify(input).length

const zip = (operations: readonly Operation[], steps: readonly Step[]): [Operation, Step][] =>
  operations.flatMap((one, index) => {
    const step = steps[index]
    return step ? [[one, step]] : []
  })

/** A result as the response to a request of its own. */
function responseOf({ headers, body }: Result, status: number): NetworkResponse {
  const all: Record<string, string> = { 'content-type': 'application/json', ...headers }
  return {
    status,
    header: (name) => all[name.toLowerCase()] ?? null,
    text: body === null || body === undefined ? '' : JSON.stringify(body),
  }
}

/**
 * By the id of an edit: the id of the operation before it in its lane whose answer has the version that
 * the edit is then based on. As `advanceBase` sets it, when they are answered one by one.
 */
function versionOrigins(
  operations: readonly Operation[],
  calls: Ports['calls'],
): ReadonlyMap<string, string> {
  const origins = new Map<string, string>()
  const baseOf = ({ id, base }: Operation) => origins.get(id) ?? base?.version
  for (const [index, one] of operations.entries()) {
    const policy = policyOf(calls, one.endpoint)
    // A record that was created on this device has version 0 until then.
    const previous = policy.edits ? baseOf(one) || undefined : 0
    if (!policy.version || previous === undefined) continue
    for (const later of operations.slice(index + 1))
      if (later.lane === one.lane && later.base && baseOf(later) === previous)
        origins.set(later.id, one.id)
  }
  return origins
}
