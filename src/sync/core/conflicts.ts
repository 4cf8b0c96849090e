// Edits that met a record changed meanwhile: merged without a word where that undoes nothing, and else
// kept as questions until their author has answered.
import { resolveConflict, rebase } from './rebase.ts'
import { nextValue, OPERATION_SEQUENCE } from './sequences.ts'
import { upcast, type Operation, type OperationError } from './operation.ts'
import type { Ports, Transaction } from './ports.ts'

export class Conflicts {
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** The server refused an edit because the record is `theirs` by now: it is merged, or asked about. */
  rebase(id: string, theirs: Record<string, unknown>, last_error: OperationError): Promise<void> {
    return this.#writeStrict(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (operation?.state !== 'pending') return
      const { send, conflict } = rebase(operation, this.#policyOf(operation), theirs, {
        last_error,
        newId: () => this.#ports.random.id(),
      }) ?? { conflict: { ...operation, state: 'attention', last_error } }
      if (send?.id !== id && conflict?.id !== id) tx.delete('operations', id)
      if (send) tx.put('operations', send.id, send)
      // Beside what goes out it has a place of its own.
      if (conflict)
        tx.put(
          'operations',
          conflict.id,
          send ? { ...conflict, seq: await nextValue(tx, OPERATION_SEQUENCE) } : conflict,
        )
    })
  }

  /**
   * Answers a question: of the fields that clash those in `keep` are said all the same, and the
   * others given up. Resolves to what is left to say, undefined when nothing is.
   */
  resolve(id: string, keptFields: readonly string[]): Promise<Operation | undefined> {
    return this.#writeStrict(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (!operation?.conflict) return undefined
      const resolved = resolveConflict(operation, this.#policyOf(operation), keptFields, () =>
        this.#ports.random.id(),
      )
      if (resolved?.id !== id) tx.delete('operations', id)
      if (resolved) tx.put('operations', resolved.id, resolved)
      return resolved
    })
  }

  #policyOf({ endpoint }: Operation) {
    const policy = this.#ports.calls[endpoint]?.offlinePolicy
    if (!policy) throw new Error(`${endpoint} cannot be queued.`)
    return policy
  }

  /** Flushed: under which version the server gets it next must not be forgotten. */
  #writeStrict<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#ports.store.transact(['operations'], 'strict', work)
  }
}
