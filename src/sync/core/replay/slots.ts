// The requests of a replay that are in flight, and the operations in them.
const MAX_IN_FLIGHT = 6

/** Limits the requests that are in flight at once. */
export class Slots {
  #inFlight = 0
  readonly #sending = new Set<string>()
  readonly #onChange: (sending: readonly string[]) => void

  /** `onChange` is called with the ids of the operations being sent whenever they may have changed. */
  constructor(onChange: (sending: readonly string[]) => void) {
    this.#onChange = onChange
  }

  /** Number of further requests that may be made now. */
  get free(): number {
    return MAX_IN_FLIGHT - this.#inFlight
  }

  /** Ids of operations in flight, or whose response is being stored. */
  get sending(): ReadonlySet<string> {
    return this.#sending
  }

  /**
   * Takes a slot for one request with these operations; `publish` is to be called afterwards. The result frees
   * the slot and calls `onFree`; further calls of it do nothing.
   */
  take(operations: readonly { id: string }[], onFree: () => void): () => void {
    this.#inFlight += 1
    for (const { id } of operations) this.#sending.add(id)
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      this.#inFlight -= 1
      onFree()
    }
  }

  /** What became of these operations is stored. */
  end(operations: readonly { id: string }[]): void {
    for (const { id } of operations) this.#sending.delete(id)
    this.publish()
  }

  publish(): void {
    this.#onChange([...this.#sending])
  }
}
