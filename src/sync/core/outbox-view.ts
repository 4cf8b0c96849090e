// The outbox as the screens see it: the operations as last read, and which of them are being sent.
import { resolveOperation } from './arrival/aliases.ts'
import { bySequence, type Operation } from './operation.ts'
import type { EngineState, Observable } from './observable.ts'
import type { Outbox } from './outbox.ts'
import type { ApiCalls } from './ports.ts'

/**
 * Between two publications of what is being sent, in milliseconds: a long queue changes it all the
 * time.
 */
const THROTTLE_MS = 100

/** What an OutboxView publishes to, and what it needs of its engine. */
export interface OutboxViewOptions {
  outbox: Outbox
  calls: ApiCalls
  operations: Observable<readonly Operation[]>
  aliases: EngineState['aliases']
  sending: Observable<ReadonlySet<string>>
  /** Awaited before an operation that is gone from the outbox leaves the view; with the server's ids. */
  beforeRemoval: (removed: Operation) => Promise<void>
  /** Called when storage failed. */
  onFailure: () => void
  /** Publishes the ids of the operations being sent to the other contexts. */
  publishSending: (ids: string[]) => void
  /** Runs `work` after `delayMs` milliseconds. */
  schedule: (delayMs: number, work: () => void) => void
}

/** Publishes the operations of the outbox, and keeps the last ones known when storage fails. */
export class OutboxView {
  readonly #options: OutboxViewOptions
  /** Operations enqueued since the current reading began, which it may have missed. By id. */
  #recent = new Map<string, Operation>()
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #sending: readonly string[] = []
  /** The other contexts show that something is being sent. */
  #isPublished = false
  #throttled = false

  constructor(options: OutboxViewOptions) {
    this.#options = options
  }

  /** Publishes an operation that was just enqueued, without reading the whole outbox. */
  show(operation: Operation): void {
    const { operations } = this.#options
    this.#recent.set(operation.id, operation)
    operations.set(withRecent(operations.get(), this.#recent))
  }

  /**
   * Reads the outbox and publishes it. One reading at a time: all calls made during a reading share the
   * next one. Never rejects.
   */
  reload(): Promise<void> {
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined
      this.#reading = this.#read().catch(() => {
        // The screens keep what was last read until storage works again.
        this.#options.onFailure()
      })
      return this.#reading
    })
    return this.#next
  }

  /** Publishes which operations this context is sending: at once, then at most every THROTTLE_MS. */
  setSending(ids: readonly string[]): void {
    this.#sending = ids
    const isNone = ids.length === 0 && !this.#isPublished && this.#options.sending.get().size === 0
    if (this.#throttled || isNone) return
    this.#isPublished = ids.length > 0
    this.#options.sending.set(new Set(ids))
    this.#options.publishSending([...ids])
    void this.reload()
    this.#throttled = true
    this.#options.schedule(THROTTLE_MS, () => {
      this.#throttled = false
      if (this.#sending !== ids) this.setSending(this.#sending)
    })
  }

  async #read(): Promise<void> {
    const { outbox, operations: published, beforeRemoval, calls } = this.#options
    this.#recent = new Map()
    const { operations, aliases } = await outbox.read()
    const ids = new Set(operations.map(({ id }) => id))
    for (const shown of published.get())
      if (!ids.has(shown.id) && !this.#recent.has(shown.id))
        await beforeRemoval(resolveOperation(shown, aliases, calls))
    if (aliases.length !== this.#options.aliases.get().size)
      this.#options.aliases.set(new Map(aliases.map((one) => [one.local, one])))
    published.set(withRecent(operations, this.#recent))
    this.#endSending()
  }

  /** What another context was sending may have arrived before that ended. */
  #endSending(): void {
    const { operations, sending } = this.#options
    const shown = sending.get()
    const pending = operations.get().filter(({ state }) => state === 'pending')
    const known = new Set([...pending.map(({ id }) => id), ...this.#sending])
    const left = [...shown].filter((id) => known.has(id))
    if (left.length < shown.size) sending.set(new Set(left))
  }
}

/** `operations` with `recent` replacing those of the same id, in the order of their sequence. */
function withRecent(
  operations: readonly Operation[],
  recent: ReadonlyMap<string, Operation>,
): readonly Operation[] {
  if (recent.size === 0) return operations
  const rest = operations.filter(({ id }) => !recent.has(id))
  return [...rest, ...recent.values()].toSorted(bySequence)
}
