import { Search } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { SelectField, TextField } from '../form/field.tsx'
import { useDesktop } from '../platform/use-desktop.ts'

const PhoneFilters = lazy(async () => ({
  default: (await import('./phone-filters.tsx')).PhoneFilters,
}))

/** One choice among several: a filter of a list, or its order. */
export interface ListFilter {
  name: string
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
  /** An order, which leaves nothing out and so is not counted. */
  isOrder?: true
  /** Only on a phone: a larger screen has another control for it. */
  phoneOnly?: true
}

export interface FilterBarProps {
  search: { label: string; value: string; onChange: (text: string) => void }
  filters: readonly ListFilter[]
  /** What the button that closes the sheet says, such as `Show 12 plans`. */
  done: string
  /**
   * Columns on a larger screen: one for each filter, and from 1,024 px on one for the search, which has a
   * row of its own below that and with an `aside`.
   */
  className: string
  /** Shown behind the search; on a phone below the filters. */
  aside?: ReactNode
}

/** Search and filters above a list. A phone has the filters in a sheet, behind one button. */
export function FilterBar({ search, filters, done, className, aside }: FilterBarProps) {
  const isDesktop = useDesktop()
  return (
    <search className={isDesktop ? `grid gap-2 ${className}` : 'flex gap-2'}>
      <div
        className={`flex min-w-0 grow gap-2 ${aside ? 'col-span-full' : 'col-span-full lg:col-span-1'}`}
      >
        <div className="min-w-0 grow">
          <TextField
            type="search"
            label={search.label}
            labelHidden
            placeholder={search.label}
            leading={<Search />}
            value={search.value}
            onChange={(event) => search.onChange(event.target.value)}
          />
        </div>
        {isDesktop && aside}
      </div>
      {isDesktop ? (
        filters.map((filter) => filter.phoneOnly || <FilterField key={filter.name} {...filter} />)
      ) : (
        <Suspense fallback={<div className="w-24" />}>
          <PhoneFilters filters={filters} done={done} aside={aside} />
        </Suspense>
      )}
    </search>
  )
}

/** One filter as a select. */
export function FilterField({
  label,
  value,
  options,
  onChange,
  withLabel = false,
}: ListFilter & { withLabel?: boolean }) {
  return (
    <SelectField
      label={label}
      labelHidden={!withLabel}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}
