// Edits that met a record changed meanwhile: merged without a word where that undoes nothing, and else
// kept as questions until their author has answered.
import { answered, meet } from './conflict.ts'
import { next, SEQ } from './counters.ts'
import { upcast, type Operation, type OperationError } from './operation.ts'
import type { Ports, Transaction } from './ports.ts'

export class Questions {
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** The server refused an edit because the record is `theirs` by now: it is merged, or asked about. */
  meet(id: string, theirs: Record<string, unknown>, last_error: OperationError): Promise<void> {
    return this.#write(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (operation?.state !== 'pending') return
      const { goes, asks } = meet(operation, this.#queueing(operation), theirs, {
        last_error,
        newId: () => this.#ports.random.id(),
      }) ?? { asks: { ...operation, state: 'attention', last_error } }
      if (goes?.id !== id && asks?.id !== id) tx.delete('operations', id)
      if (goes) tx.put('operations', goes.id, goes)
      // Beside what goes out it has a place of its own.
      if (asks) tx.put('operations', asks.id, goes ? { ...asks, seq: await next(tx, SEQ) } : asks)
    })
  }

  /**
   * Answers a question: of the fields that clash those in `keep` are said all the same, and the
   * others given up. Resolves to what is left to say, undefined when nothing is.
   */
  answer(id: string, keep: readonly string[]): Promise<Operation | undefined> {
    return this.#write(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (!operation?.conflict) return undefined
      const said = answered(operation, this.#queueing(operation), keep, () =>
        this.#ports.random.id(),
      )
      if (said?.id !== id) tx.delete('operations', id)
      if (said) tx.put('operations', said.id, said)
      return said
    })
  }

  #queueing({ endpoint }: Operation) {
    const queueing = this.#ports.calls[endpoint]?.queueing
    if (!queueing) throw new Error(`${endpoint} cannot be queued.`)
    return queueing
  }

  /** Flushed: under which version the server gets it next must not be forgotten. */
  #write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#ports.store.transact(['operations'], 'strict', work)
  }
}
