// Conflicts: an edit stores the version and the fields that it was based on. When the record has a
// newer version by the time the edit arrives, the two are merged per field (three-way). Only a field
// that another person or device set to another value is a conflict, and waits for its author. What this
// device has sent or shown of the record counts as seen. A deletion is in conflict with whatever another
// person has set.
import { isOneServer, readOperationsBeside } from '../api/address.ts'
import {
  editOf,
  findQuestions,
  isSameRecord,
  recordKey,
  upcast,
  type Operation,
} from '../operation.ts'
import type { ApiCalls, Ports, Transaction } from '../ports.ts'
import { appendGivenUp, appendSent, readLog, recent } from '../sent-log.ts'
import { canonical } from './canonical.ts'
import { isComparable } from './comparable.ts'
import {
  RecordChange,
  rebase,
  rebaseWaiting,
  resolveConflict,
  withoutFields,
  type RecordState,
  type StaleAnswer,
} from './three-way-merge.ts'

/** An operation that its author is asked about. */
type Question = Pick<Operation, 'id' | 'conflict'>

type Resolved = Operation | undefined | 'answered' | 'changed'

type Write = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

/** Rebases stored operations and resolves their conflicts. All methods reject when storage fails. */
export class Conflicts {
  readonly #ports: Ports
  readonly #write: Write

  /** `write` is flushed to disk: the base version of the next attempt must survive a crash. */
  constructor(ports: Ports, write: Write) {
    this.#ports = ports
    this.#write = write
  }

