// Reads answers of other servers record by record: a value in another form is converted, and one that
// cannot be read never costs more than its record. Answers in the contract's own form take the short way.
import { UNKNOWN_TIME } from '../values.ts'
import { isObject } from '../text/json.ts'
import * as v from 'valibot'

/** Why a value could not be read; the words for it are in the app's messages. */
export type UnreadReason = 'missing' | 'date' | 'number' | 'text' | 'yes-or-no' | 'list' | 'record'

/** A value that could not be read. */
export interface UnreadValue {
  /** The collection of its record; empty where the call has none. */
  collection: string
  /** The record's id; null where it could not be read either. */
  id: string | null
  /** The field, or a path such as `contacts.0.email`; empty when it is no record at all. */
  path: string
  reason: UnreadReason
  /** The type of the value that was received. */
  type: string
  /** What is left out: the field, or the entry of its list, or the whole record when it needs the field. */
  leftOut: 'field' | 'record'
}

export type ReadResult =
  | { ok: true; value: unknown; unread?: readonly UnreadValue[] | undefined }
  | { ok: false }

type Container = Record<string | number, unknown>
interface PathItem {
  input: Container
  key: string | number
}

/**
 * Parses `json`. Its records are `depth` levels deep: 0 when it is one itself, 1 for a list, 3 for the
 * lists of a change feed. `collection` names them where the path does not. `ok: false` when it is
 * unreadable above its records, or is a single record without a field that it needs.
 */
export function readRecords(
  schema: v.GenericSchema,
  json: unknown,
  depth: number,
  collection = '',
): ReadResult {
  const plain = v.safeParse(schema, json)
  if (plain.success) return { ok: true, value: plain.output }
  if (typeof json !== 'object' || json === null) return { ok: false }
  const copy = JSON.parse(JSON.stringify(json)) as unknown
  const repair = new Repair(depth, collection)
  for (;;) {
    const parsed = v.safeParse(schema, copy)
    if (parsed.success) return { ok: true, value: parsed.output, unread: repair.unread() }
    // Each round converts, leaves out a field or leaves out a record for each issue, so it ends.
    if (!repair.apply(parsed.issues)) return { ok: false }
  }
}

type Step = 'converted' | 'field left out'

class Repair {
  readonly #depth: number
  readonly #collection: string
  readonly #steps = new Map<Container, Map<string | number, Step>>()
  readonly #unread = new Map<Container, Map<string, UnreadValue>>()
  readonly #notRecords: UnreadValue[] = []

  constructor(depth: number, collection: string) {
    this.#depth = depth
    this.#collection = collection
  }

  /** Undefined when everything could be converted. */
  unread(): UnreadValue[] | undefined {
    const all = [...this.#unread.values()].flatMap((fields) => [...fields.values()])
    return all.length + this.#notRecords.length > 0 ? [...all, ...this.#notRecords] : undefined
  }

  /** Changes the values with issues; false when that is not possible. */
  apply(issues: readonly v.BaseIssue<unknown>[]): boolean {
    const unreadable = new Map<Container, Set<number>>()
    for (const issue of issues) {
      const path = (issue.path ?? []) as unknown as PathItem[]
      const field = path[this.#depth]
      const owner = path[this.#depth - 1]
      if (!field && !owner) return false
      if (path.length < this.#depth) return false
      const lost = field ? this.#repairField(path, field, issue) : this.#isNoRecord(path, issue)
      if (!lost) continue
      const from = lost === true ? owner : lost
      if (!from) return false
      const indices = unreadable.get(from.input) ?? new Set()
      unreadable.set(from.input, indices.add(Number(from.key)))
    }
    for (const [list, lost] of unreadable)
      if (Array.isArray(list))
        for (const index of [...lost].toSorted((a, b) => b - a)) list.splice(index, 1)
    return true
  }

  /** True when the record has to be left out; the entry of a list in it when that is enough. */
  #repairField(path: PathItem[], field: PathItem, issue: v.BaseIssue<unknown>): boolean | PathItem {
    const last = path.at(-1) ?? field
    // Of a value in a field that this round has left out already.
    if (last !== field && !(field.key in field.input)) return false
    const entry = path.findLast(({ input }, at) => at > this.#depth && Array.isArray(input))
    if (this.#stepOf(last) === undefined) {
      this.#setStep(last, 'converted')
      const isOfContact = field.key === 'contacts' && last.key === 'id'
      const converted =
        entry && isOfContact && (issue.input ?? null) === null
          ? { value: impliedId(Object.values(entry.input), Number(entry.key)) }
          : convert(last, issue)
      if (converted) {
        last.input[last.key] = converted.value
        return false
      }
    }
    const isFirst = this.#stepOf(field) !== 'field left out'
    const isTime = field.key === 'written_at'
    this.#note(path, field, issue, entry || isFirst || isTime ? 'field' : 'record')
    if (entry) return entry
    if (!isFirst && !isTime) return true
    this.#setStep(field, 'field left out')
    // A text without its time is worth more than none.
    if (isTime) field.input[field.key] = isFirst ? creationOf(field.input) : UNKNOWN_TIME
    else delete field.input[field.key]
    return false
  }

  #stepOf({ input, key }: PathItem): Step | undefined {
    return this.#steps.get(input)?.get(key)
  }

  #setStep({ input, key }: PathItem, step: Step): void {
    const steps = this.#steps.get(input) ?? new Map<string | number, Step>()
    this.#steps.set(input, steps.set(key, step))
  }

  #isNoRecord(path: PathItem[], issue: v.BaseIssue<unknown>): boolean {
    this.#notRecords.push({
      collection: this.#collectionOf(path),
      id: null,
      path: '',
      reason: 'record',
      type: typeOf(issue.input),
      leftOut: 'record',
    })
    return true
  }

  #note(
    path: PathItem[],
    { input: record, key }: PathItem,
    issue: v.BaseIssue<unknown>,
    leftOut: UnreadValue['leftOut'],
  ): void {
    const fields = this.#unread.get(record) ?? new Map<string, UnreadValue>()
    this.#unread.set(record, fields)
    const known = fields.get(String(key))
    if (known) known.leftOut = leftOut
    else
      fields.set(String(key), {
        collection: this.#collectionOf(path),
        id: idOf(record),
        path: path
          .slice(this.#depth)
          .map((item) => item.key)
          .join('.'),
        reason: reasonOf(path.at(-1)?.key ?? key, issue),
        type: typeOf(issue.input),
        leftOut,
      })
  }

  #collectionOf(path: PathItem[]): string {
    return this.#depth > 1 ? String(path[this.#depth - 2]?.key) : this.#collection
  }
}

