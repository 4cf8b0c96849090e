// CSV as in RFC 4180, protected against formula injection.
import { writeNumber } from '../../ui/form/read-number.ts'

/** What a spreadsheet would run, also after white space, quotes and guards, or as full-width characters. */
const FORMULA = String.raw`(?:(?![\t\r\n])['"\s\p{Cc}])*[=+\-@＝＋－＠]`

/** The start of a cell, also for a spreadsheet of another separator: a comma before the cell hides its quotes there. */
const START = String.raw`(?<![^;\t|\r\n])`

/** Prefix that makes a spreadsheet treat a formula as text. */
const GUARD = "'"

const UNGUARDED = new RegExp(String.raw`${START}(?=${FORMULA})|^(?='*[\t\r\n])`, 'gu')
const GUARDED = new RegExp(String.raw`${START}'(?=${FORMULA})|^'(?='*[\t\r\n])`, 'gu')

/** One cell, quoted if needed. Numbers stay numbers; text never becomes a formula. */
function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return writeNumber(value)
  const safe = value.replaceAll(UNGUARDED, GUARD)
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A value in a table. */
export type Cell = string | number | null

/** CSV text with a byte order mark, so that Excel reads it as UTF-8. */
export const writeCsv = (rows: readonly (readonly Cell[])[]): string =>
  `\u{FEFF}${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`

/** CSV text with a heading row, of records whose cells come with their headings. */
export function writeRecords(records: readonly (readonly (readonly [string, Cell])[])[]): string {
  const headings = records[0]?.map(([heading]) => heading) ?? []
  return writeCsv([headings, ...records.map((record) => record.map(([, cell]) => cell))])
}

/** Larger files are not hand-made lists, and would block the device. */
const MAX_CELLS = 200_000
const MAX_ROWS = 5_000

/** The text has more rows or cells than an import accepts. */
export class TooLargeError extends Error {}

/** A quoted cell that begins on that line of the text never ends, as in a file that is cut off. */
export class UnclosedQuoteError extends Error {
  readonly line: number
  constructor(line: number) {
    super()
    this.line = line
  }
}

/** The delimiter: from a `sep=;` line, else the most frequent candidate in the first line with text. */
function delimiterOf(text: string): string {
  const declared = /^sep=([,;\t|])\r?\n/i.exec(text)?.[1]
  if (declared !== undefined) return declared
  const first = /^(?:"[^"]*"|[^"\r\n])*/
    .exec(text.replace(/^\s*[\r\n]/, '').slice(0, 10_000))?.[0]
    .replaceAll(/"[^"]*"/g, '')
  const partsBy = (sign: string) => (first ?? '').split(sign).length
  return [',', ';', '\t', '|'].toSorted((a, b) => partsBy(b) - partsBy(a))[0] ?? ','
}

/**
 * Parses CSV text delimited by comma, semicolon, tab or vertical bar into rows of cells. Empty lines are rows, so
 * that row numbers match the spreadsheet. Throws TooLargeError above the maximum number of cells, and
 * UnclosedQuoteError.
 */
export function parseCsv(source: string): string[][] {
  const text = source.replace(/^\u{FEFF}/u, '')
  const delimiter = delimiterOf(text)
  const from = /^sep=.\r?\n/i.exec(text)?.[0].length ?? 0
  const rows: string[][] = []
  let row: string[] = []
  let cells = 0
  let at = from
  const end = (cell: string) => {
    row.push(unguarded(cell))
    cells++
    if (cells > MAX_CELLS || rows.length > MAX_ROWS) throw new TooLargeError()
  }
  // Each iteration reads one cell, starting at `at`.
  while (at < text.length) {
    let cell = ''
    // Some programs write a space after the delimiter, before the quote.
    const quoted = /^ *"/.exec(text.slice(at, at + 20))?.[0].length ?? 0
    if (quoted > 0) {
      const start = at
      at += quoted
      for (;;) {
        const quote = text.indexOf('"', at)
        if (quote === -1) throw new UnclosedQuoteError(lineAt(text, start))
        cell += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        cell += '"'
        at++
      }
    }
    const rest = at
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r')
      at++
    end(cell + text.slice(rest, at))
    const isLast = text[at] !== delimiter
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    if (isLast) {
      rows.push(row)
      row = []
    } else if (at >= text.length) end('')
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** The line at that position of the text; the first is 1. */
const lineAt = (text: string, position: number) =>
  text.slice(0, position).split(/\r\n|\r|\n/).length

/** Whether the last row of the text has no line end, as in a file that is cut off. */
export const endsInRow = (text: string): boolean => !/[\r\n]$/.test(text)

const unguarded = (cell: string) => cell.replaceAll(GUARDED, '')
