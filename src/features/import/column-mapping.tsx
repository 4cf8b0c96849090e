import { SelectField } from '../../ui/form/field.tsx'
import type { Column, Columns } from './table.ts'
import { importMessages as messages } from './messages.ts'

interface ColumnMappingProps<Name extends string> {
  /** The rows of the file; the first has its headings. */
  cells: readonly string[][]
  columns: Columns<Name>
  /** What each column of the file is now. */
  heading: readonly (Name | undefined)[]
  /** Whether it is shown unasked: something was not recognised, or means the same as another. */
  open: boolean
  disabled: boolean
  onChange: (heading: (Name | undefined)[]) => void
}

/** Says for each column of a file what it is, with an example from the file. */
export function ColumnMapping<Name extends string>(props: ColumnMappingProps<Name>) {
  const { cells, columns, heading, open, disabled, onChange } = props
  const [head = [], ...rows] = cells
  const names = Object.keys(columns) as Name[]
  // Headings may repeat: the position identifies the column.
  const ofFile = head.map((title, at) => ({
    at,
    title: title.trim() || messages.unnamedColumn(at + 1),
    example: rows.find((row) => row[at]?.trim())?.[at]?.trim(),
  }))
  const used = heading.filter((name) => name !== undefined).length
  return (
    <details open={open} className="rounded-lg bg-sunken/60 px-4 py-3">
      <summary className="min-h-6 cursor-pointer text-sm font-semibold coarse:min-h-11">
        {messages.mapping(used, head.length)}
      </summary>
      <p className="mt-1 mb-4 max-w-prose text-sm text-ink-muted">{messages.mappingLead}</p>
      <ul
        aria-label={messages.mappingLabel}
        className="grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2"
      >
        {ofFile.map(({ at, title, example }) => (
          <li key={at}>
            <SelectField
              label={title}
              hint={
                <span className="block truncate">
                  {example ? messages.example(example.slice(0, 60)) : messages.emptyColumn}
                </span>
              }
              value={heading[at] ?? ''}
              disabled={disabled}
              onChange={({ target }) =>
                onChange(
                  head.map((_, index) =>
                    index === at ? names.find((name) => name === target.value) : heading[index],
                  ),
                )
              }
            >
              <option value="">{messages.leaveOut}</option>
              {names.map((name) => {
                const { title: ours }: Column = columns[name]
                return (
                  <option key={name} value={name}>
                    {ours}
                  </option>
                )
              })}
            </SelectField>
          </li>
        ))}
      </ul>
    </details>
  )
}
