import { endsInRow, parseCsv, TooLargeError, UnclosedQuoteError } from './csv.ts'
import { readTable, shortestLastRow, type Columns, type CutOffRow, type Table } from './table.ts'
import { decode, encodingOf, MAX_BYTES, unreadable, type Encoding } from './decode-file.ts'
import { importMessages as messages } from './messages.ts'

/** The chosen file: its bytes and its encoding. */
export interface ChosenFile {
  name: string
  bytes: Uint8Array
  encoding: Encoding
}

/** Reads a file and detects its encoding; returns an error message if it cannot be read. */
export async function openFile(file: File): Promise<ChosenFile | string> {
  try {
    // Reads at most one byte above the limit, enough to detect that the file is too large.
    const bytes = new Uint8Array(await file.slice(0, MAX_BYTES + 1).arrayBuffer())
    const why = unreadable(bytes)
    if (why) return messages.unreadable[why]
    return { name: file.name, bytes, encoding: encodingOf(bytes) }
  } catch {
    return messages.failed
  }
}

interface FileRows {
  /** The cells of the file, row by row. */
  rows: string[][]
  /** The row in which the file seems to be cut off. */
  cutOff: CutOffRow | undefined
}

/** The rows of the file; an error message if there are too many, or the file is cut off in a cell. */
export function rowsOfFile({ bytes, encoding }: ChosenFile): FileRows | string {
  try {
    const text = decode(bytes, encoding)
    const rows = parseCsv(text)
    return { rows, cutOff: endsInRow(text) ? shortestLastRow(rows) : undefined }
  } catch (problem) {
    if (problem instanceof TooLargeError) return messages.tooLong
    if (problem instanceof UnclosedQuoteError) return messages.unclosedQuote(problem.line)
    throw problem
  }
}

/** The table in the cells, its headings as in `heading`; an error message if there is none. */
export function tableOf<Name extends string>(
  cells: readonly string[][],
  columns: Columns<Name>,
  required: Name,
  heading: readonly (Name | undefined)[],
): Table<Name> | string {
  const table = readTable(cells, columns, required, heading)
  if (!table) return messages.noRequired(columns[required].title)
  return table.rows.length === 0 ? messages.noRows : table
}
