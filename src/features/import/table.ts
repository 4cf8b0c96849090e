// The rows of a file under the columns that the product knows.
import type { FieldErrors } from '../../../contract/errors.ts'

/** A column: what it is called when the app writes it, and what other programs call it. */
export interface Column {
  title: string
  also?: readonly string[]
}
export type Columns<Name extends string> = Readonly<Record<Name, Column>>

export interface Table<Name extends string> {
  /** Each with its number in the spreadsheet; cells that are empty are left out. */
  rows: { number: number; cells: Partial<Record<Name, string>> }[]
  /** Headings that mean nothing here. */
  ignored: string[]
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The table under its first row; undefined where that names not even `required`. */
export function readTable<Name extends string>(
  rows: readonly string[][],
  columns: Columns<Name>,
  required: Name,
): Table<Name> | undefined {
  const names = new Map<string, Name>()
  for (const name of Object.keys(columns) as Name[]) {
    const { title, also = [] } = columns[name]
    for (const alias of [name, title, ...also]) names.set(plain(alias), name)
  }
  const [head = [], ...body] = rows
  const heading = head.map((cell) => names.get(plain(cell)))
  if (!heading.includes(required)) return undefined
  return {
    rows: body.flatMap((row, index) => {
      const cells: Partial<Record<Name, string>> = {}
      for (const [at, name] of heading.entries()) {
        const cell = row[at]?.trim()
        // Of two columns of one meaning the first that says something counts.
        if (name !== undefined && cell) cells[name] ??= cell
      }
      return Object.keys(cells).length === 0 ? [] : [{ number: index + 2, cells }]
    }),
    ignored: head.filter((cell, index) => heading[index] === undefined && cell.trim() !== ''),
  }
}

/** A row of the file: what would be made of it, or why nothing is. */
export interface ImportRow<Draft> {
  /** As a spreadsheet numbers it. */
  number: number
  title: string
  /** What stands beside the title in the preview. */
  detail: string
  /** Ready to be queued. */
  draft?: Draft
  /** It is there already, or stood in this file before. */
  known?: true
  errors?: FieldErrors
}

/** Rows as they are ready, wrong, or known already. */
export function countRows(rows: readonly ImportRow<unknown>[]) {
  const ready = rows.filter(({ draft }) => draft !== undefined).length
  const known = rows.filter(({ known }) => known).length
  return { ready, known, wrong: rows.length - ready - known }
}

/**
 * The rows that are still ready when only so many more fit; the others say `refusal` at `field`. What
 * `counts` is false for takes no room.
 */
export function withinLimit<Draft>(
  rows: readonly ImportRow<Draft>[],
  room: number,
  refusal: { field: string; message: string },
  counts: (draft: Draft) => boolean = () => true,
): ImportRow<Draft>[] {
  let left = room
  return rows.map((row) => {
    const { draft, ...rest } = row
    if (draft === undefined || !counts(draft)) return row
    left--
    return left < 0 ? { ...rest, errors: { [refusal.field]: [refusal.message] } } : row
  })
}

/** Whom or what a cell names, whatever the case of its letters: one record, none, or `several`. */
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

/** Names are one when they read as one. */
export const normalizeName = (name: string): string =>
  name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
