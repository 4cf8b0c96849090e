import { ArrowDown, ArrowUp } from 'lucide-react'
import { alignment, type TableColumn } from './table-row.tsx'

interface ColumnHeadingProps<T> {
  column: TableColumn<T>
  /** Undefined if the table is sorted by another column. */
  reversed: boolean | undefined
  onSort: (key: string) => void
}

/** The heading of a column, with a button if the table can be sorted by it. */
export function ColumnHeading<T>({ column, reversed, onSort }: ColumnHeadingProps<T>) {
  const { key, title, className, isNumeric, sort } = column
  const isAscending = (sort === 'ascending') !== reversed
  const Arrow = isAscending ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={reversed === undefined ? undefined : isAscending ? 'ascending' : 'descending'}
      className={`sticky top-[calc(3.5rem+var(--safe-top))] z-10 h-8 short:top-0 border-b border-line bg-surface p-0 font-semibold text-ink-muted ${alignment(isNumeric)} ${className}`}
    >
      {sort ? (
        <button
          type="button"
          onClick={() => onSort(key)}
          className="inline-flex min-h-8 items-center gap-1 rounded-sm px-2 font-semibold whitespace-nowrap -outline-offset-2 hover:text-ink coarse:min-h-11"
        >
          {title}
          {reversed !== undefined && <Arrow aria-hidden className="size-3.5 shrink-0" />}
        </button>
      ) : (
        <span className="px-2">{title}</span>
      )}
    </th>
  )
}
