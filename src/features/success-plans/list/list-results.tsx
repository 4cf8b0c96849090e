import { FilteredList } from '../../../widgets/screen-states/filtered-list.tsx'
import type { ResultsProps } from './list-parts.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { PlanList } from './plan-list.tsx'
import { ViewTabs } from './view-tabs.tsx'
import { planMessages } from '../messages.ts'

/** The plans that match as a list of links, below views and filters. */
export function ListResults(props: ResultsProps) {
  const { plans, all, counts, selection, onChange, today, now, actions } = props
  return (
    <>
      <div className="mt-4 mb-3 flex flex-col gap-3">
        <ViewTabs selection={selection} counts={counts} />
        <ListToolbar selection={selection} all={all} shown={plans.length} onChange={onChange} />
      </div>
      <FilteredList
        shown={plans.length}
        all={all.length}
        messages={{ ...planMessages, clear: planMessages.clearFilters }}
      >
        <PlanList plans={plans} today={today} now={now} rows={actions?.checkboxes} />
      </FilteredList>
    </>
  )
}
