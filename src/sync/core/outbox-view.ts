// The outbox as those who watch it see it: the last reading of it, kept through failures of storage.
import { Observable } from './observable.ts'
import { bySequence, type Operation } from './operation.ts'
import type { Outbox } from './outbox.ts'

export class OutboxView {
  readonly operations = new Observable<readonly Operation[]>([])
  /** The last reading failed, so what is shown may be old. */
  stale = false
  readonly #outbox: Outbox
  readonly #beforeRemoval: (gone: Operation) => Promise<void>
  readonly #onFailure: () => void
  /** What became known since the reading that is under way began, and that it may have missed. */
  #recent = new Map<string, Operation>()
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  /** `leaving` is waited for before an operation leaves the view; `failed` hears that storage did. */
  constructor(
    outbox: Outbox,
    beforeRemoval: (gone: Operation) => Promise<void>,
    onFailure: () => void,
  ) {
    this.#outbox = outbox
    this.#beforeRemoval = beforeRemoval
    this.#onFailure = onFailure
  }

  /** Shows an operation that was just kept, without reading them all. */
  show(operation: Operation): void {
    this.#recent.set(operation.id, operation)
    this.operations.set(withRecent(this.operations.get(), this.#recent))
  }

  /** Reads it again: one reading at a time, and one more for all who asked meanwhile. */
  reload(): Promise<void> {
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined
      this.#reading = this.#read().catch(() => {
        // What was last seen stays on the screens until storage works again.
        this.stale = true
        this.#onFailure()
      })
      return this.#reading
    })
    return this.#next
  }

  async #read(): Promise<void> {
    this.#recent = new Map()
    const operations = await this.#outbox.all()
    const ids = new Set(operations.map(({ id }) => id))
    for (const shown of this.operations.get())
      if (!ids.has(shown.id) && !this.#recent.has(shown.id)) await this.#beforeRemoval(shown)
    this.stale = false
    this.operations.set(withRecent(operations, this.#recent))
  }
}

/** In the order of saying: what was learnt last stands at the end, or where it stood. */
function withRecent(
  operations: readonly Operation[],
  recent: ReadonlyMap<string, Operation>,
): readonly Operation[] {
  if (recent.size === 0) return operations
  const rest = operations.filter(({ id }) => !recent.has(id))
  return [...rest, ...recent.values()].toSorted(bySequence)
}
