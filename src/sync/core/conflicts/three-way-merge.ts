// The three-way merge of an edit with its record: what the edit was based on, what it sets, and the
// record as it is now. Pure.
import { UNATTEMPTED } from '../arrival/attempt.ts'
import {
  editOf,
  isEditable,
  policyOf,
  type Base,
  type Operation,
  type OperationError,
} from '../operation.ts'
import type { ApiCalls, CallInput, OfflinePolicy } from '../ports.ts'
import type { SentEntry } from '../sent-log.ts'
import { canonical, normalisedForm } from './canonical.ts'
import { isShownLately, laneOf } from './comparable.ts'
import { keptFields } from './kept-fields.ts'

type Fields = Record<string, unknown>

/** A record that an edit is compared with. */
export interface RecordState {
  /** The record as the server has it. */
  theirs: Fields
  /** By field set since the version of the edit's base: who set it last. Undefined if not known. */
  changed_by?: Fields | undefined
  /** Fields whose value in `theirs` the author has chosen to replace. */
  answered?: readonly string[]
}

/** The answer to an edit whose record has changed (412). */
export interface StaleAnswer extends RecordState {
  error: OperationError
}

/**
 * The base of an edit: version and edited fields of `seen`; of a deletion, all fields that others may have
 * changed. Undefined when the call does neither, or `seen` has no version.
 */
export function baseOf(
  policy: OfflinePolicy,
  input: CallInput,
  seen: Fields | undefined,
): Base | undefined {
  if (typeof seen?.version !== 'number') return undefined
  const { version } = seen
  if (policy.deletes) return policy.compared && { version, fields: policy.compared(seen) }
  const edited = policy.edits?.(input)
  if (!edited) return undefined
  const names = Object.keys(edited.fields)
  return { version, fields: Object.fromEntries(names.map((name) => [name, seen[name] ?? null])) }
}

/**
 * The new base of a later edit of the same record once `acknowledged` is: the version of `answer`, if
 * both had the same base version. Then no change by others is between them. Undefined when the base
 * stays as it is. Edits at a server without versions are all based on version 0, whatever was between them.
 */
export function advanceBase(
  acknowledged: Pick<Operation, 'base'>,
  policy: OfflinePolicy,
  answer: Fields,
  later: Base | undefined,
): Base | undefined {
  const version = policy.version?.(answer)
  // Edits of a record that was created on this device are based on version 0.
  const previousVersion = policy.edits ? acknowledged.base?.version || undefined : 0
  if (version === undefined || !later || later.version !== previousVersion) return undefined
  return { ...later, version }
}

/** What happened to a record between the base of an edit and `theirs`. */
export class RecordChange {
  readonly theirs: Fields
  /** The fields that they have set; none when the server does not tell. */
  readonly setByOthers: readonly string[]
  /** In which form values are compared. */
  readonly #form: (value: unknown) => string
  readonly #changedBy: Fields | undefined
  readonly #user_id: string
  /** Values by field, in that form: those that this device sent or will send. */
  readonly #sent = new Map<string, Set<string>>()
  /** Those that it showed: edits (before a deletion, earlier ones) were based on them, or a question presented them. */
  readonly #shown = new Map<string, Set<string>>()
  /** Without those of edits that have arrived, or had an older base: another person may have set them again since. */
  readonly #shownLately = new Map<string, Set<string>>()

