import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useRowWindow } from './row-window.ts'

/** One column of a table. */
export interface TableColumn<T> {
  key: string
  title: string
  cell: (item: T) => ReactNode
  /** Numbers, with their digits below each other. */
  isNumeric?: boolean
  /** Classes of the heading and of each cell: width, from which width it is shown. */
  className: string
  /** Sorted by a press on the heading; the direction of the first press. */
  sort?: 'ascending' | 'descending'
}

interface LongTableProps<T> {
  /** Accessible name, and the key for the measured row height. */
  label: string
  items: readonly T[]
  idOf: (item: T) => string
  /** The first column names the row. */
  columns: readonly TableColumn<T>[]
  /** The column that the items are sorted by, and whether its first direction is reversed. */
  sorted: { key: string; reversed: boolean }
  onSort: (key: string) => void
}

const CELL = 'h-11 truncate px-3'

/**
 * A sortable table that scrolls with the page and renders only rows near the viewport. A click anywhere
 * on a row follows its first link.
 */
export function LongTable<T>(props: LongTableProps<T>) {
  const { label, items, idOf, columns, sorted, onSort } = props
  const table = useRef<HTMLTableElement>(null)
  const { rows, from, above, below, keyOf } = useRowWindow(table, label, items, idOf)

  useEffect(() => {
    const element = table.current
    const follow = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('a, button')) return
      // Selecting text in a row is no click on it.
      if (getSelection()?.isCollapsed === false) return
      target.closest('tr')?.querySelector('a')?.click()
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [])

  return (
    <table
      ref={table}
      aria-label={label}
      aria-rowcount={items.length + 1}
      className="w-full table-fixed text-sm [overflow-anchor:none]"
    >
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <Heading
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
        {rows.map((item, index) => (
          <tr
            key={keyOf(item)}
            data-row={idOf(item)}
            aria-rowindex={from + index + 2}
            className="group cursor-pointer hover:bg-raised"
          >
            {columns.map(({ key, cell, className, isNumeric }, at) =>
              at === 0 ? (
                <th
                  key={key}
                  scope="row"
                  className={`${CELL} border-b border-line text-start font-normal ${className}`}
                >
                  {cell(item)}
                </th>
              ) : (
                <td
                  key={key}
                  className={`${CELL} border-b border-line ${alignment(isNumeric)} ${className}`}
                >
                  {cell(item)}
                </td>
              ),
            )}
          </tr>
        ))}
        <Space height={below} />
      </tbody>
    </table>
  )
}

const alignment = (isNumeric = false) => (isNumeric ? 'text-end tabular-nums' : 'text-start')

interface HeadingProps<T> {
  column: TableColumn<T>
  /** Undefined if the table is sorted by another column. */
  reversed: boolean | undefined
  onSort: (key: string) => void
}

function Heading<T>({ column, reversed, onSort }: HeadingProps<T>) {
  const { key, title, className, isNumeric, sort } = column
  const isAscending = (sort === 'ascending') !== reversed
  const Arrow = isAscending ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={reversed === undefined ? undefined : isAscending ? 'ascending' : 'descending'}
      className={`sticky top-[calc(3.5rem+var(--safe-top))] z-10 h-9 border-b border-line bg-surface p-0 font-semibold text-ink-muted ${alignment(isNumeric)} ${className}`}
    >
      {sort ? (
        <button
          type="button"
          onClick={() => onSort(key)}
          className="inline-flex min-h-9 items-center gap-1 rounded-sm px-3 font-semibold whitespace-nowrap -outline-offset-2 hover:text-ink coarse:min-h-11"
        >
          {title}
          {reversed !== undefined && <Arrow aria-hidden className="size-3.5 shrink-0" />}
        </button>
      ) : (
        <span className="px-3">{title}</span>
      )}
    </th>
  )
}

/** Stands in for the rows that are not rendered. */
const Space = ({ height }: { height: number }) =>
  height > 0 && <tr aria-hidden style={{ height }} />
