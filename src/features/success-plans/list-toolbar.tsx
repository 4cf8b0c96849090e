import { Search } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { HEALTHS, PLAN_STATUSES } from '../../../contract/values.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import {
  NOT_JUDGED,
  OPEN,
  SORTS,
  VIEWS,
  writeSelection,
  type Selection,
  type Sort,
  type View,
} from './view.ts'
import { statusWords } from '../status/words.ts'
import { planWords } from './words.ts'

interface ViewTabsProps {
  /** What is chosen; each view keeps all else. */
  selection: Selection
  counts: Partial<Record<View, number>>
}

/** The views as links, each with how many plans it holds. */
export const ViewTabs = memo(function ViewTabs(props: ViewTabsProps) {
  const { selection, counts } = props
  return (
    <nav
      aria-label={planWords.viewsLabel}
      className="-mx-4 flex gap-1 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      {VIEWS.map((view) => (
        <Link
          key={view}
          to={{ search: writeSelection({ ...selection, view }).toString() }}
          replace
          aria-current={selection.view === view ? 'page' : undefined}
          className="inline-flex min-h-9 items-center gap-1.5 rounded-full px-3 text-sm font-semibold whitespace-nowrap text-ink-muted hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-ink coarse:min-h-11"
        >
          {planWords.views[view]}
          <span className="font-normal text-ink-faint tabular-nums [[aria-current]>&]:text-ink-muted">
            {planWords.number(counts[view] ?? 0)}
          </span>
        </Link>
      ))}
    </nav>
  )
})

interface ListToolbarProps {
  selection: Selection
  /** Statuses that occur beside the known ones. */
  unknownStatuses: readonly string[]
  onChange: (change: Partial<Selection>) => void
}

/** Search, status, health and order. */
export function ListToolbar({ selection, unknownStatuses, onChange }: ListToolbarProps) {
  return (
    <search className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-[minmax(0,1fr)_9rem_9rem_11.5rem]">
      <div className="col-span-2 sm:col-span-3 lg:col-span-1">
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
        <option value={OPEN}>{planWords.openStatus}</option>
        {[...PLAN_STATUSES, ...unknownStatuses].map((status) => (
          <option key={status} value={status}>
            {statusWords.statusOption(status)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={planWords.healthLabel}
        labelHidden
        value={selection.health}
        onChange={(event) => onChange({ health: event.target.value })}
      >
        <option value="">{planWords.anyHealth}</option>
        {HEALTHS.map((health) => (
          <option key={health} value={health}>
            {statusWords.health(health)}
          </option>
        ))}
        <option value={NOT_JUDGED}>{planWords.notJudged}</option>
      </SelectField>
      <div className="col-span-2 sm:col-span-1">
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
      </div>
    </search>
  )
}
