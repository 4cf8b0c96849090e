import { lazy, Suspense } from 'react'
import { FilterBar } from '../../../ui/list/filters/filter-bar.tsx'
import { useSearchKey } from '../../../widgets/keys/use-single-keys.ts'
import { FilteredList } from '../../../widgets/screen-states/filtered-list.tsx'
import type { ResultsProps } from './list-parts.ts'
import { PlanList } from './plan-list.tsx'
import { ViewTabs } from './view-tabs.tsx'
import { planMessages } from '../messages.ts'

const PlanFilters = lazy(async () => ({
  default: (await import('./later-parts.ts')).PlanFilters,
}))

const GroupedPlans = lazy(async () => ({
  default: (await import('./phone-groups.tsx')).GroupedPlans,
}))

/** The plans that match as a list of links, below views and filters. */
export function ListResults(props: ResultsProps) {
  const { plans, all, counts, selection, onChange, today, now, actions } = props
  const list = { plans, today, now, rows: actions?.checkboxes }
  return (
    <>
      <FilterBar
        views={<ViewTabs selection={selection} counts={counts} onChange={onChange} />}
        search={{
          label: planMessages.searchLabel,
          value: selection.search,
          onChange: (search) => onChange({ search }),
          keys: useSearchKey(),
        }}
      >
        <Suspense fallback={<div className="w-24" />}>
          <PlanFilters selection={selection} all={all} shown={plans.length} onChange={onChange} />
        </Suspense>
      </FilterBar>
      <FilteredList
        shown={plans.length}
        all={all.length}
        messages={{ ...planMessages, clear: planMessages.clearFilters }}
      >
        {selection.group === '' ? (
          <PlanList {...list} />
        ) : (
          <Suspense>
            <GroupedPlans group={selection.group} {...list} />
          </Suspense>
        )}
      </FilteredList>
    </>
  )
}
