import { lazy, Suspense } from 'react'
import { useCurrentIds } from '../../../../data/record-id.ts'
import { BesideList } from '../../../../ui/list/beside-list.tsx'
import { FilterBar } from '../../../../ui/list/filters/filter-bar.tsx'
import { useSearchKey } from '../../../../widgets/keys/use-single-keys.ts'
import { FilteredList } from '../../../../widgets/screen-states/filtered-list.tsx'
import type { ResultsProps } from '../list-parts.ts'
import { ViewTabs } from '../view-tabs.tsx'
import { PlanTable } from './plan-table.tsx'
import { useOpened } from '../../../../ui/list/use-preview.ts'
import { planMessages } from '../../messages.ts'

const PlanTools = lazy(async () => ({ default: (await import('./plan-tools.tsx')).PlanTools }))

const PlanPreview = lazy(async () => ({
  default: (await import('./plan-preview.tsx')).PlanPreview,
}))

/** The plans that match as a table, below views, search and filters. */
export function TableResults(props: ResultsProps) {
  const { plans, all, counts, selection, onChange, today, now, actions } = props
  const { preview, opened, close } = useOpened(all, useCurrentIds())
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
        {/* As wide as the buttons, so that the search keeps its width. */}
        <Suspense fallback={<div className="w-71" />}>
          <PlanTools selection={selection} all={all} shown={plans.length} onChange={onChange} />
        </Suspense>
      </FilterBar>
      <FilteredList
        shown={plans.length}
        all={all.length}
        messages={{ ...planMessages, clear: planMessages.clearFilters }}
      >
        <BesideList
          pane={opened && <PlanPreview plan={opened} today={today} now={now} onClose={close} />}
        >
          <PlanTable
            plans={plans}
            today={today}
            now={now}
            sort={selection.sort}
            group={selection.group}
            hidden={selection.hidden}
            onChange={onChange}
            actions={actions}
            preview={preview}
          />
        </BesideList>
      </FilteredList>
    </>
  )
}
