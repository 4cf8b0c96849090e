// An edit remembers what it was based on. When the record has moved on since, the two are merged over
// that base: changes of different fields stand side by side, and only a field that both changed to
// different values is a question.
import type { Base, Operation, OperationError } from './operation.ts'
import type { CallInput, OfflinePolicy } from './ports.ts'

type Fields = Record<string, unknown>

/** What the author saw of the fields that `input` sets; undefined where nothing could be compared. */
export function baseOf(
  queueing: OfflinePolicy,
  input: CallInput,
  seen: Fields | undefined,
): Base | undefined {
  const edited = queueing.edits?.(input)
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
  queueing: OfflinePolicy,
  answer: Fields,
  later: Base | undefined,
): Base | undefined {
  const version = queueing.version?.(answer)
  // What is said of a record that was made on this device is based on version 0 of it.
  const previousVersion = queueing.edits ? base?.version : 0
  if (version === undefined || !later || later.version !== previousVersion) return undefined
  const { fields = {} } = queueing.edits?.(input) ?? {}
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
export interface RebaseResult {
  send?: Operation
  conflict?: Operation
}

/**
 * The edit met `theirs`, the record as it is now. Where nothing clashes it goes out over that record.
 * What clashes is a question; what was said beside it, the note of an update say, does not wait for
 * the answer where it can go alone. Undefined where nothing can be compared.
 */
export function rebase(
  operation: Operation,
  queueing: OfflinePolicy,
  theirs: Fields,
  { last_error, newId }: { last_error: OperationError; newId: () => string },
): RebaseResult | undefined {
  const { base, input } = operation
  const edited = queueing.edits?.(input)
  if (!base || !edited || theirs.id !== edited.id) return undefined
  // A record that did not move cannot be why the edit was refused.
  if (typeof theirs.version !== 'number' || theirs.version === base.version) return undefined
  const fields = conflictingFields(base, edited.fields, theirs)
  if (fields.length === 0)
    return { send: { ...operation, base: baseOf(queueing, input, theirs), merged: true } }
  const rejected = { state: 'attention', last_error, conflict: { fields, theirs } } as const
  const rest = queueing.omitFields?.(input, fields)
  const split = rest && queueing.splitFields?.(input, fields, newId())
  if (!split) return { conflict: { ...operation, ...rejected } }
  return {
    send: { ...withNewKey(operation, rest, newId()), base: baseOf(queueing, rest, theirs) },
    conflict: { ...withNewKey(operation, split, newId()), ...rejected, depends_on: [] },
  }
}

/**
 * The question is answered: the fields in `keep` are said all the same, over the record that was
 * shown, and the others are given up. Undefined when nothing is left to say.
 */
export function resolveConflict(
  operation: Operation,
  queueing: OfflinePolicy,
  keptFields: readonly string[],
  newId: () => string,
): Operation | undefined {
  const { conflict, ...rest } = operation
  if (!conflict) return operation
  const dropped = conflict.fields.filter((name) => !keptFields.includes(name))
  const input =
    dropped.length > 0 ? queueing.omitFields?.(operation.input, dropped) : operation.input
  if (!input) return undefined
  const resolved = dropped.length > 0 ? withNewKey(rest, input, newId()) : rest
  const base = baseOf(queueing, input, conflict.theirs)
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
