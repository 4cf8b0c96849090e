// Virtual time, seeded randomness, and the order of events. Each step runs one event and lets every
// promise that depends on it settle, so a seed always reproduces the same interleaving.

/** An id that a simulated device made: the device, and a number. Traces show these two. */
export const DEVICE_ID = /\b0{7}([ab])-0000-4000-8000-0{8}(\d{4})\b/g

/** Seeded random numbers (mulberry32): the same sequence for the same seed. */
export class Rng {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  }

  /** At least 0, less than 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  withProbability(probability: number): boolean {
    return this.fraction() < probability
  }

  /** A number between `least` and `most`, usually a small one. */
  numberBetween(least: number, most: number): number {
    return least + (most - least) * this.fraction() ** 2
  }

  integerBelow(count: number): number {
    return Math.floor(this.fraction() * count)
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.integerBelow(list.length)]
    if (picked === undefined) throw new Error('Nothing to pick from.')
    return picked
  }
}

/** The owner of an event: events of a dead owner are dropped, those of a frozen one are parked. */
export interface SimulatedProcess {
  readonly name: string
  state: 'live' | 'frozen' | 'dead'
}

interface ScheduledEvent {
  at: number
  tie: number
  run: () => void
  owner: SimulatedProcess | undefined
  cancelled: boolean
}

export interface Violation {
  invariant: string
  why: string
}

/** The start of every simulation. */
const START_MS = Date.UTC(2026, 2, 1)

export class SimulatedEnvironment {
  readonly rng: Rng
  /** Another stream, for stories that only some seeds have: choosing them leaves the other seeds as they are. */
  readonly stories: Rng
  now = START_MS
  steps = 0
  violation: Violation | undefined
  #queue: ScheduledEvent[] = []
  #parked = new Map<SimulatedProcess, ScheduledEvent[]>()
  #trace: string[] | undefined

  constructor(seed: number, traced: boolean) {
    this.rng = new Rng(seed)
    this.stories = new Rng(~seed)
    if (traced) this.#trace = []
  }

  /** Runs `run` after `delay` milliseconds. Returns a function that cancels it. */
  schedule(delay: number, run: () => void, owner?: SimulatedProcess): () => void {
    const happening: ScheduledEvent = {
      at: this.now + Math.max(0, delay),
      tie: this.rng.fraction(),
      run,
      owner,
      cancelled: false,
    }
    this.#push(happening)
    return () => (happening.cancelled = true)
  }

  /** Runs the events parked while it was frozen, in order. */
  thaw(owner: SimulatedProcess): void {
    owner.state = 'live'
    const parked = this.#parked.get(owner) ?? []
    this.#parked.delete(owner)
    for (const [index, happening] of parked.entries())
      this.#push(Object.assign(happening, { at: this.now + index / 1_000 }))
  }

  /** Runs the next event; false when there is none before `until`. */
  async step(until: number): Promise<boolean> {
    const next = this.#queue[0]
    if (!next || next.at > until) {
      this.now = Math.max(this.now, until)
      return false
    }
    this.#pop()
    if (next.cancelled || next.owner?.state === 'dead') return true
    this.now = Math.max(this.now, next.at)
    if (next.owner?.state === 'frozen') {
      const parked = this.#parked.get(next.owner) ?? []
      parked.push(next)
      this.#parked.set(next.owner, parked)
      return true
    }
    this.steps += 1
    next.run()
    await new Promise<void>((resolve) => void setImmediate(resolve))
    return true
  }

  /** Adds a line to the trace, which is printed when the seed fails. */
  log(who: string, line: () => string): void {
    this.#trace?.push(
      `${((this.now - START_MS) / 1_000).toFixed(3).padStart(9)}  ${who.padEnd(8)}  ${line().replaceAll(DEVICE_ID, '$1-$2')}`,
    )
  }

  get trace(): readonly string[] {
    return this.#trace ?? []
  }

  /** Records a violation. Only the first one counts: later ones may be its consequences. */
  fail(invariant: string, why: string): void {
    if (this.violation) return
    this.violation = { invariant, why }
    this.log('BROKEN', () => `${invariant}: ${why}`)
  }

  #push(happening: ScheduledEvent): void {
    const heap = this.#queue
    heap.push(happening)
    for (let index = heap.length - 1; index > 0;) {
      const parent = (index - 1) >> 1
      if (!this.#swapUnlessSorted(parent, index)) break
      index = parent
    }
  }

  #pop(): void {
    const heap = this.#queue
    const last = heap.pop()
    if (!last || heap.length === 0) return
    heap[0] = last
    for (let index = 0; ;) {
      const left = 2 * index + 1
      if (left >= heap.length) return
      const right = left + 1
      const child = right < heap.length && this.#isBefore(right, left) ? right : left
      if (!this.#swapUnlessSorted(index, child)) return
      index = child
    }
  }

  #isBefore(a: number, b: number): boolean {
    const first = this.#queue[a]
    const second = this.#queue[b]
    if (!first || !second) return false
    return first.at === second.at ? first.tie < second.tie : first.at < second.at
  }

  #swapUnlessSorted(parent: number, child: number): boolean {
    if (!this.#isBefore(child, parent)) return false
    const heap = this.#queue
    const moved = heap[parent]
    const risen = heap[child]
    if (!moved || !risen) return false
    heap[parent] = risen
    heap[child] = moved
    return true
  }
}
