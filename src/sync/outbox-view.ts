// The outbox as those who watch it see it: the last reading of it, kept through failures of storage.
import { Observable } from './observable.ts'
import { bySeq, type Operation } from './operation.ts'
import type { Outbox } from './outbox.ts'

export class OutboxView {
  readonly operations = new Observable<readonly Operation[]>([])
  /** The last reading failed, so what is shown may be old. */
  stale = false
  readonly #outbox: Outbox
  readonly #leaving: (gone: Operation) => Promise<void>
  readonly #failed: () => void
  /** What became known since the reading that is under way began, and that it may have missed. */
  #learned = new Map<string, Operation>()
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  /** `leaving` is waited for before an operation leaves the view; `failed` hears that storage did. */
  constructor(outbox: Outbox, leaving: (gone: Operation) => Promise<void>, failed: () => void) {
    this.#outbox = outbox
    this.#leaving = leaving
    this.#failed = failed
  }

  /** Shows an operation that was just kept, without reading them all. */
  learn(operation: Operation): void {
    this.#learned.set(operation.id, operation)
    this.operations.set(withLearned(this.operations.get(), this.#learned))
  }

  /** Reads it again: one reading at a time, and one more for all who asked meanwhile. */
  reload(): Promise<void> {
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined
      this.#reading = this.#read().catch(() => {
        // What was last seen stays on the screens until storage works again.
        this.stale = true
        this.#failed()
      })
      return this.#reading
    })
    return this.#next
  }

  async #read(): Promise<void> {
    this.#learned = new Map()
    const operations = await this.#outbox.all()
    const ids = new Set(operations.map(({ id }) => id))
    for (const shown of this.operations.get())
      if (!ids.has(shown.id) && !this.#learned.has(shown.id)) await this.#leaving(shown)
    this.stale = false
    this.operations.set(withLearned(operations, this.#learned))
  }
}

/** In the order of saying: what was learnt last stands at the end, or where it stood. */
function withLearned(
  operations: readonly Operation[],
  learned: ReadonlyMap<string, Operation>,
): readonly Operation[] {
  if (learned.size === 0) return operations
  const rest = operations.filter(({ id }) => !learned.has(id))
  return [...rest, ...learned.values()].toSorted(bySeq)
}
