// Who wants to hear that an organisation moved on to a new version. Told after the commit, in every
// process that works on the database: see Engine.
import type { Tx } from './connection.ts'

export interface ChangeSubscriptions {
  /** Calls `listener` after each commit that moved the organisation on. Returns how to stop that. */
  subscribe(organisation_id: string, listener: () => void): () => void
}

const changedByTx = new WeakMap<Tx, Set<string>>()

/** Notes for a transaction which organisations it moves on. */
export function collectChanges(tx: Tx, into: Set<string>): void {
  changedByTx.set(tx, into)
}

/** Whoever listens hears of it when the transaction has committed. */
export const markChanged = (tx: Tx, organisation_id: string): void => {
  changedByTx.get(tx)?.add(organisation_id)
}

export interface ChangePublisher extends ChangeSubscriptions {
  /** An organisation moved on; any of them, when it is not known which. */
  publish(organisation_id: string | undefined): void
}

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
