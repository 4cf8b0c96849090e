// The answers of the admin command, for people and for machines.
import { oneLine } from '../../integrations/mail.ts'
import type { AdminAnswer, Row } from './request.ts'

/** A value without what moves a terminal's cursor or reverses its text: people choose their names themselves. */
const cellOf = (value: Row[string] | undefined) =>
  value === null || value === undefined
    ? '-'
    : oneLine(typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)).replace(
        /\p{Cf}+/gu,
        ' ',
      )

/** Rows as a table with a heading; columns are parted by two spaces. */
export function asTable(rows: readonly Row[]): string {
  const [first] = rows
  if (!first) return 'None.'
  const columns = Object.keys(first)
  const lines = [
    columns.map((column) => column.replaceAll('_', ' ')),
    ...rows.map((row) => columns.map((column) => cellOf(row[column]))),
  ]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** What is printed for an answer. */
export function asText(answer: AdminAnswer, isJson: boolean): string {
  if ('rows' in answer) return isJson ? JSON.stringify(answer.rows, null, 2) : asTable(answer.rows)
  const { message, details } = answer
  return isJson ? JSON.stringify({ message, ...details }, null, 2) : oneLine(message)
}
