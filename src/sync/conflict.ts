// An edit remembers what it was based on. When the record has moved on since, the two are merged over
// that base: changes of different fields stand side by side, and only a field that both changed to
// different values is a question.
import type { Operation, OperationError } from './operation.ts'
import type { CallInput, Queueing } from './ports.ts'

type Fields = Record<string, unknown>

/** What the author of an edit saw: the record's version, and the fields that the edit sets. */
export interface Base {
  version: number
  fields: Fields
}

/** A question: these fields were set by others as well, and this is the record as it is now. */
export interface Conflict {
  fields: string[]
  theirs: Fields
}

/** What the author saw of the fields that `input` sets; undefined where nothing could be compared. */
export function baseOf(
  queueing: Queueing,
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
export function movedBase(
  { base, input }: Pick<Operation, 'base' | 'input'>,
  queueing: Queueing,
  answer: Fields,
  later: Base | undefined,
): Base | undefined {
  const version = queueing.version?.(answer)
  // What is said of a record that was made on this device is based on version 0 of it.
  const from = queueing.edits ? base?.version : 0
  if (version === undefined || !later || later.version !== from) return undefined
  const { fields = {} } = queueing.edits?.(input) ?? {}
  const seen = Object.keys(later.fields).every(
    (name) => fields[name] === undefined || wordsOf(fields[name]) === wordsOf(later.fields[name]),
  )
  return seen ? { ...later, version } : undefined
}

/**
 * The names of the fields that both sides changed, to different values. Empty when the edit can be
 * applied to `theirs` without undoing anything that its author had not seen.
 */
function clashes(base: Base, mine: Fields, theirs: Fields): string[] {
  return Object.keys(mine).filter((name) => {
    // What JSON leaves out is not said.
    if (mine[name] === undefined) return false
    const now = wordsOf(theirs[name])
    return now !== wordsOf(mine[name]) && now !== wordsOf(base.fields[name])
  })
}

/** Values as they compare: servers trim texts, and leave out what is empty. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.trim())
  if (Array.isArray(value)) return `[${value.map(wordsOf).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const entries = Object.entries(value).filter(([, inner]) => (inner ?? null) !== null)
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${wordsOf(inner)}`)
    .join()}}`
}

/** What takes the place of an edit whose record had moved on: what goes out, and what is asked. */
export interface Met {
  goes?: Operation
  asks?: Operation
}

/**
 * The edit met `theirs`, the record as it is now. Where nothing clashes it goes out over that record.
 * What clashes is a question; what was said beside it, the note of an update say, does not wait for
 * the answer where it can go alone. Undefined where nothing can be compared.
 */
export function meet(
  operation: Operation,
  queueing: Queueing,
  theirs: Fields,
  { last_error, newId }: { last_error: OperationError; newId: () => string },
): Met | undefined {
  const { base, input } = operation
  const edited = queueing.edits?.(input)
  if (!base || !edited || theirs.id !== edited.id) return undefined
  // A record that did not move cannot be why the edit was refused.
  if (typeof theirs.version !== 'number' || theirs.version === base.version) return undefined
  const fields = clashes(base, edited.fields, theirs)
  if (fields.length === 0)
    return { goes: { ...operation, base: baseOf(queueing, input, theirs), merged: true } }
  const asked = { state: 'attention', last_error, conflict: { fields, theirs } } as const
  const rest = queueing.without?.(input, fields)
  const alone = rest && queueing.alone?.(input, fields, newId())
  if (!alone) return { asks: { ...operation, ...asked } }
  return {
    goes: { ...saidAnew(operation, rest, newId()), base: baseOf(queueing, rest, theirs) },
    asks: { ...saidAnew(operation, alone, newId()), ...asked, depends_on: [] },
  }
}

/**
 * The question is answered: the fields in `keep` are said all the same, over the record that was
 * shown, and the others are given up. Undefined when nothing is left to say.
 */
export function answered(
  operation: Operation,
  queueing: Queueing,
  keep: readonly string[],
  newId: () => string,
): Operation | undefined {
  const { conflict, ...rest } = operation
  if (!conflict) return operation
  const given = conflict.fields.filter((name) => !keep.includes(name))
  const input = given.length > 0 ? queueing.without?.(operation.input, given) : operation.input
  if (!input) return undefined
  const said = given.length > 0 ? saidAnew(rest, input, newId()) : rest
  const base = baseOf(queueing, input, conflict.theirs)
  return { ...said, base, state: 'pending', not_before: 0, last_error: null, merged: true }
}

/** Other words under a key of their own, in the same place: the server cannot have taken the old ones. */
const saidAnew = (operation: Operation, input: CallInput, id: string): Operation => ({
  ...operation,
  id,
  input,
  attempts: 0,
  not_before: 0,
  last_error: null,
})