  /** `own` are the other operations of this device on the record: queued, rejected and sent. */
  constructor(
    operation: Operation,
    { theirs, changed_by, answered = [] }: RecordState,
    own: readonly (Operation | SentEntry)[],
    calls: ApiCalls,
  ) {
    const { id, lane, seq, user_id } = operation
    const names = Object.keys(editOf(operation, calls)?.fields ?? {})
    const isDeletion = policyOf(calls, operation.endpoint).deletes !== undefined
    this.theirs = theirs
    // A server without versions may clean texts up: its form of an own text is no one else's.
    this.#form = theirs.version === 0 ? normalisedForm : canonical
    this.#user_id = user_id
    this.#changedBy = changed_by
    for (const one of own) {
      // A record of another table may have the same id.
      if (laneOf(one, calls) !== lane) continue
      const policy = calls[one.endpoint]?.offlinePolicy
      const edited = policy?.edits?.(one.input)
      if (edited?.id === theirs.id) this.#addAll(this.#sent, edited?.fields)
      else if (policy?.creates?.(one.input) === theirs.id) {
        const created = (one.input.body ?? {}) as Fields
        this.#addAll(this.#sent, created)
        // A field that it left out was empty. The edit may be based on an own value that was discarded since.
        for (const name of names) if (!(name in created)) this.#addAll(this.#sent, { [name]: null })
      } else continue
      this.#addAll(this.#sent, policy?.implies?.(one.input))
      // The question about a deletion does not show what later edits were based on.
      if (isDeletion && ('seq' in one ? one.seq > seq : one.id > id)) continue
      const shown = 'state' in one ? one.base?.fields : one.beneath
      this.#addAll(this.#shown, shown)
      if (!('state' in one) || isShownLately(one, operation)) this.#addAll(this.#shownLately, shown)
    }
    for (const shown of [this.#shown, this.#shownLately])
      for (const name of answered) this.#addAll(shown, { [name]: theirs[name] })
    const isKnown = (name: string) =>
      [this.#sent, this.#shown].some((values) => values.get(name)?.has(this.#form(theirs[name])))
    this.setByOthers = Object.entries(changed_by ?? {})
      .filter(([name, by]) => by !== user_id || !isKnown(name))
      .map(([name]) => name)
  }

  /** Who set which field, as stored with a question. */
  get authors(): { changed_by?: Fields } {
    return this.#changedBy ? { changed_by: this.#changedBy } : {}
  }

  /** Whether the edit would replace a value of `name` that others have set and its author has not seen. */
  isConflict(operation: Operation, name: string, calls: ApiCalls): boolean {
    const mine = editOf(operation, calls)?.fields[name]
    // JSON omits undefined: the field is not set.
    if (mine === undefined || this.#form(mine) === this.#form(this.theirs[name])) return false
    return operation.base !== undefined && this.#isNews(operation.base, name)
  }

  /** Whether another person or device has set a field to a value that was never in view here. */
  #isNews(base: Base, name: string): boolean {
    const current = this.#form(this.theirs[name])
    if (this.#form(base.fields[name]) === current) return false
    const by = this.#changedBy?.[name]
    const isByAnother = by !== undefined && by !== this.#user_id
    const shown = isByAnother ? this.#shownLately : this.#shown
    if (shown.get(name)?.has(current)) return false
    const own = (base.own?.[name] ?? []).map((value) => this.#form(value))
    // An own value that someone else has set again is theirs.
    if (isByAnother) return true
    if (this.#changedBy && by === undefined) return false
    return !this.#sent.get(name)?.has(current) && !own.includes(current)
  }

  /**
   * The fields of the edit that are in conflict. Of a deletion: what another person has set in the record, and
   * the collections that go with it and have something new.
   */
  conflicts(operation: Operation, calls: ApiCalls): string[] {
    const { base, user_id } = operation
    const { deletes, alsoDeletes = [] } = policyOf(calls, operation.endpoint)
    const names = Object.keys((deletes ? base : editOf(operation, calls))?.fields ?? {})
    if (!deletes || !base) return names.filter((name) => this.isConflict(operation, name, calls))
    const by = this.#changedBy ?? {}
    // A server may leave fields out of its answer that have a default here.
    const comparable = names.filter((name) => name in this.theirs || name in by)
    // What follows from an own change elsewhere is no news either.
    const set = comparable.filter((name) => by[name] !== user_id && this.#isNews(base, name))
    return [...set, ...alsoDeletes.filter((name) => name in by)]
  }

  #addAll(values: Map<string, Set<string>>, fields: unknown): void {
    for (const [name, value] of Object.entries((fields ?? {}) as Fields)) {
      const known = values.get(name) ?? new Set()
      values.set(name, known.add(this.#form(value)))
    }
  }
}

/** What replaces an edit whose record has changed: the part to send, the part that waits, both, or neither. */
interface RebaseResult {
  send?: Operation
  wait?: Operation
}

/**
 * Rebases an edit that the server rejected. Without a conflicting field it is sent on the new base.
 * Conflicting fields become a question, or wait for the open question that already asks about them
 * (`asked`); the rest, for example the note of an update, is sent where the policy can split it off.
 */
export function rebase(
  operation: Operation,
  change: RecordChange,
  asked: ReadonlySet<string> | undefined,
  { calls, error, newId }: { calls: ApiCalls; error: OperationError; newId: () => string },
): RebaseResult {
  const { input } = operation
  const { theirs } = change
  const policy = policyOf(calls, operation.endpoint)
  if (policy.isDone?.(input, theirs)) return {}
  const fields = change.conflicts(operation, calls)
  if (fields.length === 0) {
    const kept = keptFields(operation, theirs, change.setByOthers, calls)
    // Where the server does not say who has set what, the new version may be due to a count.
    const isMerged = change.setByOthers.length > 0 && !policy.deletes
    const merged = isMerged && { merged: true as const, ...kept }
    return { send: { ...operation, base: baseOf(policy, input, theirs), ...merged } }
  }
  const unasked = fields.filter((name) => !asked?.has(name))
  const question = unasked.length > 0 && {
    state: 'attention' as const,
    last_error: error,
    conflict: { fields: unasked, theirs, ...change.authors },
  }
  const rest = policy.omitFields?.(input, fields)
  const split = rest && policy.splitFields?.(input, fields, newId())
  // A 412 is no effect: the key is unused, and the operation can be edited again.
  if (!split) return { wait: { ...operation, ...UNATTEMPTED, ...question } }
  return {
    send: { ...withNewKey(operation, rest, newId()), base: baseOf(policy, rest, theirs) },
    wait: {
      ...withNewKey(operation, split, newId()),
      ...question,
      // Right behind its other part, and before all that was enqueued later.
      seq: operation.seq + 0.5,
      depends_on: [],
    },
  }
}

/**
 * An edit that was never attempted, moved to the version of `theirs`; unchanged when one of its fields is
 * in conflict, or nothing is left of it.
 */
export function rebaseWaiting(
  operation: Operation,
  change: RecordChange,
  calls: ApiCalls,
): Operation {
  const { base, state, attempts } = operation
  const { version } = change.theirs
  const isDone = policyOf(calls, operation.endpoint).isDone?.(operation.input, change.theirs)
  if (isDone || !base || typeof version !== 'number' || base.version >= version) return operation
  if (state !== 'pending' || attempts > 0 || change.conflicts(operation, calls).length > 0)
    return operation
  return { ...operation, base: { ...base, version } }
}

/**
 * The operation after its conflict is resolved, based on the record that was shown with it, without the
 * fields in `dropped`. Undefined when nothing is left to send.
 */
export function resolveConflict(
  operation: Operation,
  dropped: readonly string[],
  calls: ApiCalls,
  newId: () => string,
): Operation | undefined {
  const { conflict, ...rest } = operation
  const { theirs, changed_by = {} } = conflict ?? { theirs: {} }
  const chosen = policyOf(calls, rest.endpoint).chosenOver?.(rest.input, theirs)
  const asked = chosen ? withNewKey(rest, chosen, newId()) : rest
  const left = dropped.length > 0 ? withoutFields(asked, dropped, calls, newId) : asked
  if (!left) return undefined
  const setByOthers = Object.keys(changed_by).filter((name) => changed_by[name] !== left.user_id)
  const policy = policyOf(calls, left.endpoint)
  const base = baseOf(policy, left.input, conflict?.theirs)
  const kept = keptFields(left, theirs, setByOthers, calls)
  const merged = !policy.deletes && { merged: true as const, ...kept }
  return { ...left, base, state: 'pending', not_before: 0, last_error: null, ...merged }
}

/**
 * The operation without those fields, under a new key; undefined when nothing is left to send. One that
 * the server may have already is left as it is.
 */
export function withoutFields(
  operation: Operation,
  names: readonly string[],
  calls: ApiCalls,
  newId: () => string,
): Operation | undefined {
  if (!isEditable(operation)) return operation
  const input = policyOf(calls, operation.endpoint).omitFields?.(operation.input, names)
  return input && withNewKey(operation, input, newId())
}

/** The operation with another input under a new key, in its position: the server has not accepted the old one. */
const withNewKey = (operation: Operation, input: CallInput, id: string): Operation => ({
  ...operation,
  id,
  input,
  ...UNATTEMPTED,
  not_before: 0,
  last_error: null,
})
