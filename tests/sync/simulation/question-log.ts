// The observer of questions about conflicts: each has a cause (I13), and only what was asked about may be
// given up.
import { engineTable } from '../../../contract/engine-table.ts'
import { changedId } from '../../../src/sync/core/conflicts/comparable.ts'
import { editOf, upcast, type Operation } from '../../../src/sync/core/operation.ts'
import { valueKey, type ModelServer } from './model-server.ts'
import { bodyOf, type LedgerEntry } from './record-types.ts'
import type { SimulatedEnvironment } from './simulated-environment.ts'
import type { Change } from './simulated-storage.ts'

export class QuestionLog {
  readonly #world: SimulatedEnvironment
  readonly #server: ModelServer
  readonly #open = new Map<
    string,
    { lane: string; fields: readonly string[]; isDeletion: boolean }
  >()
  /** Operations that have left the outbox, and those of them that were forgotten when the user signed out. */
  readonly #ended = new Set<string>()
  readonly #forgotten = new Set<string>()

  constructor(world: SimulatedEnvironment, server: ModelServer) {
    this.#world = world
    this.#server = server
  }

  /**
   * A question needs a value that another user or device has set, or that its author has deleted from this
   * one, or before a deletion an update of another user; no field is asked about twice by edits.
   */
  checkCause(operation: Operation, isOwn: (key: string) => boolean): void {
    const { id, lane, conflict } = operation
    const record_id = changedId(operation, engineTable.calls) ?? ''
    const isDeletion = !editOf(operation, engineTable.calls)
    for (const field of conflict?.fields ?? []) {
      if (field === 'success_plan_updates') {
        this.#checkUpdates(operation, record_id)
        continue
      }
      const place = valueKey(record_id, field, conflict?.theirs[field])
      const others = [...(this.#server.setBy.get(place) ?? [])].filter(
        (key) => !isOwn(key ?? '') || this.#forgotten.has(key ?? ''),
      )
      if (others.length === 0)
        this.#world.fail('I13', `${id} asks about ${field}, which no one else has set`)
      for (const [other, question] of this.#open)
        if (
          other !== id &&
          !isDeletion &&
          !question.isDeletion &&
          question.lane.includes(JSON.stringify(lane))
        )
          if (question.fields.includes(field))
            this.#world.fail('I13', `${id} asks about ${field}, as ${other} does already`)
    }
  }

  #checkUpdates({ id, organisation_id, user_id }: Operation, plan_id: string): void {
    const updates = this.#server.tenants.get(organisation_id ?? '')?.records.success_plan_updates
    const ofPlan = [...(updates?.values() ?? [])].filter((one) => one.success_plan_id === plan_id)
    if (ofPlan.every((one) => one.user_id === user_id) && !this.#server.deletedRecords.has(plan_id))
      this.#world.fail('I13', `${id} asks about updates, but no other user has posted one`)
  }

  /** An operation was stored. Edits of a field in question wait, while others of their lane go on. */
  changed(
    { id, conflict }: Operation,
    { lane, deletes }: LedgerEntry,
    entries: Iterable<LedgerEntry>,
  ): void {
    const isDeletion = deletes !== undefined
    if (conflict) this.#open.set(id, { lane, fields: conflict.fields, isDeletion })
    else this.#open.delete(id)
    if (this.#open.size === 0) return
    for (const entry of entries)
      for (const question of this.#open.values())
        if (entry.lane === question.lane && entry.applied === 0)
          entry.waited ||= question.fields.some((name) => name in bodyOf(entry))
  }

  /** An operation was deleted from the device. */
  ended({ id }: Operation, isSignOut: boolean): void {
    this.#open.delete(id)
    this.#ended.add(id)
    if (isSignOut) this.#forgotten.add(id)
  }

  /** A sign-out deletes the log of what was sent: what it had counts as set by others afterwards. */
  signedOut(): void {
    for (const id of this.#ended) this.#forgotten.add(id)
  }

  /**
   * The fields that `was` may lose: those of a question that ends with the same transaction, and its own
   * that a later operation of the lane has set on the server; all once its author's deletion is acknowledged.
   */
  givenUp(
    was: Operation,
    { lane, storedAt, waited }: LedgerEntry,
    changes: readonly Change[],
    entries: Iterable<LedgerEntry>,
  ): string[] {
    const isDeleted = changes.some((change) => {
      const is = upcast(change.after)
      const deletes = engineTable.calls[is?.endpoint as 'deleteAction']?.offlinePolicy?.deletes
      return is?.lane === was.lane && is.state === 'acknowledged' && deletes !== undefined
    })
    if (isDeleted && (waited || was.conflict)) return Object.keys(was.input.body ?? {})
    const answered = changes
      .filter((change) => !upcast(change.after)?.conflict)
      .map((change) => upcast(change.before))
      .filter((question) => question?.lane === was.lane && question.id !== was.id)
      .flatMap((question) => question?.conflict?.fields ?? [])
    const later = [...entries].filter((entry) => entry.lane === lane && entry.appliedAt > storedAt)
    const replaced = Object.keys(waited ? (was.input.body ?? {}) : {}).filter(
      (name) => name !== 'body' && later.some((entry) => name in bodyOf(entry)),
    )
    return [...answered, ...replaced]
  }
}
