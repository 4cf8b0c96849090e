// Maps the rows of a file to known columns.
import type { FieldErrors } from '../../../contract/errors.ts'
import { importMessages as messages } from './messages.ts'

/** A column: its heading in exports, and headings other programs use. */
export interface Column {
  title: string
  /** The field of the record that it sets, where it has another name. */
  field?: string
  /** Rows are told apart by it, also where the server does not keep its field. */
  tellsApart?: true
  also?: readonly string[]
}
/** The known columns by the name of their field. */
export type Columns<Name extends string> = Readonly<Record<Name, Column>>

/** The rows of a file by column name. */
export interface Table<Name extends string> {
  /** Rows with their spreadsheet row number; empty cells are omitted. */
  rows: { number: number; cells: Partial<Record<Name, string>> }[]
  /** Unknown headings. */
  ignored: string[]
}

/** The columns whose fields the server keeps, and the `required` one. */
export function keptColumns<Name extends string>(
  columns: Columns<Name>,
  keeps: (field: string) => boolean,
  required: Name,
): Columns<Name> {
  const kept = (Object.entries(columns) as [Name, Column][]).filter(
    ([name, { field = name, tellsApart }]) => name === required || tellsApart || keeps(field),
  )
  // Those that are left out are not found in a file, as if they did not exist.
  return Object.fromEntries(kept) as Columns<Name>
}

/** The titles of those columns that are read from the file, and whose fields the server does not keep. */
export const lostColumns = <Name extends string>(
  columns: Columns<Name>,
  keeps: (field: string) => boolean,
  heading: readonly (Name | undefined)[],
): string[] =>
  heading.flatMap((name) =>
    name && columns[name].tellsApart && !keeps(name) ? [columns[name].title] : [],
  )

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The column that each heading of a file means, by its words; undefined for an unknown one. */
export function guessColumns<Name extends string>(
  head: readonly string[],
  columns: Columns<Name>,
): (Name | undefined)[] {
  const names = new Map<string, Name>()
  for (const name of Object.keys(columns) as Name[]) {
    const { title, also = [] } = columns[name]
    for (const alias of [name, title, ...also]) names.set(plain(alias), name)
  }
  return head.map((cell) => names.get(plain(cell)))
}

/** The index of the row of headings: the first with text, as programs write empty lines above a table. */
export const headingAt = (rows: readonly string[][]): number =>
  Math.max(
    0,
    rows.findIndex((row) => row.some((cell) => cell.trim() !== '')),
  )

/**
 * Reads the table below its row of headings, each as the column in `heading`; undefined if the
 * `required` column is missing.
 */
export function readTable<Name extends string>(
  rows: readonly string[][],
  columns: Columns<Name>,
  required: Name,
  heading: readonly (Name | undefined)[] = guessColumns(rows[headingAt(rows)] ?? [], columns),
): Table<Name> | undefined {
  const at = headingAt(rows)
  const [head = [], ...body] = rows.slice(at)
  if (!heading.includes(required)) return undefined
  return {
    rows: body.flatMap((row, index) => {
      const cells: Partial<Record<Name, string>> = {}
      for (const [column, name] of heading.entries()) {
        const cell = row[column]?.trim()
        // If several columns map to one name, the first non-empty cell counts.
        if (name !== undefined && cell) cells[name] ??= cell
      }
      return Object.keys(cells).length === 0 ? [] : [{ number: at + index + 2, cells }]
    }),
    ignored: head.filter((cell, index) => heading[index] === undefined && cell.trim() !== ''),
  }
}

/** One row of the file: the draft, or why there is none. */
export interface ImportRow<Draft> {
  /** Row number in the spreadsheet. */
  number: number
  title: string
  /** Shown next to the title in the preview. */
  detail: string
  /** Present if the row is valid. */
  draft?: Draft
  /** The record already exists, or appears earlier in this file. */
  known?: true
  errors?: FieldErrors
}

/** The row in which a file ends, with fewer cells than all others. */
export interface CutOffRow {
  number: number
  cells: number
  /** The number of cells of the headings. */
  all: number
}

/** The last row, if it has fewer cells than each row before it. */
export function shortestLastRow(rows: readonly string[][]): CutOffRow | undefined {
  const [head = [], ...body] = rows.slice(headingAt(rows)).filter((row) => row.some(Boolean))
  const cells = body.at(-1)?.length ?? head.length
  const isShortest = [head, ...body.slice(0, -1)].every((row) => row.length > cells)
  return isShortest ? { number: rows.length, cells, all: head.length } : undefined
}

/** The rows, with an error instead of the draft where the file is damaged: at letters and at its end. */
export function withDamage<Name extends string, Draft>(
  rows: readonly ImportRow<Draft>[],
  table: Table<Name>,
  required: Name,
  cutOff: CutOffRow | undefined,
): ImportRow<Draft>[] {
  const damage = new Map(
    table.rows.map(({ number, cells }) => {
      const damaged = Object.entries<string | undefined>(cells).filter(([, cell]) =>
        cell?.includes(REPLACEMENT),
      )
      const errors: FieldErrors = Object.fromEntries(
        damaged.map(([name]) => [name, [messages.damagedLetter]]),
      )
      if (number === cutOff?.number) errors[required] = [messages.cutOff(cutOff.cells, cutOff.all)]
      return [number, errors]
    }),
  )
  return rows.map((row) => {
    const { number, title, detail, known } = row
    const errors = damage.get(number) ?? {}
    if (known || Object.keys(errors).length === 0) return row
    return { number, title, detail, errors: { ...row.errors, ...errors } }
  })
}

/** What a decoder writes for bytes that are no letter. */
const REPLACEMENT = '\u{FFFD}'

/** Counts rows that are ready, invalid, or already exist. */
export function countRows(rows: readonly ImportRow<unknown>[]) {
  const ready = rows.filter(({ draft }) => draft !== undefined).length
  const known = rows.filter(({ known }) => known).length
  return { ready, known, wrong: rows.length - ready - known }
}

/**
 * Keeps at most `room` drafts; further rows get `error.message` at `error.field`. Rows for which `counts`
 * is false do not use up room.
 */
export function withinLimit<Draft>(
  rows: readonly ImportRow<Draft>[],
  room: number,
  error: { field: string; message: string },
  counts: (draft: Draft) => boolean = () => true,
): ImportRow<Draft>[] {
  let left = room
  return rows.map((row) => {
    const { draft, ...rest } = row
    if (draft === undefined || !counts(draft)) return row
    left--
    return left < 0 ? { ...rest, errors: { [error.field]: [error.message] } } : row
  })
}

/** Finds the record that a cell names, ignoring case: the record, undefined, or `several`. */
export function findByName<Record>(
  records: readonly Record[],
  namesOf: (record: Record) => readonly (string | null | undefined)[],
  cell: string,
): Record | undefined | 'several' {
  const sought = normalizeName(cell)
  const found = records.filter((record) =>
    namesOf(record).some((name) => name && normalizeName(name) === sought),
  )
  return found.length > 1 ? 'several' : found[0]
}

/** Why a cell names no record. Only a device with all records (`isWhole`) can `claim` that there is none. */
export const notFound = (claim: (name: string) => string, name: string, isWhole: boolean): string =>
  (isWhole ? claim : messages.notDownloaded)(name)

/** Names that compare equal for an import: trimmed, without repeated white space, in lower case. */
export const normalizeName = (name: string): string =>
  name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
