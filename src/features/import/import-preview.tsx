import { Check, CircleAlert, Minus } from 'lucide-react'
import { type Column, type Columns, type ImportRow } from './table.ts'
import { importMessages as messages } from './messages.ts'

/** Number of rows shown of each kind. */
const SHOWN = { wrong: 50, ready: 10 }

interface ImportPreviewProps<Name extends string> {
  rows: readonly ImportRow<unknown>[]
  columns: Columns<Name>
  /** Heading of the title column. */
  titleColumn: string
}

/** Preview of the parsed rows: invalid ones first, then some of the others. */
export function ImportPreview<Name extends string>(props: ImportPreviewProps<Name>) {
  const { rows, columns, titleColumn } = props
  const invalid = rows.filter(({ errors }) => errors)
  const valid = rows.filter(({ errors }) => !errors)
  const shown = [...invalid.slice(0, SHOWN.wrong), ...valid.slice(0, SHOWN.ready)]
  return (
    <section
      aria-label={messages.preview}
      // A scrollable region needs a tab stop for keyboard users.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="mt-4 overflow-x-auto border-y border-line"
    >
      <table className="w-full text-start text-sm">
        <thead className="text-start text-ink-muted">
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pe-4 text-start font-semibold">
              {messages.row}
            </th>
            <th scope="col" className="py-2 pe-4 text-start font-semibold">
              {titleColumn}
            </th>
            <th scope="col" className="py-2 text-start font-semibold">
              {messages.result}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.number} className="border-b border-line align-top last:border-0">
              <td className="py-2 pe-4 text-ink-faint tabular-nums">
                {messages.number(row.number)}
              </td>
              <td className="max-w-72 min-w-24 py-2 pe-4 wrap-anywhere sm:min-w-36">
                <span className="font-semibold">{row.title || '–'}</span>
                {row.detail && <span className="block text-ink-muted">{row.detail}</span>}
              </td>
              <td className="min-w-28 py-2 sm:min-w-44">
                <RowResult row={row} columns={columns} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <p className="py-2 text-sm text-ink-faint">{messages.more(rows.length - shown.length)}</p>
      )}
    </section>
  )
}

function RowResult<Name extends string>({
  row: { errors, known },
  columns,
}: {
  row: ImportRow<unknown>
  columns: Columns<Name>
}) {
  if (errors)
    return (
      <ul className="space-y-1 text-danger-ink">
        {Object.entries(errors).map(([path, [message]]) => (
          <li key={path} className="flex gap-1.5">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span>
              {titleOf(path, columns)}: {message}
            </span>
          </li>
        ))}
      </ul>
    )
  const Icon = known ? Minus : Check
  return (
    <span className={`flex gap-1.5 ${known ? 'text-ink-muted' : 'text-ink'}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {known ? messages.known : messages.ready}
    </span>
  )
}

/** A contact's fields have columns of their own. */
const titleOf = <Name extends string>(path: string, columns: Columns<Name>) => {
  const [name = '', , of = ''] = path.split('.')
  const names = name === 'contacts' ? [`contact_${of}`, 'contact'] : [name]
  const column = names.map((one) => columns[one as Name] as Column | undefined).find(Boolean)
  return column?.title ?? path
}
