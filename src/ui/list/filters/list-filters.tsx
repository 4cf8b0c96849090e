import { ListFilter as FilterIcon, X } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Button } from '../../button.tsx'
import { useTableRoom } from '../../platform/use-desktop.ts'
import { listMessages as messages } from '../messages.ts'
import { PhoneFilters } from './phone-filters.tsx'

/** Loaded when the filters are shown. */
const FilterField = lazy(async () => ({
  default: (await import('./filter-field.tsx')).FilterField,
}))

/** One choice among several: a filter of a list, or its order. */
export interface ListFilter {
  name: string
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
  /** The order of a list of phones; a table is sorted by its headings. Not counted as a filter. */
  isOrder?: true
}

export interface ListFiltersProps {
  filters: readonly ListFilter[]
  /** Sets all filters to their empty value. */
  onClear: () => void
  /** What the button that closes the sheet says, such as `Show 12 plans`. */
  done: string
  /** Buttons behind the one that shows the filters; only where the list is a table. */
  tools?: ReactNode
  /** Below the filters in the sheet. */
  sheetTools?: ReactNode
}

/** Behind one button: the filters as a row below it, or as a sheet where the list is no table. */
export function ListFilters(props: ListFiltersProps) {
  const hasTable = useTableRoom()
  return hasTable ? <FilterRow {...props} /> : <PhoneFilters {...props} />
}

function FilterRow({ filters, onClear, tools }: ListFiltersProps) {
  const active = filters.filter(({ value, isOrder }) => value !== '' && !isOrder).length
  const [open, setOpen] = useState(active > 0)
  return (
    <>
      <div className="ms-auto flex items-center">
        <Button
          variant="quiet"
          aria-expanded={open}
          className="px-2.5!"
          onClick={() => setOpen(!open)}
        >
          <FilterIcon aria-hidden />
          {messages.filter(active)}
        </Button>
        {tools}
      </div>
      {open && (
        <fieldset
          aria-label={messages.filters}
          // For the focus, when the button that clears them disappears.
          tabIndex={-1}
          className="flex basis-full flex-wrap items-center gap-2"
        >
          {filters.map(
            (filter) =>
              !filter.isOrder && (
                <div key={filter.name} className="min-h-9 max-w-64 min-w-32 flex-1 coarse:min-h-11">
                  <Suspense>
                    <FilterField {...filter} />
                  </Suspense>
                </div>
              ),
          )}
          {active > 0 && (
            <Button variant="quiet" onClick={onClear}>
              <X aria-hidden />
              {messages.clearFilters}
            </Button>
          )}
        </fieldset>
      )}
    </>
  )
}
