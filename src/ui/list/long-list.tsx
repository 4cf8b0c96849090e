import { useRef, type ReactNode } from 'react'
import { useRowWindow } from './row-window.ts'

interface LongListProps<T> {
  /** Accessible name, and the key for the measured row height. */
  label: string
  items: readonly T[]
  idOf: (item: T) => string
  row: (item: T) => ReactNode
  className: string
  /** Must give every row the same height, whatever its content. Rows have a padding of `px-3`. */
  rowClassName: string
}

/**
 * A list of rows of one height that scrolls with the page and renders only rows near the viewport. Rows
 * are in normal flow; padding stands in for the rest.
 */
export function LongList<T>(props: LongListProps<T>) {
  const { label, items, idOf, row, className, rowClassName } = props
  const list = useRef<HTMLUListElement>(null)
  const { rows, from, above, below, keyOf } = useRowWindow(list, label, items, idOf)
  return (
    <ul
      ref={list}
      aria-label={label}
      style={{ paddingTop: above, paddingBottom: below }}
      // Texts begin where the heading does; the padding of the rows is in the margin of the page.
      className={`-mx-3 [overflow-anchor:none] ${className}`}
    >
      {rows.map((item, index) => (
        <li
          key={keyOf(item)}
          data-row={idOf(item)}
          aria-setsize={items.length}
          aria-posinset={from + index + 1}
          className={`contain-strict ${rowClassName}`}
        >
          {row(item)}
        </li>
      ))}
    </ul>
  )
}
