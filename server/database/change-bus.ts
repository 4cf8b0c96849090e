// Publishes after each commit which organisations have a new version, in every process that works on the
// database (see DatabaseEngine).
import type { Tx } from './connection.ts'

/** Where listeners subscribe to an organisation's changes. */
export interface ChangeSubscriptions {
  /** Calls `listener` after each commit that changed the organisation. Returns the function that unsubscribes. */
  subscribe(organisation_id: string, listener: () => void): () => void
}

const changedByTx = new WeakMap<Tx, Set<string>>()

/** Collects the organisations that the transaction changes in `into`. */
export function collectChanges(tx: Tx, into: Set<string>): void {
  changedByTx.set(tx, into)
}

/** Marks the organisation as changed by this transaction; its listeners are called after the commit. */
export const markChanged = (tx: Tx, organisation_id: string): void => {
  changedByTx.get(tx)?.add(organisation_id)
}

/** The side of the bus that the database publishes to. */
export interface ChangePublisher extends ChangeSubscriptions {
  /** Calls the listeners of the organisation; all listeners when it is undefined. */
  publish(organisation_id: string | undefined): void
}

/** A bus within this process. */
export function createChangeBus(): ChangePublisher {
  const listeners = new Map<string, Set<() => void>>()
  return {
    subscribe(organisation_id, listener) {
      const all = listeners.get(organisation_id) ?? new Set()
      listeners.set(organisation_id, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(organisation_id)
      }
    },
    publish(organisation_id) {
      const targets =
        organisation_id === undefined ? listeners.values() : [listeners.get(organisation_id) ?? []]
      for (const group of targets) for (const listener of group) listener()
    },
  }
}
