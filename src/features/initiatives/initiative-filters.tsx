import { useQuery } from '@tanstack/react-query'
import { PLAN_STATUSES } from '../../../contract/values.ts'
import { DisplayPanel } from '../../ui/list/filters/display-panel.tsx'
import { FilterBar } from '../../ui/list/filters/filter-bar.tsx'
import { ListFilters } from '../../ui/list/filters/list-filters.tsx'
import { membersQuery } from '../../data/organisations/queries.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { statusMessages } from '../../widgets/status/messages.ts'
import type { PlanChoice } from './initiative-dialog.tsx'
import { SORTS, type Filter, type Selection } from './view.ts'
import { initiativeListMessages as messages } from './messages.ts'

interface InitiativeFiltersProps {
  selection: Selection
  /** The plans that have initiatives. */
  plans: readonly PlanChoice[]
  /** Number of initiatives that match. */
  shown: number
  onSearch: (text: string) => void
  onChange: (change: Partial<Record<Filter | 'sort', string>>) => void
}

/** Search, filters by status, owner and plan, and on a phone the order. */
export function InitiativeFilters(props: InitiativeFiltersProps) {
  const { selection, plans, shown, onSearch, onChange } = props
  const members = useQuery(membersQuery()).data ?? []
  const user_id = useCurrentSession()?.user.id
  const { sort, reversed } = selection
  const field = (name: Filter) => ({
    name,
    label: messages.columns[name],
    value: selection[name],
    onChange: (value: string) => onChange({ [name]: value }),
  })
  return (
    <FilterBar
      search={{ label: messages.searchLabel, value: selection.search, onChange: onSearch }}
    >
      <ListFilters
        filters={[
          {
            ...field('status'),
            options: [
              ['', messages.anyStatus],
              ...PLAN_STATUSES.map((one) => [one, statusMessages.statusOption(one)] as const),
            ],
          },
          {
            ...field('owner'),
            options: [
              ['', messages.anyOwner],
              ...members.map(
                (one) => [one.user_id, one.user_id === user_id ? messages.you : one.name] as const,
              ),
            ],
          },
          {
            ...field('plan'),
            options: [
              ['', messages.anyPlan],
              ...plans.map(({ id, title }) => [id, title] as const),
            ],
          },
          {
            name: 'sort',
            label: messages.sortLabel,
            value: reversed ? `-${sort}` : sort,
            options: [
              ...SORTS.map((name) => [name, messages.sortedBy(messages.columns[name])] as const),
              ...(reversed
                ? [[`-${sort}`, messages.sortedReversed(messages.columns[sort])] as const]
                : []),
            ],
            onChange: (value) => onChange({ sort: value }),
            isOrder: true,
          },
        ]}
        onClear={() => onChange({ status: '', owner: '', plan: '' })}
        done={messages.show(shown)}
        tools={<DisplayPanel />}
      />
    </FilterBar>
  )
}
