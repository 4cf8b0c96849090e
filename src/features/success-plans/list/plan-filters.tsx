import { lazy, type ReactNode } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { ListFilters } from '../../../ui/list/filters/list-filters.tsx'
import { filterMessages } from '../../../widgets/table/filter-messages.ts'
import { SORTS, type Sort } from './order.ts'
import { useFilterChoices } from './filter-choices.ts'
import { FILTERS, type Selection } from './view.ts'
import { planMessages } from '../messages.ts'

const PhoneTools = lazy(async () => ({ default: (await import('./phone-groups.tsx')).PhoneTools }))

export interface PlanFiltersProps {
  selection: Selection
  /** All plans, filtered or not. */
  all: readonly SuccessPlan[]
  /** Number of plans that match. */
  shown: number
  onChange: (change: Partial<Selection>) => void
  /** See `ListFilters`. */
  tools?: ReactNode
}

/** The filters of plans, and on a phone their order. */
export function PlanFilters({ selection, all, shown, onChange, tools }: PlanFiltersProps) {
  const choices = useFilterChoices(all)
  return (
    <ListFilters
      filters={[
        ...FILTERS.map((name) => ({
          name,
          label: filterMessages[name],
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
      onClear={() => onChange({ status: '', health: '', owner: '', account: '', end: '' })}
      done={planMessages.show(shown)}
      tools={tools}
      sheetTools={<PhoneTools selection={selection} onChange={onChange} />}
    />
  )
}
