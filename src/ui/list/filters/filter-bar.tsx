import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { LINE } from '../../form/box.ts'
import { useTableRoom } from '../../platform/use-desktop.ts'
import { listMessages as messages } from '../messages.ts'

interface FilterBarProps {
  search: {
    label: string
    value: string
    onChange: (text: string) => void
    /** The key that leads to it. */
    keys?: string | undefined
  }
  /** Links to views of the list. */
  views?: ReactNode
  /** `ListFilters`. */
  children: ReactNode
}

/** Shown above every list: its views, the search, and the filters. */
export function FilterBar({ search, views, children }: FilterBarProps) {
  const hasRoom = useTableRoom()
  return (
    <search className={`block ${hasRoom ? 'mt-2 mb-1' : 'mt-4 mb-3'}`}>
      <div className="flex flex-wrap items-center gap-2">
        {views && <div className={`max-w-full ${hasRoom ? '' : 'basis-full'}`}>{views}</div>}
        <div
          className={`min-w-0 grow ${hasRoom ? `basis-56 ${views ? '' : 'max-w-xl'}` : 'basis-32'}`}
        >
          {/* Not a TextField, with which the first screen would wait for hints, errors and passwords. */}
          <label className="relative flex">
            <span className="sr-only">{search.label}</span>
            <Search
              aria-hidden
              className="pointer-events-none absolute inset-y-0 start-3 my-auto size-4 text-ink-faint"
            />
            <input
              type="search"
              dir="auto"
              aria-keyshortcuts={search.keys}
              // A phone would cut the label off.
              placeholder={hasRoom ? search.label : messages.search}
              value={search.value}
              onChange={(event) => search.onChange(event.target.value)}
              // The browser clears a text.
              onKeyDown={({ key, currentTarget }) =>
                key === 'Escape' && search.value === '' && currentTarget.blur()
              }
              className={`${LINE} ps-9`}
            />
          </label>
        </div>
        {children}
      </div>
    </search>
  )
}
