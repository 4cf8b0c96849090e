import { memo, type ReactNode } from 'react'
import type { GroupHeading } from './groups.ts'
import { SelectRow } from './row-selection.tsx'
import { listMessages as messages } from './messages.ts'

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

/** The classes that align a column’s cells. */
export const alignment = (isNumeric = false) => (isNumeric ? 'text-end tabular-nums' : 'text-start')

const CELL = 'h-(--row) truncate border-b border-line px-2'

interface TableRowProps<T> {
  item: T
  id: string
  /** In the table, with the row of headings. */
  position: number
  columns: readonly TableColumn<T>[]
  /** Its record is shown beside the table. */
  isOpen: boolean
  /** Undefined in a table without a selection. */
  isSelected: boolean | undefined
  selectLabel: string | undefined
}

function Row<T>(props: TableRowProps<T>) {
  const { item, id, position, columns, isOpen, isSelected, selectLabel } = props
  return (
    <tr
      data-row={id}
      aria-rowindex={position}
      aria-current={isOpen || undefined}
      className={`group cursor-pointer ${isOpen || isSelected ? 'bg-accent-soft' : 'hover:bg-raised'}`}
    >
      {isSelected !== undefined && (
        <td data-select className="h-(--row) border-b border-line p-0">
          <SelectRow label={selectLabel ?? ''} isSelected={isSelected} />
        </td>
      )}
      {columns.map(({ key, cell, className, isNumeric }, at) =>
        at === 0 ? (
          <th
            key={key}
            scope="row"
            className={`${CELL} text-start font-normal ${isOpen ? 'shadow-[inset_3px_0_var(--color-accent)]' : ''} ${className}`}
          >
            {cell(item)}
          </th>
        ) : (
          // The link of the row is described by its cells.
          <td
            key={key}
            id={cellId(id, key)}
            className={`${CELL} ${alignment(isNumeric)} ${className}`}
          >
            {cell(item)}
          </td>
        ),
      )}
    </tr>
  )
}

/** The id of a cell's element, for `aria-describedby`. */
export const cellId = (id: string, column: string): string => `${id}-${column}`

/** A row with one cell per column. Rendered again only if what it shows has changed. */
export const TableRow = memo(Row) as typeof Row

interface GroupRowProps<T> {
  heading: GroupHeading
  position: number
  columns: readonly TableColumn<T>[]
  /** The table has a column of checkboxes. */
  hasSelection: boolean
}

/**
 * The row above a group. As high as the others. Its heading reaches over empty cells: a cell that spans
 * columns would also span those that are not shown.
 */
export function GroupRow<T>({ heading, position, columns, hasSelection }: GroupRowProps<T>) {
  const [first, ...others] = columns
  return (
    <tr data-row={heading.id} aria-rowindex={position} className="bg-sunken/60">
      {hasSelection && <td aria-hidden className="border-b border-line" />}
      <th
        scope="rowgroup"
        className={`h-(--row) border-b border-line px-2 text-start font-semibold whitespace-nowrap ${first?.className ?? ''}`}
      >
        {heading.title}{' '}
        <span className="ms-1 font-normal text-ink-faint tabular-nums">
          {messages.groupSize(heading.size)}
        </span>{' '}
        {heading.detail && (
          <span className="ms-3 font-normal text-ink-muted tabular-nums">{heading.detail}</span>
        )}
      </th>
      {others.map(({ key, className }) => (
        <td key={key} aria-hidden className={`border-b border-line ${className}`} />
      ))}
    </tr>
  )
}
