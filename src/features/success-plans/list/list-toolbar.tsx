import { Search } from 'lucide-react'
import { lazy, Suspense, type ComponentProps } from 'react'
import { TextField } from '../../../ui/form/field.tsx'
import { planMessages } from '../messages.ts'

const PlanFilters = lazy(async () => ({
  default: (await import('./plan-filters.tsx')).PlanFilters,
}))

/** Search, and a button that opens filters and order. */
export function ListToolbar(props: ComponentProps<typeof PlanFilters>) {
  const { selection, onChange } = props
  return (
    <search className="flex gap-2">
      <div className="min-w-0 grow">
        <TextField
          type="search"
          label={planMessages.searchLabel}
          labelHidden
          placeholder={planMessages.searchLabel}
          leading={<Search />}
          value={selection.search}
          onChange={(event) => onChange({ search: event.target.value })}
        />
      </div>
      <Suspense fallback={<div className="w-24" />}>
        <PlanFilters {...props} />
      </Suspense>
    </search>
  )
}
