// Conflicts: an edit stores the version and the fields that it was based on. When the record has a newer
// version by the time the edit arrives, the two are merged per field (three-way). Only a field that both
// sides changed to different values is a conflict, and waits for its author.
import {
  nextValue,
  OPERATION_SEQUENCE,
  policyOf,
  upcast,
  type Base,
  type Operation,
  type OperationError,
} from './operation.ts'
import type { CallInput, OfflinePolicy, Ports, Transaction } from './ports.ts'

/** Rebases stored operations and resolves their conflicts. All methods reject when storage fails. */
export class Conflicts {
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /**
   * Handles an edit that the server rejected because its record is `theirs` now (412): replaces it by its rebased
   * form, a conflict or both. Without anything to compare, the operation is marked as rejected.
   */
  rebase(id: string, theirs: Record<string, unknown>, last_error: OperationError): Promise<void> {
    return this.#writeStrict(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (operation?.state !== 'pending') return
      const policy = policyOf(this.#ports.calls, operation.endpoint)
      const newId = () => this.#ports.random.id()
      const { send, conflict } = rebase(operation, policy, theirs, { last_error, newId }) ?? {
        conflict: { ...operation, state: 'attention', last_error },
      }
      if (send?.id !== id && conflict?.id !== id) tx.delete('operations', id)
      if (send) tx.put('operations', send.id, send)
      // When there are two, the conflict gets a position of its own.
      if (conflict)
        tx.put(
          'operations',
          conflict.id,
          send ? { ...conflict, seq: await nextValue(tx, OPERATION_SEQUENCE) } : conflict,
        )
    })
  }

  /**
   * Resolves a conflict: of its fields, those in `keptFields` keep the author's value, the others the server's.
   * Resolves to the operation that is left to send; undefined when nothing is, or there was no conflict.
   */
  resolve(id: string, keptFields: readonly string[]): Promise<Operation | undefined> {
    return this.#writeStrict(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (!operation?.conflict) return undefined
      const policy = policyOf(this.#ports.calls, operation.endpoint)
      const resolved = resolveConflict(operation, policy, keptFields, () => this.#ports.random.id())
      if (resolved?.id !== id) tx.delete('operations', id)
      if (resolved) tx.put('operations', resolved.id, resolved)
      return resolved
    })
  }

  /** Flushed to disk: the base version of the next attempt must survive a crash. */
  #writeStrict<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#ports.store.transact(['operations'], 'strict', work)
  }
}

type Fields = Record<string, unknown>

/**
 * The base of an edit: version and edited fields of `seen`. Undefined when the call edits no record, or `seen`
 * has no version.
 */
export function baseOf(
  policy: OfflinePolicy,
  input: CallInput,
  seen: Fields | undefined,
): Base | undefined {
  const edited = policy.edits?.(input)
  if (!edited || typeof seen?.version !== 'number') return undefined
  const names = Object.keys(edited.fields)
  return {
    version: seen.version,
    fields: Object.fromEntries(names.map((name) => [name, seen[name] ?? null])),
  }
}

/**
 * The new base of a later edit once the first operation of its lane is acknowledged: the version of `answer`, if
 * both had the same base version and the author of the later edit saw the first one applied. Then no change by
 * others is between them. Undefined when the base stays as it is.
 */
export function advanceBase(
  { base, input }: Pick<Operation, 'base' | 'input'>,
  policy: OfflinePolicy,
  answer: Fields,
  later: Base | undefined,
): Base | undefined {
  const version = policy.version?.(answer)
  // Edits of a record that was created on this device are based on version 0.
  const previousVersion = policy.edits ? base?.version : 0
  if (version === undefined || !later || later.version !== previousVersion) return undefined
  const { fields = {} } = policy.edits?.(input) ?? {}
  const wasApplied = Object.keys(later.fields).every(
    (name) =>
      fields[name] === undefined || canonical(fields[name]) === canonical(later.fields[name]),
  )
  return wasApplied ? { ...later, version } : undefined
}

/**
 * The names of the fields that both sides changed, to different values. Empty when the edit can be
 * applied to `theirs` without undoing anything that its author had not seen.
 */
function conflictingFields(base: Base, mine: Fields, theirs: Fields): string[] {
  return Object.keys(mine).filter((name) => {
    // JSON omits undefined: the field is not set.
    if (mine[name] === undefined) return false
    const current = canonical(theirs[name])
    return current !== canonical(mine[name]) && current !== canonical(base.fields[name])
  })
}

/** Canonical JSON for comparison: the server trims texts and omits empty fields. */
function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.trim())
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const entries = Object.entries(value).filter(([, inner]) => (inner ?? null) !== null)
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
    .join()}}`
}

/** What replaces an edit whose record has changed: the part to send, the part in conflict, or both. */
interface RebaseResult {
  send?: Operation
  conflict?: Operation
}

/**
 * Rebases an edit on `theirs`, the record as it is now. Without a conflicting field it is sent on the new base.
 * Conflicting fields wait for their author; the rest, for example the note of an update, is sent where the policy
 * can split it off. Undefined when there is nothing to compare.
 */
function rebase(
  operation: Operation,
  policy: OfflinePolicy,
  theirs: Fields,
  { last_error, newId }: { last_error: OperationError; newId: () => string },
): RebaseResult | undefined {
  const { base, input } = operation
  const edited = policy.edits?.(input)
  if (!base || !edited || theirs.id !== edited.id) return undefined
  // With an unchanged record the rejection has another reason.
  if (typeof theirs.version !== 'number' || theirs.version === base.version) return undefined
  const fields = conflictingFields(base, edited.fields, theirs)
  if (fields.length === 0)
    return { send: { ...operation, base: baseOf(policy, input, theirs), merged: true } }
  const rejected = { state: 'attention', last_error, conflict: { fields, theirs } } as const
  const rest = policy.omitFields?.(input, fields)
  const split = rest && policy.splitFields?.(input, fields, newId())
  if (!split) return { conflict: { ...operation, ...rejected } }
  return {
    send: { ...withNewKey(operation, rest, newId()), base: baseOf(policy, rest, theirs) },
    conflict: { ...withNewKey(operation, split, newId()), ...rejected, depends_on: [] },
  }
}

/**
 * The operation after its conflict is resolved, based on the record that was shown with it. Fields that are not in
 * `keptFields` are dropped. Undefined when nothing is left to send.
 */
function resolveConflict(
  operation: Operation,
  policy: OfflinePolicy,
  keptFields: readonly string[],
  newId: () => string,
): Operation | undefined {
  const { conflict, ...rest } = operation
  if (!conflict) return operation
  const dropped = conflict.fields.filter((name) => !keptFields.includes(name))
  const input = dropped.length > 0 ? policy.omitFields?.(operation.input, dropped) : operation.input
  if (!input) return undefined
  const resolved = dropped.length > 0 ? withNewKey(rest, input, newId()) : rest
  const base = baseOf(policy, input, conflict.theirs)
  return { ...resolved, base, state: 'pending', not_before: 0, last_error: null, merged: true }
}

/** The operation with another input under a new key, in its position: the server has not accepted the old one. */
const withNewKey = (operation: Operation, input: CallInput, id: string): Operation => ({
  ...operation,
  id,
  input,
  attempts: 0,
  not_before: 0,
  last_error: null,
})
