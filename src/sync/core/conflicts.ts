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
      const { send, conflict } = rebase(
        operation,
        policyOf(this.#ports.calls, operation.endpoint),
        theirs,
        {
          last_error,
          newId: () => this.#ports.random.id(),
        },
      ) ?? { conflict: { ...operation, state: 'attention', last_error } }
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
      const resolved = resolveConflict(
        operation,
        policyOf(this.#ports.calls, operation.endpoint),
        keptFields,
        () => this.#ports.random.id(),
      )
      if (resolved?.id !== id) tx.delete('operations', id)
      if (resolved) tx.put('operations', resolved.id, resolved)
      return resolved
    })
  }

  /** Flushed: under which version the server gets it next must not be forgotten. */
  #writeStrict<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#ports.store.transact(['operations'], 'strict', work)
  }
}

type Fields = Record<string, unknown>

/** What the author saw of the fields that `input` sets; undefined where nothing could be compared. */
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
 * The version of the record that `later` is based on now, after the answer to an operation of the same
 * lane: the answer's, if both were said of the same version, and the later one with what the first
 * says before its author's eyes. Nobody else came between, then. Undefined where it stays as it is.
 */
export function advanceBase(
  { base, input }: Pick<Operation, 'base' | 'input'>,
  policy: OfflinePolicy,
  answer: Fields,
  later: Base | undefined,
): Base | undefined {
  const version = policy.version?.(answer)
  // What is said of a record that was made on this device is based on version 0 of it.
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
    // What JSON leaves out is not said.
    if (mine[name] === undefined) return false
    const current = canonical(theirs[name])
    return current !== canonical(mine[name]) && current !== canonical(base.fields[name])
  })
}

/** Values as they compare: servers trim texts, and leave out what is empty. */
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

/** What takes the place of an edit whose record had moved on: what goes out, and what is asked. */
interface RebaseResult {
  send?: Operation
  conflict?: Operation
}

/**
 * The edit met `theirs`, the record as it is now. Where nothing clashes it goes out over that record.
 * What clashes is a question; what was said beside it, the note of an update say, does not wait for
 * the answer where it can go alone. Undefined where nothing can be compared.
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
  // A record that did not move cannot be why the edit was refused.
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
 * The question is answered: the fields in `keep` are said all the same, over the record that was
 * shown, and the others are given up. Undefined when nothing is left to say.
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

/** Other words under a key of their own, in the same place: the server cannot have taken the old ones. */
const withNewKey = (operation: Operation, input: CallInput, id: string): Operation => ({
  ...operation,
  id,
  input,
  attempts: 0,
  not_before: 0,
  last_error: null,
})
