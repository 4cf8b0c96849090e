import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { LINE } from '../../form/box.ts'
import { useTableRoom } from '../../platform/use-desktop.ts'
import { listMessages as messages } from '../messages.ts'

interface FilterBarProps {
  search: { label: string; value: string; onChange: (text: string) => void }
  /** Links to views of the list. */
  views?: ReactNode
  /** `ListFilters`. */
  children: ReactNode
}

/** What stands above every list: its views, the search, and the filters. */
export function FilterBar({ search, views, children }: FilterBarProps) {
  const hasRoom = useTableRoom()
  return (
    <search className="@container mt-4 mb-3 block min-[43rem]:mt-2 min-[43rem]:mb-1">
      <div className="flex flex-wrap items-center gap-2">
        {views && <div className="max-w-full max-[43rem]:basis-full">{views}</div>}
        <div
          className={`min-w-0 grow basis-32 min-[43rem]:basis-56 ${views ? '' : 'min-[43rem]:max-w-xl'}`}
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
              // A phone would cut the label off.
              placeholder={hasRoom ? search.label : messages.search}
              value={search.value}
              onChange={(event) => search.onChange(event.target.value)}
              className={`${LINE} ps-9`}
            />
          </label>
        </div>
        {children}
      </div>
    </search>
  )
}
