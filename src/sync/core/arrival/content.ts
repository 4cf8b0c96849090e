// Whether a record shows what an operation asked for. Servers write values in other forms, and clean texts
// up: compared is what a reader would call the same.
import { isObject } from '../../../../contract/text/json.ts'
import { nestedIds } from '../../../../contract/text/nested-ids.ts'
import { isLongInteger } from '../api/outcome.ts'
import type { CallInput, OfflinePolicy } from '../ports.ts'

type Fields = Record<string, unknown>

/** The entities that servers write in place of characters; those of letters with a mark are composed. */
const ENTITY =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z])(acute|grave|circ|tilde|uml|cedil|ring)|(amp|lt|gt|quot|apos|nbsp|szlig));/gi
const CHARACTERS: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  szlig: 'ß',
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  cedil: '\u0327',
  ring: '\u030a',
}

function characterOf(entity: string, ...[decimal, hex, letter, mark, name]: string[]): string {
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  if (code <= 0x10_ff_ff) return String.fromCodePoint(code)
  const character = CHARACTERS[mark ?? name ?? '']
  return character === undefined ? entity : (letter ?? '') + character
}

/**
 * A text without tags, entities, white space and trailing slash, in one Unicode form. In place of a tag some
 * servers leave a space, and others nothing.
 */
const normalisedText = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(ENTITY, characterOf)
    .replaceAll(/<[^<>]*>/g, '')
    .normalize('NFC')
    .replaceAll(/\s+/g, '')
    .replace(/\/$/, '')

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A value that is no object or array, in the form in which it is compared. */
export function normalised(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string') return value
  // Ids of any length stay as they are; `7.00` and 7 are one number.
  if (NUMBER.test(value) && value.length < 16) return Number(value)
  // Many databases keep seconds.
  if (INSTANT.test(value) && !Number.isNaN(Date.parse(value)))
    return Math.floor(Date.parse(value) / 1_000)
  return normalisedText(value) || null
}

/**
 * Whether `shown` is `asked` in another form: lists in any order. Of objects only the fields in `asked` are
 * compared.
 */
export function isSameValue(asked: unknown, shown: unknown): boolean {
  if (Array.isArray(asked)) {
    const left = Array.isArray(shown) ? [...(shown as unknown[])] : []
    return (
      asked.length === left.length &&
      asked.every((one) => {
        const at = left.findIndex((other) => isSameValue(one, other))
        return at !== -1 && left.splice(at, 1).length === 1
      })
    )
  }
  if (typeof asked === 'object' && asked !== null)
    return (
      isObject(shown) &&
      Object.entries(asked).every(([name, value]) => isSameValue(value, shown[name]))
    )
  return normalised(asked) === normalised(shown)
}

/** The value without the ids of the entries in its lists: a server that makes the ids gives them others. */
export function withoutEntryIds(value: unknown, isEntry = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutEntryIds(one, true))
  if (!isObject(value) || isLongInteger(value)) return value
  const fields = Object.entries(value).filter(([name]) => !isEntry || name !== 'id')
  return Object.fromEntries(fields.map(([name, one]) => [name, withoutEntryIds(one)]))
}

/** Whether the record shows all of `asked`. */
export const showsAll = (asked: Fields, record: Fields): boolean =>
  Object.entries(asked).every(([name, value]) => isSameValue(value, record[name]))

/** The answer's record as the server wrote it, without its envelope, and with the ids of records in it. */
const rawRecord = (raw: unknown): Fields => {
  const body = isObject(raw) ? raw : {}
  const record = isObject(body.data) ? body.data : body
  return { ...record, ...nestedIds(record) }
}

/**
 * What the answer names of the record, with its id: the schema fills in the rest. Whole where it names nothing, as it
 * has another form then. `raw`: the answer's JSON, undefined where it is not known.
 */
export function namedIn(record: Fields, raw: unknown): Fields {
  const named = (value: unknown, written: unknown): unknown =>
    isObject(value) && isObject(written)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, one]) =>
            name in written ? [[name, named(one, written[name])]] : [],
          ),
        )
      : value
  const found = named(record, rawRecord(raw)) as Fields
  return Object.keys(found).length === 0
    ? record
    : { ...found, ...('id' in record && { id: record.id }) }
}

/**
 * Whether the answer says nothing of the words that were sent: some servers answer with the id of the new record
 * alone. `raw`: the answer's JSON, undefined where it is not known.
 */
export function isSilent(words: Fields, raw: unknown): boolean {
  const returned = rawRecord(raw)
  return (
    raw !== undefined &&
    Object.entries(words).some(([name, text]) => normalised(text) !== null && !(name in returned))
  )
}

/**
 * The fields of `asked` that the record does not show: `lost` are those that it shows otherwise, or that are
 * in `mustShow`; `absent` those that it has not at all. Those in `mayDiffer` are lost only where they are absent.
 * `raw`: the answer's JSON; without it `names` are the fields that the server returns. Without these a field that is
 * empty may be absent, and is in neither.
 */
export function lostFields(
  asked: Fields,
  record: Fields,
  {
    mustShow = [],
    mayDiffer = [],
    raw,
    names = [],
  }: Pick<OfflinePolicy<unknown>, 'mustShow' | 'mayDiffer'> & {
    raw?: unknown
    names?: readonly string[]
  },
): { lost: string[]; absent: string[] } {
  const returned = raw === undefined ? names : Object.keys(rawRecord(raw))
  const isKnown = raw !== undefined || names.length > 0
  const differing = Object.entries(asked)
    .filter(
      ([name, value]) =>
        value !== undefined &&
        !isSameValue(value, record[name]) &&
        // It waits on the server, for a review for example.
        !(name === 'status' && record[name] === 'pending'),
    )
    .map(([name]) => name)
  const isShown = (name: string) =>
    mustShow.includes(name) || (isKnown ? returned.includes(name) : (record[name] ?? null) !== null)
  return {
    lost: differing.filter((name) => isShown(name) && !mayDiffer.includes(name)),
    absent: isKnown ? differing.filter((name) => !isShown(name)) : [],
  }
}

/** The same plain data with each string of `ids` replaced; the very same value where none occurs. */
export function replaceIds<T>(value: T, ids: ReadonlyMap<string, string>): T {
  if (typeof value === 'string') return (ids.get(value) ?? value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map((one) => replaceIds(one, ids))
    return items.some((one, at) => one !== (value as unknown[])[at]) ? (items as T) : value
  }
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [
    name,
    replaceIds(one as unknown, ids),
  ])
  const isChanged = entries.some(([name, one]) => one !== (value as Fields)[name])
  return isChanged ? (Object.fromEntries(entries) as T) : value
}

/** The input of a create, with another id for the record. */
export const withId = (input: CallInput, id: string): CallInput => ({
  ...input,
  body: { ...(input.body as Fields), id },
})

/** The input of a create as it is sent to a server that makes the ids itself. */
export function withoutOwnId(input: CallInput, id: unknown): CallInput {
  const { id: own, ...body } = (input.body ?? {}) as Fields
  return own === id ? { ...input, body: withoutEntryIds(body) } : input
}
