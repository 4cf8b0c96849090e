import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { PhoneFilters } from '../../../ui/list/phone-filters.tsx'
import { SORTS, type Sort } from './order.ts'
import { FILTER_LABELS, useFilterChoices } from './table/filter-choices.ts'
import { FILTERS, type Selection } from './view.ts'
import { planMessages } from '../messages.ts'

interface PlanFiltersProps {
  selection: Selection
  /** All plans, filtered or not. */
  all: readonly SuccessPlan[]
  /** Number of plans that match. */
  shown: number
  onChange: (change: Partial<Selection>) => void
}

/** The filters of the table and the order, in a sheet. */
export function PlanFilters({ selection, all, shown, onChange }: PlanFiltersProps) {
  const choices = useFilterChoices(all)
  return (
    <PhoneFilters
      filters={[
        ...FILTERS.map((name) => ({
          name,
          label: FILTER_LABELS[name],
          value: selection[name],
          options: choices[name],
          onChange: (value: string) => onChange({ [name]: value }),
        })),
        {
          name: 'sort',
          label: planMessages.sortLabel,
          value: selection.sort,
          options: SORTS.map((sort) => [sort, planMessages.sorts[sort]]),
          onChange: (value) => onChange({ sort: value as Sort }),
          isOrder: true,
        },
      ]}
      done={planMessages.show(shown)}
    />
  )
}