  /**
   * Handles an edit or a deletion that the server rejected because its record has changed: replaces it by its rebased
   * form, a question or both. A field that an earlier question is about waits for that one. Without
   * anything to compare, the operation is marked as rejected. `sent` is the operation as it was sent: where another
   * context has rebased it since, only a newer record counts.
   */
  rebase(sent: Pick<Operation, 'id' | 'base'>, stale: StaleAnswer): Promise<void> {
    const { id } = sent
    return this.#write(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (operation?.state !== 'pending' || isRebased(operation, sent, stale)) return
      const { calls, clock, random } = this.#ports
      if (!isComparable(operation, stale.theirs, calls)) {
        const rejected = { ...operation, state: 'attention', last_error: stale.error } as const
        return tx.put('operations', id, rejected)
      }
      const { others, change } = await this.#changeOf(tx, operation, stale)
      const asked = findQuestions(others).get(recordKey(operation))
      for (const other of others) {
        const { base, conflict } = other
        if (!conflict && base?.version === operation.base?.version)
          tx.put('operations', other.id, rebaseWaiting(other, change, calls))
        // The values in an open question may be outdated. Of what was set before this base the server does not tell.
        if (!conflict || Number(conflict.theirs.version) < (operation.base?.version ?? 0)) continue
        const news = change.conflicts(other, calls).filter((name) => !asked?.has(name))
        for (const name of news) asked?.add(name)
        const fields = [...conflict.fields, ...news]
        const { theirs } = stale
        const updated = { ...conflict, fields, theirs, ...change.authors }
        tx.put('operations', other.id, { ...other, conflict: updated })
      }
      const { send, wait } = rebase(operation, change, asked, {
        calls,
        error: stale.error,
        newId: () => random.id(),
      })
      if (send?.id !== id && wait?.id !== id) tx.delete('operations', id)
      const sent_at = new Date(clock.now()).toISOString()
      if (!send && !wait) await appendSent(tx, [{ ...operation, sent_at, merged: true }])
      if (send) tx.put('operations', send.id, send)
      if (wait) tx.put('operations', wait.id, wait)
    })
  }

  /** Whether an edit would replace values of `theirs`, the record as just read, that others have set. */
  isInConflict(operation: Operation, theirs: Record<string, unknown>): Promise<boolean> {
    const { calls, store } = this.#ports
    return store.transact(['operations', 'cache', 'session'], 'readonly', async (tx) => {
      const { change } = await this.#changeOf(tx, operation, { theirs })
      return change.conflicts(operation, calls).length > 0
    })
  }

  /**
   * Resolves a conflict: of its fields, those in `keptFields` keep the author's value, the others the
   * server's, also in the edits that wait behind the question. All of them are rebased on the record
   * that the question showed. `asked` is the operation as its author saw it. Resolves to the operation that
   * is left to send; undefined when nothing is; `answered` where the question has been answered before, and
   * `changed` where it is not the one that was shown: then nothing is done.
   */
  resolve(asked: Question, keptFields: readonly string[]): Promise<Resolved> {
    const { id } = asked
    return this.#write(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (!operation?.conflict) return 'answered'
      if (shownOf(operation) !== shownOf(asked)) return 'changed'
      const { calls, clock, random } = this.#ports
      const { changed_by, fields, theirs } = operation.conflict
      const dropped = fields.filter((name) => !keptFields.includes(name))
      const resolved = resolveConflict(operation, dropped, calls, () => random.id())
      if (resolved?.id !== id) tx.delete('operations', id)
      if (resolved) tx.put('operations', resolved.id, resolved)
      const state = { theirs, answered: keptFields }
      const { others, change } = await this.#changeOf(tx, operation, state)
      // What they had set when it was asked; of the other fields that says nothing.
      const before = await this.#changeOf(tx, operation, { ...state, changed_by })
      const givenUp = dropped.length > 0 ? [operation] : []
      for (const other of others.filter(({ state }) => state === 'pending')) {
        // What was written with their value in view was written over it, and is not given up.
        const unaware = dropped.filter((name) => before.change.isConflict(other, name, calls))
        const left =
          unaware.length > 0 ? withoutFields(other, unaware, calls, () => random.id()) : other
        if (left?.id !== other.id) {
          tx.delete('operations', other.id)
          givenUp.push(other)
        }
        if (left) tx.put('operations', left.id, rebaseWaiting(left, change, calls))
      }
      await appendGivenUp(tx, givenUp, dropped, calls, clock.now())
      return resolved
    })
  }

  /**
   * To be called when operations are discarded: edits that were based on one of their values are based on
   * what that one would have replaced, as the value never was in the record.
   */
  restoreBases(
    tx: Transaction,
    queued: readonly Operation[],
    discarded: readonly Operation[],
  ): void {
    const { api, calls } = this.#ports
    const removed = new Set(discarded)
    const ofRecord = Map.groupBy(discarded, (one) => recordKey(one))
    for (const one of queued.filter(({ base }) => base !== undefined)) {
      if (removed.has(one)) continue
      // Nothing is based on what was written later. An edit that was rewritten since has a later id.
      const earlier = (ofRecord.get(recordKey(one)) ?? []).filter(
        (other) =>
          (other.seq < one.seq || other.id < one.id) && isOneServer(api(), other.api, one.api),
      )
      const restored = withoutValues(one, earlier, calls)
      if (restored !== one) tx.put('operations', one.id, restored)
    }
  }

  /** The other operations on the record of `operation`, and how the record has changed. */
  async #changeOf(tx: Transaction, operation: Operation, stale: RecordState) {
    const { api, calls, clock } = this.#ports
    const queued = await readOperationsBeside(tx, operation, api())
    const others = queued.filter((one) => isSameRecord(operation, one, calls))
    const key = recordKey(operation)
    const { user_id, organisation_id } = operation
    const logged = recent(await readLog(tx, user_id), clock.now())
    const own = [
      // Also what created the record, which may have been edited since the form of this edit was opened.
      ...queued.filter((one) => one.id !== operation.id && recordKey(one) === key),
      // Another organisation may have the same ids.
      ...logged.filter((one) => one.organisation_id === organisation_id),
    ]
    return { others, change: new RecordChange(operation, stale, own, calls) }
  }
}

/** What a question shows, for comparison: its fields and the values that others have set. */
const shownOf = ({ conflict }: Question): string =>
  canonical(conflict?.fields.map((name) => [name, conflict.theirs[name]]))

/** Whether an operation has been based on that answer or a later one since it was sent. */
function isRebased(stored: Operation, sent: Pick<Operation, 'base'>, { theirs }: StaleAnswer) {
  const version = stored.base?.version
  return version !== sent.base?.version && !(Number(theirs.version) > Number(version))
}

/** The edit without the values of `discarded` edits in its base; unchanged where it has none of them. */
function withoutValues(
  operation: Operation,
  discarded: readonly Operation[],
  calls: ApiCalls,
): Operation {
  const { base } = operation
  const fields = { ...base?.fields }
  let isChanged = false
  // The latest first, as it was based on the one before.
  for (const other of discarded.toReversed())
    for (const [name, before] of Object.entries(other.base?.fields ?? {})) {
      const value = editOf(other, calls)?.fields[name]
      if (!(name in fields) || JSON.stringify(fields[name]) !== JSON.stringify(value)) continue
      fields[name] = before
      isChanged = true
    }
  return base && isChanged ? { ...operation, base: { ...base, fields } } : operation
}