/**
 * The id for a contact without one. It is made of the name, so that it stays the same when other contacts are removed,
 * or other fields are changed. `at`: its place among the contacts of the account.
 */
export function impliedId(contacts: readonly unknown[], at: number): string {
  const names = contacts.map((one) => JSON.stringify(isObject(one) && one.name))
  return `${names.slice(0, at).filter((name) => name === names[at]).length}${names[at]}`
}

const idOf = ({ id }: Container): string | null =>
  typeof id === 'string' || typeof id === 'number' ? String(id) : null

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const NUMERIC = /^\s*[+-]?\d+(?:\.\d+)?\s*$/
const TRUE = [1, '1', 'true']
const FALSE = [0, '0', 'false', '']

/** The value in the expected form; undefined when it is not one in another form. */
function convert(
  { input: container, key }: PathItem,
  { input, expected }: v.BaseIssue<unknown>,
): { value: unknown } | undefined {
  // A server that does not store when something was written has stored when it was created.
  if (key === 'written_at' && (input === undefined || input === null))
    return { value: creationOf(container) }
  // The default of the field applies, where it has one. Forms on the other side leave empty texts.
  if (input === null || (input === '' && expected !== 'boolean')) return { value: undefined }
  const isText = typeof input === 'string'
  if (expected === 'number' && isText && NUMERIC.test(input)) return { value: Number(input) }
  if (expected === 'boolean' && TRUE.some((one) => one === input)) return { value: true }
  if (expected === 'boolean' && FALSE.some((one) => one === input)) return { value: false }
  if (typeof input === 'number' && isDateField(key)) return { value: instantOf(input) }
  if (expected === 'string' && typeof input === 'number') return { value: String(input) }
  // PHP writes an empty map as a list, and a list with gaps as a map.
  if (expected === 'Object' && Array.isArray(input) && input.length === 0) return { value: {} }
  if (expected === 'Array' && typeof input === 'object' && !Array.isArray(input))
    return { value: Object.values(input) }
  if (isText && /^\d{8}$/.test(input) && isDateField(key))
    return { value: input.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') }
  return undefined
}

/** When the record was created, which may not be readable either. */
const creationOf = ({ created_at }: Container): unknown =>
  typeof created_at === 'number' ? instantOf(created_at) : created_at

/**
 * A number as a day (its digits are `YYYYMMDD`) or an instant (seconds or milliseconds since 1970); unchanged when it
 * is out of range.
 */
function instantOf(time: number): unknown {
  const [, ...day] = /^([12]\d{3})([01]\d)([0-3]\d)$/.exec(String(time)) ?? []
  if (day.length > 0 && !Number.isNaN(Date.parse(day.join('-')))) return day.join('-')
  const date = new Date(Math.abs(time) < 1e11 ? time * 1_000 : time)
  return Number.isNaN(date.getTime()) ? time : date.toISOString()
}

const isDateField = (key: string | number) => /_(?:date|at)$/.test(String(key))

const REASONS: Record<string, UnreadReason> = {
  number: 'number',
  string: 'text',
  boolean: 'yes-or-no',
  Array: 'list',
  Object: 'record',
}

function reasonOf(key: string | number, { input, expected }: v.BaseIssue<unknown>): UnreadReason {
  if (input === undefined || input === null) return 'missing'
  if (isDateField(key)) return 'date'
  return REASONS[expected ?? ''] ?? 'text'
}
