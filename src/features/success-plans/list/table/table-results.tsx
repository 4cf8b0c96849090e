import { Search } from 'lucide-react'
import { TextField } from '../../../../ui/form/field.tsx'
import { FilteredList } from '../../../../widgets/screen-states/filtered-list.tsx'
import type { ResultsProps } from '../list-parts.ts'
import { ViewTabs } from '../view-tabs.tsx'
import { PlanTable } from './plan-table.tsx'
import { planMessages } from '../../messages.ts'

/** The plans that match as a table, below views, search and filters. */
export function TableResults(props: ResultsProps) {
  const { plans, all, counts, selection, onChange, today, now } = props
  return (
    <>
      <div className="mt-2 mb-1 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ViewTabs selection={selection} counts={counts} />
        <search className="flex min-w-0 grow basis-80 items-center gap-2">
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
        </search>
      </div>
      <FilteredList
        shown={plans.length}
        all={all.length}
        messages={{ ...planMessages, clear: planMessages.clearFilters }}
      >
        <PlanTable
          plans={plans}
          today={today}
          now={now}
          sort={selection.sort}
          onChange={onChange}
        />
      </FilteredList>
    </>
  )
}
