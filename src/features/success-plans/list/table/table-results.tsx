import { lazy, Suspense, useCallback, useDeferredValue, useMemo } from 'react'
import { FilterBar } from '../../../../ui/list/filters/filter-bar.tsx'
import { FilteredList } from '../../../../widgets/screen-states/filtered-list.tsx'
import type { ResultsProps } from '../list-parts.ts'
import { ViewTabs } from '../view-tabs.tsx'
import { PlanTable } from './plan-table.tsx'
import { usePreview } from '../../../../ui/list/use-preview.ts'
import { planMessages } from '../../messages.ts'

const PlanTools = lazy(async () => ({ default: (await import('./plan-tools.tsx')).PlanTools }))

const PlanPreview = lazy(async () => ({
  default: (await import('./plan-preview.tsx')).PlanPreview,
}))

/** The plans that match as a table, below views, search and filters. */
export function TableResults(props: ResultsProps) {
  const { plans, all, counts, selection, onChange, today, now, actions } = props
  const preview = usePreview()
  // Rendered after the row that was moved to.
  const shown = useDeferredValue(preview?.id)
  const open = useMemo(() => all.find(({ id }) => id === shown), [all, shown])
  const show = preview?.show
  const close = useCallback(() => show?.(undefined), [show])
  return (
    <>
      <FilterBar
        views={<ViewTabs selection={selection} counts={counts} />}
        search={{
          label: planMessages.searchLabel,
          value: selection.search,
          onChange: (search) => onChange({ search }),
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
        <div className={open ? 'grid grid-cols-[minmax(0,1fr)_26rem] items-start gap-x-5' : ''}>
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
          {open && (
            <Suspense>
              <PlanPreview plan={open} today={today} now={now} onClose={close} />
            </Suspense>
          )}
        </div>
      </FilteredList>
    </>
  )
}
