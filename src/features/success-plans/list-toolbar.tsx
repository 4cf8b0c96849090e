import { Search } from 'lucide-react'
import { Link } from 'react-router'
import { PLAN_STATUSES } from '../../../contract/success-plans.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SORTS, VIEWS, writeSelection, type Selection, type Sort, type View } from './view.ts'
import { planWords } from './words.ts'

interface ViewTabsProps {
  selection: Selection
  counts: Record<View, number>
}

/** The views as links, each with how many plans it holds. */
export function ViewTabs({ selection, counts }: ViewTabsProps) {
  return (
    <nav
      aria-label={planWords.viewsLabel}
      className="-mx-4 flex gap-1 overflow-x-auto px-4 py-1 sm:mx-0 sm:px-0"
    >
      {VIEWS.map((view) => (
        <Link
          key={view}
          to={{ search: writeSelection({ ...selection, view }).toString() }}
          replace
          preventScrollReset
          aria-current={selection.view === view ? 'page' : undefined}
          className="inline-flex min-h-9 items-center gap-1.5 rounded-full px-3 text-sm font-semibold whitespace-nowrap text-ink-muted hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-ink coarse:min-h-11"
        >
          {planWords.views[view]}
          <span className="font-normal text-ink-faint tabular-nums [[aria-current]>&]:text-ink-muted">
            {planWords.number(counts[view])}
          </span>
        </Link>
      ))}
    </nav>
  )
}

interface ListToolbarProps {
  selection: Selection
  /** Statuses that occur beside the known ones. */
  unknownStatuses: readonly string[]
  onChange: (change: Partial<Selection>) => void
}

/** Search, status and order. */
export function ListToolbar({ selection, unknownStatuses, onChange }: ListToolbarProps) {
  return (
    <search className="grid grid-cols-2 gap-2 sm:grid-cols-[minmax(0,1fr)_10rem_11.5rem]">
      <div className="col-span-2 sm:col-span-1">
        <TextField
          type="search"
          label={planWords.searchLabel}
          labelHidden
          placeholder={planWords.searchLabel}
          leading={<Search />}
          value={selection.search}
          onChange={(event) => onChange({ search: event.target.value })}
        />
      </div>
      <SelectField
        label={planWords.statusLabel}
        labelHidden
        value={selection.status}
        onChange={(event) => onChange({ status: event.target.value })}
      >
        <option value="">{planWords.anyStatus}</option>
        {[...PLAN_STATUSES, ...unknownStatuses].map((status) => (
          <option key={status} value={status}>
            {planWords.statusOption(status)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={planWords.sortLabel}
        labelHidden
        value={selection.sort}
        onChange={(event) => onChange({ sort: event.target.value as Sort })}
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {planWords.sorts[sort]}
          </option>
        ))}
      </SelectField>
    </search>
  )
}
