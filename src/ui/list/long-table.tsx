import { useMemo, useRef } from 'react'
import { density } from './density.ts'
import { GroupHeading, useEntries, type TableGroup } from './groups.ts'
import { SelectAll, type RowSelection } from './row-selection.tsx'
import { useRowWindow } from './row-window.ts'
import { ColumnHeading } from './column-heading.tsx'
import { GroupRow, TableRow, type TableColumn } from './table-row.tsx'
import { useRowKeys, type Preview } from './row-keys.ts'

interface LongTableProps<T> {
  /** Accessible name, and the key for the measured row height. */
  label: string
  /** All rows in their order, those of the groups as well. */
  items: readonly T[]
  /** Shows a heading with the number of its rows above each group. */
  groups?: readonly TableGroup<T>[] | undefined
  idOf: (item: T) => string
  /** The first column names the row. */
  columns: readonly TableColumn<T>[]
  /** The column that the items are sorted by, and whether its first direction is reversed. */
  sorted: { key: string; reversed: boolean }
  onSort: (key: string) => void
  /** Shows a column of checkboxes. */
  selection?: RowSelection | undefined
  /** Shows a row's record beside the table instead of following its link. */
  preview?: Preview | undefined
}

/** Without the hairline below each row. High rows have room for titles of two lines. */
const HEIGHTS = {
  compact: '[--row:calc(2rem-1px)] coarse:[--row:calc(2.75rem-1px)] coarse:[--lines:2]',
  comfortable: '[--row:calc(2.75rem-1px)] [--lines:2]',
}

/**
 * A sortable table that scrolls with the page and renders only rows near the viewport. A click anywhere
 * on a row follows its first link, and the arrow keys move from row to row. Columns can ask for their
 * width with container queries.
 */
export function LongTable<T>(props: LongTableProps<T>) {
  const { label, items, groups, idOf, columns, sorted, onSort, selection, preview } = props
  const table = useRef<HTMLTableElement>(null)
  const rowHeight = density.useValue()
  const { entries, entryId } = useEntries(items, groups, idOf)
  const { rows, from, above, below, keyOf } = useRowWindow(table, label, entries, entryId)
  useRowKeys(table, preview)
  const selected = selection?.selected
  const state = useMemo(() => stateOf(items, idOf, selected), [items, idOf, selected])

  return (
    <div className="@container">
      <table
        ref={table}
        aria-label={label}
        aria-rowcount={entries.length + 1}
        onChange={({ target, nativeEvent }) => {
          const id = (target as Element).closest<HTMLElement>('[data-row]')?.dataset['row']
          if (id !== undefined && (target as Element).closest('[data-select]'))
            selection?.toggle(id, (nativeEvent as MouseEvent).shiftKey)
        }}
        className={`w-full table-fixed text-sm [overflow-anchor:none] ${HEIGHTS[rowHeight]}`}
      >
        <thead>
          <tr aria-rowindex={1}>
            {selection && (
              <td className="sticky top-[calc(3.5rem+var(--safe-top))] z-10 h-8 w-10 short:top-0 border-b border-line bg-surface p-0 coarse:w-11">
                <SelectAll state={state} onToggle={() => selection.toggleAll(items.map(idOf))} />
              </td>
            )}
            {columns.map((column) => (
              <ColumnHeading
                key={column.key}
                column={column}
                reversed={sorted.key === column.key ? sorted.reversed : undefined}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={above} />
          {rows.map((entry, index) =>
            entry instanceof GroupHeading ? (
              <GroupRow
                key={keyOf(entry)}
                heading={entry}
                position={from + index + 2}
                columns={columns}
                hasSelection={selection !== undefined}
              />
            ) : (
              <TableRow
                key={keyOf(entry)}
                item={entry}
                id={idOf(entry)}
                position={from + index + 2}
                columns={columns}
                isOpen={preview?.id === idOf(entry)}
                isSelected={selected?.has(idOf(entry))}
                selectLabel={selection?.label(idOf(entry))}
              />
            ),
          )}
          <Space height={below} />
        </tbody>
      </table>
    </div>
  )
}

function stateOf<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  selected: ReadonlySet<string> | undefined,
): 'none' | 'some' | 'all' {
  if (!selected || selected.size === 0) return 'none'
  const count = items.filter((item) => selected.has(idOf(item))).length
  return count === 0 ? 'none' : count === items.length ? 'all' : 'some'
}

/** Stands in for the rows that are not rendered. */
const Space = ({ height }: { height: number }) =>
  height > 0 && <tr aria-hidden style={{ height }} />
