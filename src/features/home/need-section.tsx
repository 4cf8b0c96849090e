import { useEffect, useId, useState, type ReactNode } from 'react'
import { noteFirstRows } from '../../ui/list/row-window.ts'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { useColumnsRoom } from '../../ui/platform/use-desktop.ts'
import { homeMessages as messages } from './messages.ts'

/** As many as fit at a glance, where sections stand below each other and beside; the rest on request. */
const SHOWN_ITEMS = { below: 6, beside: 10 }

interface NeedSectionProps<T> {
  title: string
  items: readonly T[]
  keyOf: (item: T) => string
  row: (item: T) => ReactNode
  /** An action for the whole section. */
  aside?: ReactNode
}

/** One section of work that needs attention, the most urgent first; nothing if it is empty. */
export function NeedSection<T>({ title, items, keyOf, row, aside }: NeedSectionProps<T>) {
  const id = useId()
  const [all, setAll] = useState(false)
  const most = SHOWN_ITEMS[useColumnsRoom() ? 'beside' : 'below']
  const isEmpty = items.length === 0
  useEffect(() => {
    if (!isEmpty) noteFirstRows()
  }, [isEmpty])
  if (isEmpty) return null
  const shown = all ? items : items.slice(0, most)
  return (
    <section aria-labelledby={id}>
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} className="flex items-baseline gap-2 text-base font-semibold">
          {title}
          <span className="text-sm font-normal text-ink-faint tabular-nums">
            {messages.number(items.length)}
          </span>
        </h2>
        {aside}
      </div>
      <ul className="@container mt-1.5 border-t border-line">
        {shown.map((item) => (
          <li key={keyOf(item)} className="border-b border-line">
            {row(item)}
          </li>
        ))}
      </ul>
      {items.length > shown.length && (
        <ShowMore className="mt-1" onShow={() => setAll(true)}>
          {messages.more(items.length - shown.length)}
        </ShowMore>
      )}
    </section>
  )
}
