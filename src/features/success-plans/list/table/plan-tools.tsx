import { useSavedViews } from '../../../../widgets/table/saved-views.ts'
import { TableTools } from '../../../../widgets/table/table-tools.tsx'
import { PlanFilters, type PlanFiltersProps } from '../plan-filters.tsx'
import { writeSelection, type Group } from '../view.ts'
import { HIDEABLE } from './columns.tsx'
import { planColumnMessages, planGroupMessages } from './messages.ts'

const COLUMNS = Object.fromEntries(HIDEABLE.map((key) => [key, planColumnMessages[key]]))

/** Filters, display options and saved views of the table of plans. */
export function PlanTools(props: PlanFiltersProps) {
  const { selection, onChange } = props
  // Read with the list, so that they are on the device without a network.
  useSavedViews()
  return (
    <PlanFilters
      {...props}
      tools={
        <TableTools
          list="plans"
          search={writeSelection(selection).toString()}
          group={selection.group}
          hidden={selection.hidden}
          groups={planGroupMessages}
          columns={COLUMNS}
          // Safe cast: one of `groups`.
          onChange={(change) => onChange(change as { group?: Group; hidden?: string })}
        />
      }
    />
  )
}
