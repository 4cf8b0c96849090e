// CSV by RFC 4180, as spreadsheets write it and as they may safely read it.

/** Cells that a spreadsheet would take for a formula, also behind blanks and in full-width signs. */
const FORMULA = /^(?:[\s\p{Cc}]*[=+\-@＝＋－＠]|[\t\r\n])/u

/** What marks a text as a text; in front of a formula it keeps that from being run. */
const GUARD = "'"

/** One cell. A number stays a number; a text never becomes a formula. */
function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) ? GUARD + value : value
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A text with a byte order mark, so that Excel reads it as UTF-8. */
export const writeCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  `\u{FEFF}${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`

/** More than this is no list that somebody keeps by hand, and would only stall the device. */
const MAX_CELLS = 200_000
const MAX_ROWS = 5_000

export class TooLargeError extends Error {}

/** What the file itself says (`sep=;`), or else the delimiter that its first line has most of. */
function delimiterOf(text: string): string {
  const said = /^sep=([,;\t|])\r?\n/i.exec(text)?.[1]
  if (said !== undefined) return said
  const first = /^(?:"[^"]*"|[^"\r\n])*/.exec(text.slice(0, 10_000))?.[0].replaceAll(/"[^"]*"/g, '')
  const most = (sign: string) => (first ?? '').split(sign).length
  return [',', ';', '\t'].toSorted((a, b) => most(b) - most(a))[0] ?? ','
}

/**
 * The rows of a CSV text, by comma, semicolon or tab, each as its cells; an empty line is a row too, so
 * that a row's place is what a spreadsheet numbers it. A quote that is never closed ends with the text.
 * Throws TooLargeError instead of filling the memory.
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
  // One cell each time round; it begins at `at`.
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      at++
      for (;;) {
        const quote = text.indexOf('"', at)
        const upTo = quote === -1 ? text.length : quote
        cell += text.slice(at, upTo)
        at = upTo + 1
        if (text[at] !== '"' || quote === -1) break
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

const unguarded = (cell: string) =>
  cell.startsWith(GUARD) && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
