// A bounded line of waiting work in which callers take turns, so that none keeps the others out.

/** Work that waits: exactly one of the two is called. */
export interface Waiting {
  start: () => void
  refuse: () => void
}

/** At most `max` wait at once. */
export class WaitingLine {
  readonly #max: number
  readonly #callers = new Map<string, Waiting[]>()
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Adds work. When the line is full, the last one of the caller with most in it is refused. */
  add(caller: string, waiting: Waiting): void {
    const own = this.#callers.get(caller) ?? []
    own.push(waiting)
    this.#callers.set(caller, own)
    this.#size += 1
    if (this.#size <= this.#max) return
    let longest = own
    for (const other of this.#callers.values()) if (other.length > longest.length) longest = other
    this.#size -= 1
    longest.pop()?.refuse()
  }

  /** Removes the next one: callers take turns. */
  next(): Waiting | undefined {
    for (const [caller, queue] of this.#callers) {
      this.#callers.delete(caller)
      const waiting = queue.shift()
      if (queue.length > 0) this.#callers.set(caller, queue)
      if (!waiting) continue
      this.#size -= 1
      return waiting
    }
    return undefined
  }
}
