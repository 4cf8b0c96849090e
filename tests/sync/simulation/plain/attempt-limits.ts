// I12: how often one operation is tried, and how much a tab at rest asks for.
import type { Operation } from '../../../../src/sync/core/operation.ts'
import type { SimulatedEnvironment, SimulatedProcess } from '../simulated-environment.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const MAX_IN_MINUTE = 6
/**
 * So long after the first one, each other context finds out once by itself that the network is gone, or takes over a
 * lock that was held for a minute by one that waits for answers.
 */
const MOMENT_MS = 250
const MAX_IN_HOUR = 40
/** What a tab at rest may ask for in a minute. */
const MAX_AT_REST = 4

export class AttemptLimits {
  readonly #world: SimulatedEnvironment
  /** By operation: when it was attempted, and by which contexts at that moment. */
  readonly #attempts = new Map<string, { at: number; by: Set<SimulatedProcess> }[]>()

  constructor(world: SimulatedEnvironment) {
    this.#world = world
  }

  /** An operation was stored: was an attempt noted? */
  stored(by: SimulatedProcess, was: Operation | undefined, is: Operation): void {
    // Rebased on what another person has changed, it is another request.
    if (was && is.base?.version !== was.base?.version) this.asked(is.id)
    if (is.attempts <= (was?.attempts ?? 0)) return
    const { now: at } = this.#world
    const attempts = this.#attempts.get(is.id) ?? []
    const last = attempts.at(-1)
    if (last && !last.by.has(by) && at - last.at < MOMENT_MS) last.by.add(by)
    else attempts.push({ at, by: new Set([by]) })
    this.#attempts.set(is.id, attempts)
    const times = attempts.map((one) => one.at)
    const [first = at] = times
    const within = (span: number) => times.filter((time) => time <= first + span).length
    if (within(MINUTE_MS) > MAX_IN_MINUTE || within(HOUR_MS) > MAX_IN_HOUR)
      this.#world.fail('I12', `${is.id} is attempted ${times.length} times within an hour`)
  }

  /** Its attempts are counted from zero, as when a person wants it to be sent. */
  asked(id: string): void {
    this.#attempts.delete(id)
  }
}

/** From the beginning of one round of polls to the end of the next, a minute later. */
const ROUND_MS = 50_000

/** Fails when a context asks more in a minute than one at rest may. `requests`: of some minutes. */
export function checkRest(
  world: SimulatedEnvironment,
  requests: readonly { at: number; by: string; what: string }[],
): void {
  for (const { at, by } of requests) {
    const round = requests.filter((one) => one.by === by && one.at >= at && one.at < at + ROUND_MS)
    if (round.length > MAX_AT_REST)
      world.fail(
        'I12',
        `${by} at rest asks for ${round.map(({ what }) => what).join(', ')} at once`,
      )
  }
}
