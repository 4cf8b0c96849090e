// Publishes after each commit what has changed, in every process that works on the database (see DatabaseEngine):
// which organisations have which new version, and whose access may have ended.
import type { Tx } from './connection.ts'

/** Where listeners subscribe to changes. */
export interface ChangeSubscriptions {
  /**
   * Calls `listener` after each commit that published the key: the id of an organisation with a new version, or one of
   * `versionsOf`, `membersOf` and `sessionsOf`. `version`: for `versionsOf`, unless notifications may have been missed.
   * Returns the function that unsubscribes.
   */
  subscribe(key: string, listener: ChangeListener): () => void
}

type ChangeListener = (version?: number) => void

/** The key of the organisation's new versions. Earlier builds publish its id only. */
export const versionsOf = (organisation_id: string): string => `version ${organisation_id}`

/** The key of changes that may have ended memberships of the organisation. */
export const membersOf = (organisation_id: string): string => `members ${organisation_id}`

/** The key of changes that may have ended sessions of the user. */
export const sessionsOf = (user_id: string): string => `sessions ${user_id}`

/** The keys that a transaction publishes. */
export class ChangedKeys {
  readonly #access = new Set<string>()
  /** The last version that the transaction takes; undefined when it changes what has no version. */
  readonly #organisations = new Map<string, number | undefined>()

  addAccess(key: string): void {
    this.#access.add(key)
  }

  addOrganisation(organisation_id: string, version: number | undefined): void {
    this.#organisations.set(organisation_id, version ?? this.#organisations.get(organisation_id))
  }

  /** Ended access first: who has lost it must not learn of the new version. */
  *[Symbol.iterator](): Iterator<string> {
    yield* this.#access
    for (const [id, version] of this.#organisations) {
      if (version !== undefined) yield `${versionsOf(id)} ${version}`
      yield id
    }
  }
}

const changedByTx = new WeakMap<Tx, ChangedKeys>()

/** Collects what the transaction changes in `into`. */
export function collectChanges(tx: Tx, into: ChangedKeys): void {
  changedByTx.set(tx, into)
}

/**
 * Marks the organisation as changed by this transaction; its listeners are called after the commit. `version`: the
 * last one that the transaction has taken.
 */
export const markChanged = (tx: Tx, organisation_id: string, version?: number): void => {
  changedByTx.get(tx)?.addOrganisation(organisation_id, version)
}

/** Marks that this transaction may have ended memberships of the organisation. */
export const markMembersChanged = (tx: Tx, organisation_id: string): void => {
  changedByTx.get(tx)?.addAccess(membersOf(organisation_id))
}

/** Marks that this transaction may have ended sessions of the user. */
export const markSessionsChanged = (tx: Tx, user_id: string): void => {
  changedByTx.get(tx)?.addAccess(sessionsOf(user_id))
}

/** The side of the bus that the database publishes to. */
export interface ChangePublisher extends ChangeSubscriptions {
  /** Calls the listeners of the key; all listeners when it is undefined. */
  publish(key: string | undefined): void
}

/** A bus within this process. */
export function createChangeBus(): ChangePublisher {
  const listeners = new Map<string, Set<ChangeListener>>()
  return {
    subscribe(key, listener) {
      const all = listeners.get(key) ?? new Set()
      listeners.set(key, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(key)
      }
    },
    publish(key) {
      const [, versions, version] = /^(version \S+) (\d+)$/.exec(key ?? '') ?? []
      // A key without listeners: no stream of it is open here, or a newer build published it.
      const targets =
        key === undefined ? listeners.values() : [listeners.get(versions ?? key) ?? []]
      for (const group of targets)
        for (const listener of group) listener(version === undefined ? undefined : Number(version))
    },
  }
}
