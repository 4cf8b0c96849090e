// Who wants to hear that an organisation moved on to a new version. Told after the commit, in every
// process that works on the database: see Engine.
import type { Tx } from './connection.ts'

export interface Moves {
  /** Calls `listener` after each commit that moved the organisation on. Returns how to stop that. */
  listen(organisation_id: string, listener: () => void): () => void
}

const moved = new WeakMap<Tx, Set<string>>()

/** Notes for a transaction which organisations it moves on. */
export function collectMoves(tx: Tx, into: Set<string>): void {
  moved.set(tx, into)
}

/** Whoever listens hears of it when the transaction has committed. */
export const noteMove = (tx: Tx, organisation_id: string): void => {
  moved.get(tx)?.add(organisation_id)
}

export interface MovesTold extends Moves {
  /** An organisation moved on; any of them, when it is not known which. */
  tell(organisation_id: string | undefined): void
}

export function createMoves(): MovesTold {
  const listeners = new Map<string, Set<() => void>>()
  return {
    listen(organisation_id, listener) {
      const all = listeners.get(organisation_id) ?? new Set()
      listeners.set(organisation_id, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(organisation_id)
      }
    },
    tell(organisation_id) {
      const told =
        organisation_id === undefined ? listeners.values() : [listeners.get(organisation_id) ?? []]
      for (const some of told) for (const listener of some) listener()
    },
  }
}
