import { HEALTHS, PLAN_STATUSES } from '../../../../contract/values.ts'
import { FilterBar } from '../../../ui/list/filter-bar.tsx'
import { SORTS, type Sort } from './order.ts'
import { NONE, OPEN, type Selection } from './view.ts'
import { statusMessages } from '../../../widgets/status/messages.ts'
import { planMessages } from '../messages.ts'

interface ListToolbarProps {
  selection: Selection
  /** Statuses in the data that this build does not know. */
  unknownStatuses: readonly string[]
  /** Number of plans that match. */
  shown: number
  onChange: (change: Partial<Selection>) => void
}

/** Search, filters by status and health, and sorting. */
export function ListToolbar({ selection, unknownStatuses, shown, onChange }: ListToolbarProps) {
  const { search, status, health, sort } = selection
  return (
    <FilterBar
      search={{
        label: planMessages.searchLabel,
        value: search,
        onChange: (text) => onChange({ search: text }),
      }}
      filters={[
        {
          name: 'status',
          label: planMessages.statusLabel,
          value: status,
          options: [
            ['', planMessages.anyStatus],
            [OPEN, planMessages.openStatus],
            ...[...PLAN_STATUSES, ...unknownStatuses].map(
              (one) => [one, statusMessages.statusOption(one)] as const,
            ),
          ],
          onChange: (value) => onChange({ status: value }),
        },
        {
          name: 'health',
          label: planMessages.healthLabel,
          value: health,
          options: [
            ['', planMessages.anyHealth],
            ...HEALTHS.map((one) => [one, statusMessages.health(one)] as const),
            [NONE, planMessages.noHealth],
          ],
          onChange: (value) => onChange({ health: value }),
        },
        {
          name: 'sort',
          label: planMessages.sortLabel,
          value: sort,
          options: SORTS.map((one) => [one, planMessages.sorts[one]]),
          onChange: (value) => onChange({ sort: value as Sort }),
          isOrder: true,
        },
      ]}
      done={planMessages.show(shown)}
      className="grid-cols-3 lg:grid-cols-[minmax(0,1fr)_9rem_9rem_11.5rem]"
    />
  )
}
